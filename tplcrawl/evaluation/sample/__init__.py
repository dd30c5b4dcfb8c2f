"""A small site with known templates: a shop with a blog and a forum, made from a fixed seed."""
