"""Readers: one module for each kind of source, from numpy arrays to files."""
