"""The main job on a small table: read it, fit densities, ask what is odd, simulate, draw, save and load.

Run it with ``make demo``, or ``python examples/demo.py`` where boxwood is installed. It writes
demo/penguins.boxwood and, where matplotlib is installed, demo/penguins.png in the folder in which it runs.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np

import boxwood as bw

PENGUINS = Path(__file__).parent / "penguins.csv"
MEASURES = {"bill_length_mm": 1, "bill_depth_mm": 1, "flipper_length_mm": 0, "body_mass_g": 0}
"""The columns that are modelled, and how many decimals of each are shown."""


def main() -> None:
    """Do the whole job and say what comes out."""
    table = bw.read_columns(PENGUINS)
    heading(f"The table: {PENGUINS.name}")
    print(table)

    measures = bw.read_columns(
        {name: table[name].values for name in MEASURES}, kinds={name: table[name].kind for name in MEASURES}
    )
    held_out = np.random.default_rng(0).random(table.n_rows) < 0.3
    train, test = measures.take(~held_out), measures.take(held_out)
    heading("Two densities of the four measures")
    print(f"fitted on {train.n_rows} rows, {train.n_missing} of their values missing; {test.n_rows} held out")
    # Both count a whole number as one unit, and leave missing values out: their log-densities compare.
    gaussian = bw.GaussianDensity().fit(train)
    forest = bw.DensityForest(random_state=0).fit(train)
    for name, model in [("Gaussian", gaussian), ("forest of 100 trees", forest)]:
        fitted, new = model.score(train), model.score(test)
        print(f"{name:<20} mean log-density {fitted:.2f} of fitted rows, {new:.2f} of held-out rows")

    heading("The oddest of the held-out rows, by the forest")
    show_oddest(table.take(held_out), test, forest.p_values(test))

    heading("Five simulated penguins")
    show(np.asarray(forest.sample(5, random_state=0), dtype=float))

    heading("A small tree of all columns, to read")
    print(bw.DensityTree(max_leaf_nodes=6, prune=None).fit(table).export_text(), end="")

    folder = Path("demo")
    folder.mkdir(exist_ok=True)
    heading("Saved and loaded")
    save_and_load(forest, measures, folder / "penguins.boxwood")
    draw(forest, measures, folder / "penguins.png")


def save_and_load(model: bw.DensityForest, measures: bw.Columns, path: Path) -> None:
    """Save a model and check that it comes back the same."""
    model.save(path)
    same = np.array_equal(bw.load(path).score_samples(measures), model.score_samples(measures))
    print(f"{path}: {path.stat().st_size:,} bytes; the same log-densities after loading: {same}")
    if not same:
        raise SystemExit("the loaded model differs from the saved one")


def draw(model: bw.DensityForest, measures: bw.Columns, path: Path) -> None:
    """Draw the density of the two measures of the bill, the other two summed out."""
    if importlib.util.find_spec("matplotlib") is None:
        print("no picture: matplotlib is not installed")
        return
    import matplotlib

    matplotlib.use("Agg")
    bill = ("bill_length_mm", "bill_depth_mm")
    display = bw.DensityTreeDisplay.from_estimator(model, measures, columns=bill)
    display.ax_.set_title("bills of penguins: 100 trees")
    display.figure_.savefig(path, dpi=110)
    print(f"{path}: the density of the bill's length and depth")


def heading(text: str) -> None:
    """Print a line that begins a part."""
    print(f"\n{text}\n{'-' * len(text)}")


def show_oddest(rows: bw.Columns, measures: bw.Columns, p_values: np.ndarray, n: int = 3) -> None:
    """Print the rows of the smallest p-values: the share of unseen rows that are at most as dense."""
    oddest = np.argsort(p_values)[:n]
    species = rows["species"]
    labels = [f"{species.field.categories[species.values[i]]:<10} p = {p_values[i]:.3f}" for i in oddest]
    show(measures.matrix()[oddest], labels)


def show(rows: np.ndarray, labels: list[str] | None = None) -> None:
    """Print measures as a table."""
    print("  ".join(MEASURES))
    for i, row in enumerate(rows):
        cells = [
            f"{value:>{len(name)}.{decimals}f}"
            for value, (name, decimals) in zip(row, MEASURES.items(), strict=True)
        ]
        print("  ".join(cells) + (f"   {labels[i]}" if labels else ""))


if __name__ == "__main__":
    main()
