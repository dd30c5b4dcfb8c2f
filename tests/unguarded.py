"""``python -m tests.unguarded``: take protections out, one after the other, and see tests fail.

Each is taken out of a copy of the checkout. Prints a line for each, and ends with 1 if tests pass
without what they are there for.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PROTECTIONS = (
    ("negative chunks of archives", "tplcrawl/batch/payloads.py", "if size < 0:", "if size < -99:",
     "tests/fuzz/test_fuzz.py", "chunk-that-leads-back"),
    ("circles in outlines", "tplcrawl/outline.py", "if not (above and inside", "if not (inside",
     "tests/fuzz/test_fuzz.py", "own-parent"),
    ("private addresses", "tplcrawl/crawl/resolver.py", "add(host)\n        return False",
     "add(host)\n        return True", "tests/crawl/test_private.py", "asked"),
    ("floods of attributes", "tplcrawl/page/limits.py", "attributes: int = 200",
     "attributes: int = 900_000", "tests/page/test_limits.py", "tag_of_a_hundred_thousand"),
    ("formulas in CSV", "tplcrawl/crawl/streams.py", "yield formula_safe(item) if csv else item",
     "yield item", "tests/crawl/test_streams.py", "no_cell"),
    ("one transaction a page", "tplcrawl/store/store.py", "with self.database.together():",
     "if True:", "tests/store/test_store.py", "leaves_nothing"),
    ("databases taken away", "tplcrawl/store/database.py", "self._file() != self._opened",
     "False", "tests/crawl/test_faults.py", "taken_away and nothing"),
    ("databases replaced", "tplcrawl/store/database.py", "self._file() != self._opened",
     "not self.path.exists()", "tests/crawl/test_faults.py", "taken_away and another"),
    ("other versions", "tplcrawl/store/database.py", "elif version != VERSION:", "elif False:",
     "tests/crawl/test_errors.py", "another_version"),
    ("two writers", "tplcrawl/store/database.py", "fcntl.LOCK_EX | fcntl.LOCK_NB", "fcntl.LOCK_SH",
     "tests/store/test_database.py", "one_process"),
    ("size of answers", "tplcrawl/crawl/defaults.py", "DOWNLOAD_MAXSIZE = 64 * 1024 * 1024",
     "DOWNLOAD_MAXSIZE = 0", "tests/crawl/test_hostile_answers.py", "lying"),
    ("size of packed answers", "tplcrawl/crawl/packed.py", "> DEFAULT.body and", "> 1 << 40 and",
     "tests/crawl/test_hostile_answers.py", "lying"),
    ("rules of robots.txt", "tplcrawl/crawl/robots.py", "MOST_BYTES = 512 * 1024",
     "MOST_BYTES = 1 << 40", "tests/crawl/test_hostile_wire.py", "robots"),
    ("asking nobody outside", "tplcrawl/crawl/site.py", "stay_offline()\n", "pass\n",
     "tests/crawl/test_redirects.py", "cookie"),
    ("chains of redirects", "tplcrawl/crawl/frontier.py", "if hops > HOPS:", "if hops > 1 << 40:",
     "tests/crawl/test_redirects.py", "chain_without"),
    ("other hosts", "tplcrawl/page/site.py", "if host in self._hosts:", "if host:",
     "tests/crawl/test_scope.py", "subdomains_and_other_ports"),
    ("markup in reports", "tplcrawl/reports/html.py", "autoescape=True", "autoescape=False",
     "tests/reports/test_outputs.py", "becomes_markup"),
    ("names of this machine", "tplcrawl/reports/live.py",
     'if request.headers.get("Host") not in self._hosts:', "if False:",
     "tests/crawl/test_live.py", "strangers_name"),
    ("loopback alone", "tplcrawl/reports/live.py", '("127.0.0.1", 0)', '("0.0.0.0", 0)',
     "tests/crawl/test_live.py", "loopback"),
    ("lone surrogates", "tplcrawl/reports/files.py", '_UTF8 = ("utf-8", "replace")',
     '_UTF8 = ("utf-8", "strict")', "tests/reports/test_files.py", "one_line"),
    ("outlines without an end", "tplcrawl/outline.py", "len(steps) == len(texts) == paths",
     "len(steps) == paths", "tests/fuzz/test_fuzz.py", "without-texts"),
    ("lengths of locations", "tplcrawl/page/limits.py", "location: int = 4096",
     "location: int = 1 << 40", "tests/page/test_limits.py", "endless"),
    ("writing after a rollback", "tplcrawl/store/database.py",
     "elif not self._db.in_transaction:", "elif False:", "tests/store/test_database.py", "rolled"),
    ("pages asked for again", "tplcrawl/crawl/session.py",
     "self._ahead.known(page.docid, visit.response.status)", "pass",
     "tests/crawl/test_faults.py", "again"),
    ("files of others", "tplcrawl/crawl/streams.py", "not in wanted and _OURS(old.name)",
     "not in wanted", "tests/crawl/test_streams.py", "somebody_else"),
)  # fmt: skip
"""What is protected, the file, the line and what takes its place, and the tests that must fail."""
STUCK = 240


def main() -> int:
    """Take each protection out, and run its tests."""
    passed = 0
    for name, file, line, instead, tests, words in PROTECTIONS:
        with TemporaryDirectory() as folder:
            copy = Path(folder) / "copy"
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".venv", ".git", ".*_cache"))
            text = (copy / file).read_text(encoding="utf-8")
            assert line in text, f"{name}: {file} has changed"
            (copy / file).write_text(text.replace(line, instead), encoding="utf-8")
            command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", tests, "-k",
                       words]  # fmt: skip
            try:
                code = subprocess.run(
                    command, cwd=copy, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(copy)},
                    capture_output=True, timeout=STUCK, check=False,
                ).returncode  # fmt: skip
            except subprocess.TimeoutExpired:
                code = 1
        told = {0: "PASSED without it", 1: "fails without it"}.get(
            code, f"pytest ended with {code}"
        )
        print(f"{name}: {told}", flush=True)
        passed += code != 1
    return min(passed, 1)


if __name__ == "__main__":
    sys.exit(main())
