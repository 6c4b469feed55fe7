"""What the gallery says about its own output is true."""

from __future__ import annotations

import runpy
from pathlib import Path

import matplotlib.pyplot

GALLERY = Path(__file__).parents[2] / "examples" / "gallery"


def test_leave_one_out_likelihood_predicts_held_out_cars_best(capsys):
    with matplotlib.rc_context({"backend": "agg"}):
        runpy.run_path(str(GALLERY / "densities" / "bins_of_a_histogram.py"))
        matplotlib.pyplot.close("all")
    scores = {line.split()[0]: float(line.split()[1]) for line in capsys.readouterr().out.splitlines()}
    assert max(scores, key=scores.__getitem__) == "loo_likelihood"
    assert scores["loo_likelihood"] > max(scores["fd"], scores["scott"])
