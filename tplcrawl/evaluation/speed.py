"""The speed of the parts, as ratios to what they are built on, measured side by side in one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tplcrawl.batch.documents import Document
from tplcrawl.clustering.base import Method
from tplcrawl.clustering.lzw_index import WildcardIndex, links
from tplcrawl.clustering.lzw_links import one_edit_clusters
from tplcrawl.clustering.methods import make_method
from tplcrawl.evaluation.corpus import ROOT, Corpus
from tplcrawl.evaluation.replay import fetched
from tplcrawl.evaluation.sample.site import SampleSite
