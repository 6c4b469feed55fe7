"""skops refuses our types until they are trusted; then models come back whole."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood as bw
from boxwood.datasets import load_penguins

sio = pytest.importorskip("skops.io", reason="skops is not installed: `make test-plugs` installs it")

PENGUINS = load_penguins()
MODELS = [bw.DecisionTreeClassifier(), bw.RandomForestClassifier(3), bw.BayesClassifier()]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_classifiers(model):
    written = sio.dumps(model.fit(PENGUINS.data, PENGUINS.target))
    with pytest.raises(sio.exceptions.UntrustedTypesFoundException):
        sio.loads(written)
    loaded = sio.loads(written, trusted=sio.get_untrusted_types(data=written))
    np.testing.assert_array_equal(loaded.predict_proba(PENGUINS.data), model.predict_proba(PENGUINS.data))


def test_a_density():
    model = bw.DensityForest(3, random_state=0).fit(PENGUINS.frame)
    written = sio.dumps(model)
    loaded = sio.loads(written, trusted=sio.get_untrusted_types(data=written))
    np.testing.assert_array_equal(loaded.score_samples(PENGUINS.frame), model.score_samples(PENGUINS.frame))
