"""Many profiles → templates: a module for each method, the online model among them."""
