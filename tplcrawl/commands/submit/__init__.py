"""``tplcrawl cluster --engine spark`` as a program for ``spark-submit``."""
