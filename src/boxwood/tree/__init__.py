"""Trees: how they are grown, pruned and looked at."""
