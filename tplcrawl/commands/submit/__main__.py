"""``spark-submit … tplcrawl/commands/submit/__main__.py INPUT… -o DIR``; ``python -m`` works too.

It stands in a folder of its own: ``spark-submit`` lets all that stands beside it be imported.
"""

from __future__ import annotations

import sys

from tplcrawl.commands import main

if __name__ == "__main__":
    sys.exit(main(["cluster", *sys.argv[1:], "--engine", "spark"]))
