"""A page's structure as something that can be compared; a module for each representation."""
