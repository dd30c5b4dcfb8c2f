"""The model of a crawl, from its directory or from a file."""

from __future__ import annotations

import json
from pathlib import Path

from tplcrawl.errors import InputError
from tplcrawl.reports.templates import template_rows
from tplcrawl.saved_model import SavedModel, model_of
from tplcrawl.store.store import Store


def read_model(path: Path) -> SavedModel:
    """The model of the crawl in a directory, or the one in a file."""
    if path.is_dir():
        with Store(path, write=False) as store:
            store.need_structure()
            rows = template_rows(store, list(store.pages.rows()))
            model = model_of(store, {row.number: row.name for row in rows})
        if not model.rows:
            raise InputError(f"the crawl in {path} has no templates")
        return model
    try:
        return SavedModel.decode(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot read the model {path}: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeError, RecursionError):
        raise InputError(f"cannot read the model {path}: it is not JSON") from None
    except ValueError as error:
        raise InputError(f"cannot read the model {path}: {error}") from None
