"""Serve the sample site: ``python -m tplcrawl.evaluation.sample [--port N] [--menu N]``."""

from __future__ import annotations

import argparse
from contextlib import suppress

from tplcrawl.evaluation.sample.server import sample_server
from tplcrawl.evaluation.sample.site import SampleSite, Sizes


def main() -> None:
    """Print the address, then serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--menu", type=int, default=0, help="extra links on every page")
    parser.add_argument("--products", type=int, default=Sizes().products)
    options = parser.parse_args()
    server = sample_server(
        SampleSite(Sizes(menu=options.menu, products=options.products)), options.port
    )
    print(server.url, flush=True)
    with suppress(KeyboardInterrupt):
        server.serve_forever()


if __name__ == "__main__":
    main()
