"""Types of pandas, polars and pyarrow in words that a model file can hold, and back."""
