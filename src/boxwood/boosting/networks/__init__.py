"""Conditional networks as coordinates: each column explained by those before it in some order."""
