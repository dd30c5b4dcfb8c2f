"""Pictures as SVG of our own: small, the same for the same input, and escaped."""
