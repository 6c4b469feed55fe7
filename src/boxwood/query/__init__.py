"""Questions to a fitted density: events in a table's own values, and their probabilities."""
