"""Set before anything imports scipy: without it scikit-learn skips its array-API check."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")
