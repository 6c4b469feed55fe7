"""The main job on a small table: read it, fit a density, ask what is odd, simulate, save and load.

Run it with ``make demo``, or ``python examples/demo.py`` where boxwood is installed. It writes
demo/penguins.boxwood in the folder in which it runs.
"""

from __future__ import annotations

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
    model = bw.GaussianDensity().fit(train)
    heading("A Gaussian density of the four measures")
    print(f"fitted on {train.n_rows} rows, {train.n_missing} of their values missing; {test.n_rows} held out")
    print(f"mean log-density: {model.score(train):.2f} on the fitted rows, {model.score(test):.2f} held out")

    heading("The oddest of the held-out rows")
    show_oddest(table.take(held_out), test, model.p_values(test))

    heading("Five simulated penguins")
    show(np.asarray(model.sample(5, random_state=0), dtype=float))

    path = Path("demo") / "penguins.boxwood"
    path.parent.mkdir(exist_ok=True)
    model.save(path)
    same = np.array_equal(bw.load(path).score_samples(measures), model.score_samples(measures))
    heading("Saved and loaded")
    print(f"{path}: {path.stat().st_size:,} bytes; the same log-densities after loading: {same}")
    if not same:
        raise SystemExit("the loaded model differs from the saved one")


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
