"""The main job on a small table: fit it, compare, ask, find what is odd, simulate, write the report, save.

Run it with ``make demo``, or ``python examples/demo.py`` where boxwood is installed. It writes
demo/penguins.boxwood and, where their libraries are installed, demo/report.html and pictures into the folder
demo where it runs.
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


TARGET = "species"
QUESTIONS = (
    "P(body_mass_g > 4500 | species == 'Adelie')",
    "mean(flipper_length_mm | sex == 'female' and island == 'Biscoe')",
    "probabilities(species | bill_length_mm > 45 and bill_depth_mm < 16)",
)
EVIDENCE = "species == 'Gentoo' and sex == 'female'"


def main() -> None:
    """Do the whole job and say what comes out."""
    FOLDER.mkdir(exist_ok=True)
    table = bw.read_columns(PENGUINS)
    heading(f"The table: {PENGUINS.name}")
    print(table)
    cells = cells_of(table)
    measures = {name: cells[name] for name in MEASURES}
    show_histograms(measures)
    show_densities(measures)
    model = bw.TableModel(random_state=0).fit(table, target=TARGET)
    summary = bw.summarize(model, table, target=TARGET)
    show_comparison(cells, summary)
    show_answers(model)
    show_simulated(model)
    show_surprise(model, table)
    save_report(model, table, summary)
    save_and_load(model, table)


def show_histograms(measures: dict[str, list[Any]]) -> None:
    """Choose the bins of each measure by leave-one-out likelihood."""
    heading("Histograms, their bins chosen by leave-one-out likelihood")
    model = bw.Histogram(bins="loo_likelihood").fit(measures)
    for name, edges, selection in zip(measures, model.edges_, model.selection_, strict=True):
        tried = 0 if selection is None else len(selection.scores)
        print(f"{name:<18} {len(edges) - 1:>2} bins of width {edges[1] - edges[0]:6.2f}, best of {tried}")
    draw("histograms.png", lambda: bw.HistogramDisplay.from_estimator(model))


def show_densities(measures: dict[str, list[Any]]) -> None:
    """Score three densities of the measures on rows that they have not seen."""
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


def show_comparison(cells: dict[str, list[Any]], summary: bw.TableSummary) -> None:
    """Print how every family of classifiers tells the species."""
    heading("Species from the other columns: every family of classifiers, five folds")
    print(summary.comparison)
    draw("comparison.png", lambda: bw.ComparisonDisplay(summary.comparison).plot())
    bill = {name: cells[name] for name in MEASURES[:2]}
    species = np.array(cells[TARGET])
    model = bw.BayesClassifier().fit(bill, species)
    draw("regions.png", lambda: bw.DecisionRegionDisplay.from_estimator(model, bill, species))


def show_answers(model: bw.TableModel) -> None:
    """Ask three questions."""
    heading("Three questions")
    for question in QUESTIONS:
        print(model.ask(question))


def show_simulated(model: bw.TableModel, n: int = 3) -> None:
    """Print rows that are drawn given some evidence."""
    heading(f"Three simulated penguins, given {EVIDENCE}")
    drawn = cells_of(bw.read_columns(model.given(EVIDENCE).sample(n, random_state=0)))
    lines = [list(drawn), *([written(values[k]) for values in drawn.values()] for k in range(n))]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True)))


def show_surprise(model: bw.TableModel, table: bw.Columns, n: int = 3) -> None:
    """Print the oddest penguins, by the trees that did not see them, with the cell that is most to blame."""
    heading(f"The {n} most surprising penguins, their oddest cell, and what was expected")
    found = bw.read_columns(model.outliers(table, n=n, training=True))
    rows = table.take(found["row"].values.astype(int))
    own, explained = cells_of(rows), cells_of(bw.read_columns(model.explain(rows)))
    blamed = cells_of(found)["column"]
    for k in range(n):
        label = f"{own['species'][k]}, {own['sex'][k]}, {own['island'][k]}"
        print(f"{label:<24}  p = {found['p_value'].values[k]:.3f}")
        name = blamed[k]
        value, expected = written(own[name][k]), written(explained[f"{name} expected"][k])
        if value == expected:
            print("  no single cell: the row is odd as a whole")
        else:
            print(f"  {name} {value}: {explained[name][k]:.1f} nats; {expected} expected")


def save_report(model: bw.TableModel, table: bw.Columns, summary: bw.TableSummary) -> None:
    """Write the report, where the library of its charts is installed."""
    heading("The report")
    if importlib.util.find_spec("vl_convert") is None:
        print("(report.html is not written: vl-convert is not installed)")
        return
    path = FOLDER / "report.html"
    bw.write_report(model, path, table, target=TARGET, summary=summary, title="Penguins")
    print(f"→ {path}: one file, no network needed")


def save_and_load(model: bw.TableModel, table: bw.Columns) -> None:
    """Save a model and check that it comes back the same."""
    heading("Saved and loaded")
    path = FOLDER / "penguins.boxwood"
    model.save(path)
    same = np.array_equal(bw.load(path).score_samples(table), model.score_samples(table))
    print(f"→ {path}: the same log-densities after loading: {same}")
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


def written(value: Any) -> str:
    """Return a cell as text."""
    return "missing" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
