"""A wrapper with the pages that it was learnt from."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from tplcrawl.errors import JobError
from tplcrawl.wrappers.wrapper import Wrapper


@dataclass(frozen=True, slots=True)
class Sample:
    """A page, as it was fetched."""

    docid: int
    url: str
    body: bytes
    encoding: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """What is exported of one template."""

    wrapper: Wrapper
    samples: tuple[Sample, ...]


@contextmanager
def fresh_folder(target: Path) -> Iterator[Path]:
    """A directory that takes the place of *target* when the block ends well."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(mkdtemp(prefix=".part-", dir=target.parent))
    except OSError as error:
        raise JobError(f"cannot write {target}: {error.strerror}") from None
    try:
        yield aside
        if target.exists():
            shutil.rmtree(target)
        aside.chmod(0o755)
        aside.replace(target)
    except OSError as error:
        raise JobError(f"cannot write {target}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
