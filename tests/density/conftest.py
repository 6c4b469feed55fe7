"""Let pytest explain failed assertions of the contract, which is no test file itself."""

import pytest

pytest.register_assert_rewrite("contract")
