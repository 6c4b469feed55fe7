"""A zoo of small tables whose truth is known, each odd in its own way, for every family to live with."""
