"""``python -m tplcrawl`` is the ``tplcrawl`` tool."""

from __future__ import annotations

import sys

from tplcrawl.commands import main

sys.exit(main())
