"""Figures of README and of the pages of limits and peers are those of RESULTS.md."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

PATH = Path(__file__).parents[2] / "tools" / "readme_figures.py"
spec = importlib.util.spec_from_file_location("readme_figures", PATH)
readme_figures = importlib.util.module_from_spec(spec)
sys.modules["readme_figures"] = readme_figures
spec.loader.exec_module(readme_figures)

RESULTS = """\
## Anything

<!-- anomaly.py -->
| trained on normals | AnomalyDetector | isolation forest | LOF |
| --- | ---: | ---: | ---: |
| one | 80.0 | 70.0 | – |
| two | **90.0** | 95.0 | 60.0 |
| mean | 85.0 | 82.5 | |
| CPU seconds | 1.80 | 0.12 | |

| trained on all | AnomalyDetector | isolation forest |
| --- | ---: | ---: |
| one | 1.0 | 2.0 |
<!-- end anomaly.py -->

<!-- synthetic.py -->
| table, rows | model | 2·(1 − AUC) | fit, CPU s |
| --- | --- | ---: | ---: |
| adult, 4,000 | DensityForest | 0.791 (0.780 to 0.800) | 16 |
| adult, 4,000 | BoostedDensity-quick | 0.9 | 12 |
| adult, 4,000 | SDV copula | 0.2 (0.1 to 0.3) | 4 |
| adult, 9,000 | DensityForest | 0.8 | 16 |
<!-- end synthetic.py -->

<!-- imputation.py -->
| table | imputer | mean error | CPU time |
| --- | --- | ---: | ---: |
| adult | boxwood | 0.5 | 927 ms |
| adult | miceforest | raises ValueError | |
| wine | boxwood | 0.7 | 1.2 s |
| wine | miceforest | 0.6 | 2.4 s |
<!-- end imputation.py -->
"""


@pytest.mark.parametrize("path", readme_figures.documents(), ids=lambda path: path.stem)
def test_figures_are_those_of_the_results(path):
    text = path.read_text(encoding="utf-8")
    assert readme_figures.with_figures(text, readme_figures.documents()[path]) == text, "run `make readme`"


def test_readme_has_each_task_once_beside_its_strongest_peer():
    lines = readme_figures.strongest_peers(RESULTS).splitlines()[2:]
    assert [line.split("|")[1].strip() for line in lines] == [
        "synthetic rows",
        "anomalies",
        "missing values filled in",
    ]
    assert lines[1] == (
        "| anomalies | AUC in percent, higher is better | **85.0** | 82.5 | isolation forest | 1 of 2 | 15× |"
    )
    table = readme_figures.documents()[readme_figures.README].splitlines()
    assert len(table) == 2 + len(readme_figures.TASKS) <= 8


def test_times_are_medians_over_the_larger_tables():
    models = "| DensityTree | DensityForest | BoostedDensity-quick | BoostedDensity |"
    cells = {"a, 30,000 × 9": (1, 11), "b, 30,000 × 10": (3, 39), "c, 10,000 × 9": (70, 700)}
    tables = [
        "\n".join(
            [f"| {word}: CPU {models}", "| --- | ---: | ---: | ---: | ---: |"]
            + [f"| {name} | {one[at]} (2) | 1 | 1 | 1 |" for name, one in cells.items()]
        )
        for at, word in enumerate(("fit", "score"))
    ]
    results = f"<!-- density_quality.py -->\n{tables[0]}\n\n{tables[1]}\n<!-- end density_quality.py -->"
    assert readme_figures.sizes(results).splitlines()[2] == "| `DensityTree` | 2 s | 20 µs |"


def test_every_question_has_figures():
    text = readme_figures.RESULTS.read_text(encoding="utf-8")
    found = {find.__name__: len(list(find(text))) for find in readme_figures.FINDERS}
    assert all(found.values()), found


def test_lines_of_small_results():
    lines = readme_figures.figures(RESULTS).splitlines()[2:]
    assert lines == [
        "| synthetic rows: 2·(1 − AUC) | SDV copula | **0.79** | 0.20 | 1 of 1 | 4 |",
        "| odd rows: 100 · AUC | isolation forest | **85.0** | 82.5 | 1 of 2 | 15 |",
        "| odd rows: 100 · AUC | LOF | **90.0** | 60.0 | 1 of 1 |  |",
        "| filled gaps: mean error | miceforest | 0.70 | **0.60** | 0 of 1 | 0.5 |",
    ]


def test_numbers_of_cells():
    cells = ("-3.61", "**0.53**", "1.55e+03 (2)", "–", "raises ValueError", "15,124 × 10", None)
    assert [readme_figures.number(cell) for cell in cells] == [-3.61, 0.53, 1550.0, None, None, 15124.0, None]


def test_times_of_cells():
    cells = ("927 ms", "0.053 (0.051 to 0.055; 0.1 s)", "10.4 µs", "0.7", None)
    assert [readme_figures.seconds(cell) for cell in cells] == [
        0.927,
        0.1,
        pytest.approx(1.04e-5),
        None,
        None,
    ]


def test_text_around_the_markers_stays():
    text = "a\n<!-- figures -->\nold\n<!-- end figures -->\nb\n"
    assert readme_figures.with_figures(text, "new") == "a\n<!-- figures -->\nnew\n<!-- end figures -->\nb\n"
