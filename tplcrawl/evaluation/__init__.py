"""Metrics, sites with known templates, benchmarks."""
