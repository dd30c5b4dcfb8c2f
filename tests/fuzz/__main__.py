"""``python -m tests.fuzz TARGET SECONDS [FOLDER]``: fuzz one target with coverage.

What breaks it is kept in ``tests/fuzz/crashes/``, where the tests find it; what reached new code,
in *FOLDER*, from where the next run goes on. Needs requirements/fuzz.txt.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["tplcrawl"]):
    from tests.fuzz.seeds import SEEDS
    from tests.fuzz.targets import TARGETS

CRASHES = Path(__file__).with_name("crashes")
SLOW = 10
"""Seconds after which an input counts as one that hangs."""
MOST_MB = 2000


def main(name: str, seconds: str, folder: str = "") -> None:
    corpus = Path(folder or tempfile.mkdtemp(prefix="fuzz-")) / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[name]()):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = [f"-max_total_time={seconds}", f"-timeout={SLOW}", f"-rss_limit_mb={MOST_MB}",
               "-max_len=4096", "-seed=1", "-print_final_stats=1", "-verbosity=1",
               f"-artifact_prefix={CRASHES}/{name}-"]  # fmt: skip
    atheris.Setup([sys.argv[0], *options, str(corpus)], TARGETS[name])
    atheris.Fuzz()


main(*sys.argv[1:])
