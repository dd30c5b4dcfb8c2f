"""Template samples → extraction rules → records and exports."""
