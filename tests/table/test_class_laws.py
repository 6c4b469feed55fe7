"""Laws of class targets on tables of any kind: what weighs the same is the same, and masses add up."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from properties import examples


@st.composite
def tables(draw):
    """Numbers with gaps, categories and a class, whole or rounded, of a few rows."""
    n, n_classes = draw(st.integers(4, 40)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    numbers = rng.normal(size=n) * 10.0 ** draw(st.integers(-6, 6))
    numbers[rng.random(n) < draw(st.sampled_from([0.0, 0.3]))] = np.nan
    if draw(st.booleans()):
        numbers = np.sign(numbers)
    categories = np.array(list("uvw"))[rng.integers(0, 3, n)]
    classes = np.array(list("abcde"))[rng.integers(0, n_classes, n)].astype(object)
    classes[1:][rng.random(n - 1) < draw(st.sampled_from([0.0, 0.2]))] = None
    return pd.DataFrame({"x": numbers, "k": categories, "y": classes})


def fitted(table, sample_weight=None):
    density = bw.DensityForest(3, random_state=0)
    return bw.TableModel(density, random_state=0).fit(table, sample_weight=sample_weight, target="y")


@pytest.mark.filterwarnings("ignore:.*whole numbers:UserWarning")
@examples(15)
@given(tables(), st.data())
def test_weights_repeated_rows_and_their_order_are_one(table, data):
    counts = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(table), max_size=len(table))))
    repeated = table.loc[np.repeat(table.index, counts)].sample(frac=1.0, random_state=0)
    one, other = fitted(table, counts), fitted(repeated.reset_index(drop=True))
    pd.testing.assert_frame_equal(one.predict_proba(table), other.predict_proba(table), check_exact=True)


@pytest.mark.filterwarnings("ignore:.*whole numbers:UserWarning")
@examples(15)
@given(tables())
def test_masses_of_classes_sum_to_the_densitys(table):
    model = fitted(table)
    classes = model.schema_.fields[2].categories
    rows = [table.assign(y=label) for label in classes]
    probabilities = model.predict_proba(table).to_numpy()
    assert (probabilities > 0.0).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    own = np.logaddexp.reduce([model.score_samples(each) for each in rows])
    whole = np.logaddexp.reduce([model.density_.score_samples(each) for each in rows])
    np.testing.assert_allclose(own, whole, atol=1e-9)
    fractions = np.exp(np.stack([model.score_samples(each) for each in rows], axis=1) - own[:, None])
    np.testing.assert_allclose(fractions, probabilities, atol=1e-9)
