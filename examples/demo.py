"""The main job on a small table: read it, compare densities and classifiers, ask what is odd, simulate, save.

Run it with ``make demo``, or ``python examples/demo.py`` where boxwood is installed. It writes
demo/penguins.boxwood and, where matplotlib is installed, pictures into the folder demo where it runs.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

import boxwood as bw

PENGUINS = Path(__file__).parent / "penguins.csv"
MEASURES = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
FOLDER = Path("demo")


def main() -> None:
    """Do the whole job and say what comes out."""
    FOLDER.mkdir(exist_ok=True)
    table = bw.read_columns(PENGUINS)
    heading(f"The table: {PENGUINS.name}")
    print(table)
    cells = cells_of(table)
    show_histograms({name: cells[name] for name in MEASURES})
    forest = show_densities({name: cells[name] for name in MEASURES})
    show_comparison(cells)
    show_surprises(cells)
    show_simulated(forest)
    save_and_load(forest, {name: cells[name] for name in MEASURES})


def show_histograms(measures: dict[str, list[Any]]) -> None:
    """Choose the bins of each measure by leave-one-out likelihood."""
    heading("Histograms, their bins chosen by leave-one-out likelihood")
    model = bw.Histogram(bins="loo_likelihood").fit(measures)
    for name, edges, selection in zip(measures, model.edges_, model.selection_, strict=True):
        tried = 0 if selection is None else len(selection.scores)
        print(f"{name:<18} {len(edges) - 1:>2} bins of width {edges[1] - edges[0]:6.2f}, best of {tried}")
    draw("histograms.png", lambda: bw.HistogramDisplay.from_estimator(model))


def show_densities(measures: dict[str, list[Any]]) -> bw.DensityForest:
    """Score three densities of the measures on rows that they have not seen; give the forest."""
    heading("Three densities of the four measures, in nats per row")
    columns = bw.read_columns(measures)
    held_out = np.random.default_rng(0).random(columns.n_rows) < 0.3
    train, test = columns.take(~held_out), columns.take(held_out)
    print(f"fitted to {train.n_rows} rows, {train.n_missing} of their values missing; {test.n_rows} held out")
    gaussian = bw.GaussianDensity().fit(train)
    forest = bw.DensityForest(random_state=0).fit(train)
    # All three count an integer as one unit and leave missing values out: their log-densities compare.
    scores = {
        "product of the margins": forest.margins_.log_derivative(test).mean(),
        "Gaussian": gaussian.score(test),
        "forest of 100 trees": forest.score(test),
    }
    for name, score in scores.items():
        print(f"{name:<23} {score:.2f}")
    draw("density.png", lambda: draw_density(forest, measures))
    return forest


def show_comparison(cells: dict[str, list[Any]]) -> None:
    """Compare every family of classifiers on the species."""
    heading("Species from the other columns: every family of classifiers, five folds")
    species = np.array(cells["species"])
    others = without(cells, "species")
    found = bw.compare(others, species)
    print(found)
    draw("comparison.png", lambda: bw.ComparisonDisplay(found).plot())
    bill = {name: cells[name] for name in MEASURES[:2]}
    model = bw.BayesClassifier().fit(bill, species)
    draw("regions.png", lambda: bw.DecisionRegionDisplay.from_estimator(model, bill, species))


def show_surprises(cells: dict[str, list[Any]], n: int = 5) -> None:
    """Print the rows that a forest of all columns finds oddest, and the cells that are to blame.

    A cell's surprise is −log p of it given the rest of its row: what the row's log-density gains where the
    cell is summed out. To blame are the cells that surprise most beyond what is usual in their column.
    """
    heading(f"The {n} most surprising of the held-out rows, and the cells to blame")
    n_rows = len(cells["species"])
    held_out = np.random.default_rng(0).random(n_rows) < 0.3
    train, test = (rows_of(cells, np.flatnonzero(part)) for part in (~held_out, held_out))
    forest = bw.DensityForest(random_state=0).fit(train)
    scores = forest.score_samples(test)
    surprise = np.column_stack([forest.score_samples({**test, name: [None] * len(scores)}) for name in test])
    surprise -= scores[:, None]
    excess = surprise - surprise.mean(axis=0)
    p_values = forest.p_values(test)
    names = list(test)
    for row in np.argsort(scores)[:n]:
        blamed = np.argsort(-excess[row])[:2]
        cells = ", ".join(f"{names[j]} {test[names[j]][row]} (+{excess[row, j]:.1f})" for j in blamed)
        label = f"{test['species'][row]}, {test['sex'][row]}, {test['island'][row]}"
        print(f"{label:<25} p = {p_values[row]:.3f}  {cells}")


def show_simulated(forest: bw.DensityForest) -> None:
    """Print rows that the forest draws."""
    heading("Three simulated penguins")
    print("  ".join(MEASURES))
    for row in np.asarray(forest.sample(3, random_state=0), dtype=float):
        print("  ".join(f"{value:>{len(name)}.1f}" for value, name in zip(row, MEASURES, strict=True)))


def save_and_load(model: bw.DensityForest, measures: dict[str, list[Any]]) -> None:
    """Save a model and check that it comes back the same."""
    heading("Saved and loaded")
    path = FOLDER / "penguins.boxwood"
    model.save(path)
    same = np.array_equal(bw.load(path).score_samples(measures), model.score_samples(measures))
    print(f"{path}: {path.stat().st_size:,} bytes; the same log-densities after loading: {same}")
    if not same:
        raise SystemExit("the loaded model differs from the saved one")


def draw_density(forest: bw.DensityForest, measures: dict[str, list[Any]]) -> Any:
    """Draw the density of the two measures of the bill, the other two summed out."""
    display = bw.DensityTreeDisplay.from_estimator(forest, measures, columns=MEASURES[:2])
    display.ax_.set_title("bills of penguins: 100 trees")
    return display


def draw(name: str, make: Any) -> None:
    """Save the picture of a Display, where matplotlib is installed."""
    if importlib.util.find_spec("matplotlib") is None:
        print(f"({name} is not drawn: matplotlib is not installed)")
        return
    import matplotlib

    matplotlib.use("Agg")
    make().figure_.savefig(FOLDER / name, dpi=110)
    print(f"→ {FOLDER / name}")


def heading(text: str) -> None:
    """Print a line that begins a part."""
    print(f"\n{text}\n{'-' * len(text)}")


def cells_of(table: bw.Columns) -> dict[str, list[Any]]:
    """Return a table as lists of values by column name, None where a value is missing."""
    cells = {}
    for column in table:
        if column.kind.is_number:
            whole = column.kind == "integer"
            cells[column.name] = [None if x != x else int(x) if whole else x for x in column.values.tolist()]
        else:
            labels = (*column.field.categories, None)
            cells[column.name] = [labels[code] for code in column.values]
    return cells


def rows_of(cells: dict[str, list[Any]], rows: np.ndarray) -> dict[str, list[Any]]:
    """Return some rows of a table."""
    return {name: [values[i] for i in rows] for name, values in cells.items()}


def without(cells: dict[str, list[Any]], name: str) -> dict[str, list[Any]]:
    """Return a table without one column."""
    return {other: values for other, values in cells.items() if other != name}


if __name__ == "__main__":
    main()
