"""The data sheet of synthetic rows: fidelity, usefulness, privacy."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from boxwood.columns import Columns, read_columns
from boxwood.randomness import generator
from boxwood.synthetic.fidelity import Fidelity, measure_fidelity
from boxwood.synthetic.privacy import Privacy, measure_privacy
from boxwood.synthetic.usefulness import Usefulness, measure_usefulness

__all__ = ["SyntheticReport", "synthetic_report"]

TEST_FRACTION = 0.3
"""Of the real rows, to test on where none are held out."""


@dataclass(frozen=True, eq=False)
class SyntheticReport:
    """What `synthetic_report` found.

    Attributes
    ----------
    n_real, n_synthetic : int
        How many rows there were of each.
    n_holdout : int
        0 where none were given: several figures of privacy need rows that the model has not seen.
    fidelity : Fidelity
        How far the columns, their pairs and whole rows are like the real ones.
    usefulness : list of Usefulness
        How well models learn from the synthetic rows, a target each.
    privacy : Privacy
        How near synthetic rows come to single real ones.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(300, 2))
    >>> model = bw.GaussianDensity().fit(rows)
    >>> report = bw.synthetic_report(rows, model.sample(300, random_state=0))
    >>> report.n_real, report.n_synthetic
    (300, 300)
    """

    n_real: int
    n_synthetic: int
    n_holdout: int
    fidelity: Fidelity
    usefulness: list[Usefulness]
    privacy: Privacy

    def __str__(self) -> str:
        worst = sorted(self.fidelity.columns.items(), key=lambda item: -item[1])[:3]
        lines = [
            f"{self.n_synthetic:,} synthetic rows against {self.n_real:,} real ones",
            f"fidelity: 2·(1 − AUC) = {self.fidelity.indistinguishable:.3f} (1 is best); "
            f"worst columns: {', '.join(f'{name} ({distance:.3f})' for name, distance in worst)}",
        ]
        lines += [
            f"usefulness: {each.target}: {each.measure} {each.synthetic:.3f} when trained on synthetic rows, "
            f"{each.real:.3f} on real ones"
            for each in self.usefulness
        ]
        privacy = self.privacy
        lines.append(f"privacy: {privacy.copies:.2%} exact copies{_beside(privacy.copies_of_holdout)}")
        if privacy.membership_auc is not None:
            lines.append(f"privacy: membership inference AUC {privacy.membership_auc:.3f} (0.5 is best)")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain JSON values."""
        fidelity = vars(self.fidelity)
        expected = self.fidelity.expected_pairs
        pairs = [
            {"columns": list(pair), "distance": distance, "expected": expected[pair]}
            for pair, distance in self.fidelity.pairs.items()
        ]
        return {
            "n_real": self.n_real,
            "n_synthetic": self.n_synthetic,
            "n_holdout": self.n_holdout,
            "fidelity": {
                **{name: value for name, value in fidelity.items() if name != "expected_pairs"},
                "pairs": pairs,
                "indistinguishable": self.fidelity.indistinguishable,
            },
            "usefulness": [{**vars(each), "loss": each.loss} for each in self.usefulness],
            "privacy": vars(self.privacy),
        }

    def html(self) -> str:
        """Return the sheet as one HTML page that needs no network."""
        from boxwood.synthetic.sheet import sheet_of

        return sheet_of(self).html()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sheet as an HTML file.

        Parameters
        ----------
        path : str or path-like
            The HTML file to write.
        """
        from boxwood.synthetic.sheet import sheet_of

        sheet_of(self).save(path)


def synthetic_report(
    real: Any, synthetic: Any, holdout: Any = None, *, target: str | None = None, random_state: Any = 0
) -> SyntheticReport:
    """Judge synthetic rows: how like real ones they are, how useful, and whom they give away.

    Parameters
    ----------
    real : table
        The rows that the synthetic ones were learnt from.
    synthetic : table
        Of the same columns.
    holdout : table, optional
        Real rows that were not learnt from: the measure of what chance makes of each figure. Without them
        usefulness is tested on some of the real rows, and most figures of privacy are left out.
    target : str, optional
        The column to predict; without it up to eight columns are predicted in turn.
    random_state : int, RandomState, Generator or None, default=0
        Seed or generator: the same int gives the same result, None another one each time.

    Returns
    -------
    SyntheticReport
        Prints as lines of text; ``save`` writes the data sheet as HTML.

    Examples
    --------
    >>> import boxwood as bw
    >>> penguins = bw.read_columns("examples/penguins.csv")
    >>> model = bw.TableModel(random_state=0).fit(penguins)
    >>> sheet = bw.synthetic_report(penguins, model.sample(300, random_state=0), target="species")
    >>> sheet.usefulness[0].synthetic > 0.9
    True
    """
    rows = read_columns(real)
    drawn = _like(rows, synthetic, "synthetic")
    held = None if holdout is None else _like(rows, holdout, "holdout")
    if target is not None and target not in rows.schema.names:
        from boxwood.query.event_reader import column_position

        column_position(rows.schema, target)  # says which name is near
    for name, table in (("real", rows), ("synthetic", drawn)):
        if table.n_rows < 10:
            raise ValueError(f"{name} has {table.n_rows} rows; at least 10 are needed to compare tables.")
    seed = int(generator(random_state).integers(2**31))
    train, test = _parted(rows, seed) if held is None else (rows, held)
    import sklearn.ensemble  # noqa: F401 - only libraries that are loaded can be limited

    # On busy cores gradient boosting spends most of its time waiting for its own threads.
    with threadpool_limits(1, "openmp"):
        return SyntheticReport(
            rows.n_rows,
            drawn.n_rows,
            0 if held is None else held.n_rows,
            measure_fidelity(rows, drawn, seed),
            measure_usefulness(train, drawn, test, target, seed),
            measure_privacy(rows, drawn, held, seed),
        )


def _like(real: Columns, table: Any, name: str) -> Columns:
    """Read a table by the real one's names, in whatever order, and kinds."""
    columns = read_columns(table)
    absent = [each for each in real.schema.names if each not in columns.schema.names]
    if absent:
        listed = ", ".join(map(repr, absent[:5])) + (", …" if len(absent) > 5 else "")
        raise ValueError(f"{name} lacks columns of the real table: {listed}.")
    chosen = [columns[each] for each in real.schema.names]
    schema = replace(columns.schema, fields=tuple(column.field for column in chosen))
    return Columns(schema, columns.n_rows, columns=chosen).matched(real.schema)


def _parted(real: Columns, seed: int) -> tuple[Columns, Columns]:
    held = np.random.default_rng(seed).random(real.n_rows) < TEST_FRACTION
    return real.take(np.flatnonzero(~held)), real.take(np.flatnonzero(held))


def _beside(fraction: float | None) -> str:
    return "" if fraction is None else f"; of rows held out {fraction:.2%}"
