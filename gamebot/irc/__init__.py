"""IRC: the only package that imports pydle."""
