"""Forests that grow level by level on the parts of a table: rounds of tasks that all kinds of trees share."""
