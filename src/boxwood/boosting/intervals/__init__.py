"""Integrals of a chain's density over the intervals of a row, by points shifted at random for each row."""
