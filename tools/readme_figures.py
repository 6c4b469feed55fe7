"""Write the figures of README.md and of two pages about limits and peers from benchmarks/RESULTS.md.

The tests check that they agree.

Run it with ``make readme``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
README, RESULTS = ROOT / "README.md", ROOT / "benchmarks" / "RESULTS.md"
LIMITS, PEERS = (ROOT / "docs" / "about" / f"{name}.md" for name in ("limits", "peers"))
BEGIN, END = "<!-- figures -->", "<!-- end figures -->"

TASKS = {
    "density: nats a row": ("density of numbers", "nats per row, higher is better"),
    "synthetic rows: 2·(1 − AUC)": (
        "synthetic rows",
        "2·(1 − AUC) of a classifier that separates them from real rows; 1 is best",
    ),
    "odd rows: 100 · AUC": ("anomalies", "AUC in percent, higher is better"),
    "a target's distribution: nats": ("distribution of a number", "nats per row, higher is better"),
    "filled gaps: mean error": ("missing values filled in", "error in standard deviations, lower is better"),
    "classes: log-loss": ("probabilities of classes", "log-loss in nats, lower is better"),
}
"""README's words for the questions, and their units."""

OURS = ("TableModel", "DensityForest", "BoostedDensity")
"""Boxwood's models of synthetic rows, the default one first."""

Table = list[dict[str, str]]
Reader = Callable[[str | None], float | None]


@dataclass(frozen=True)
class Figure:
    """A line of the table: boxwood beside one peer, over several tables of data."""

    question: str
    peer: str
    ours: Sequence[float]
    theirs: Sequence[float]
    higher: bool
    digits: int
    times: Sequence[tuple[float, float]] = ()

    @property
    def n_ahead(self) -> int:
        """On how many tables boxwood is ahead."""
        return sum((a > b) == self.higher and a != b for a, b in zip(self.ours, self.theirs, strict=True))

    @property
    def peer_quality(self) -> float:
        """The peer's mean, signed such that higher is better."""
        return sum(self.theirs) / len(self.theirs) * (1.0 if self.higher else -1.0)

    def shown(self) -> list[str]:
        """Return both means as text, the better one bold."""
        ours, theirs = (sum(values) / len(values) for values in (self.ours, self.theirs))
        shown = [f"{value:.{self.digits}f}" for value in (ours, theirs)]
        best = 0 if (ours > theirs) == self.higher else 1
        if shown[0] != shown[1]:
            shown[best] = f"**{shown[best]}**"
        return [value.replace("-", "−") for value in shown]

    def line(self) -> str:
        """Return the line of the page of peers in Markdown."""
        ahead = f"{self.n_ahead} of {len(self.ours)}"
        cells = [self.question, self.peer, *self.shown(), ahead, self.time()]
        return f"| {' | '.join(cells)} |"

    def readme_line(self) -> str:
        """Return the line of README in Markdown."""
        task, unit = TASKS[self.question]
        ahead, time = f"{self.n_ahead} of {len(self.ours)}", self.time()
        cells = [task, unit, *self.shown(), self.peer, ahead, f"{time}×" if time else ""]
        return f"| {' | '.join(cells)} |"

    def time(self) -> str:
        """Return how many times as long boxwood takes as the peer, the median over tables."""
        ratios = [ours / theirs for ours, theirs in self.times if theirs > 0]
        return f"{float(f'{median(ratios):.2g}'):g}" if ratios else ""


def main() -> None:
    """Write the tables into README.md and the pages."""
    for path, table in documents().items():
        path.write_text(with_figures(path.read_text(encoding="utf-8"), table), encoding="utf-8")


def documents() -> dict[Path, str]:
    """Return the table of each document."""
    return {README: strongest_peers(), PEERS: figures(), LIMITS: sizes()}


def with_figures(text: str, table: str) -> str:
    """Return a document's text with the table between its markers."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}"


def figures(results: str | None = None) -> str:
    """Return the table of all peers in RESULTS.md, in Markdown."""
    text = RESULTS.read_text(encoding="utf-8") if results is None else results
    lines = [figure.line() for find in FINDERS for figure in find(text)]
    head = [
        "| measured on held-out rows | beside | boxwood | peer | ahead on | time |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    return "\n".join([*head, *lines])


def strongest_peers(results: str | None = None) -> str:
    """Return README's table in Markdown: each task once, beside the peer with the best mean."""
    text = RESULTS.read_text(encoding="utf-8") if results is None else results
    found = [list(find(text)) for find in FINDERS]
    lines = [max(task, key=lambda figure: figure.peer_quality).readme_line() for task in found if task]
    head = [
        "| task, on held-out rows | unit | boxwood | peer | strongest peer | better on | CPU time |",
        "| --- | --- | ---: | ---: | --- | ---: | ---: |",
    ]
    return "\n".join([*head, *lines])


def tables_of(results: str, benchmark: str) -> list[Table]:
    """Return the tables of a benchmark's section, each as rows by heading."""
    found = re.search(
        rf"<!-- {re.escape(benchmark)} -->\n(.*?)<!-- end {re.escape(benchmark)} -->", results, re.DOTALL
    )
    parts = re.split(r"\n(?!\|)", "\n" + found[1]) if found else []
    read = [_rows([line for line in part.splitlines() if line.startswith("|")]) for part in parts]
    return [table for table in read if table]


def _rows(lines: Sequence[str]) -> Table:
    cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    return [dict(zip(cells[0], row, strict=False)) for row in cells[2:]] if len(cells) > 2 else []


def number(cell: str | None) -> float | None:
    """Return the first number of a cell, None where there is none."""
    found = re.match(r"\*{0,2}(-?\d[\d,]*\.?\d*(?:e[+-]?\d+)?)", (cell or "").strip())
    return float(found[1].replace(",", "")) if found else None


def seconds(cell: str | None) -> float | None:
    """Return the time that a cell names with its unit, in seconds."""
    found = re.search(r"(\d[\d.]*) (µs|ms|s)\b", cell or "")
    return float(found[1]) * {"µs": 1e-6, "ms": 1e-3, "s": 1.0}[found[2]] if found else None


def pairs(rows: Table, ours: str, theirs: str, read: Reader = number) -> tuple[list[float], list[float]]:
    """Return the numbers of two columns, of the rows that have both."""
    both = [(read(row.get(ours)), read(row.get(theirs))) for row in rows]
    kept = [(a, b) for a, b in both if a is not None and b is not None]
    return [a for a, _ in kept], [b for _, b in kept]


def by_model(rows: Table, value: str, reader: Reader = number) -> dict[str, dict[str, float]]:
    """Return a column's numbers by model and table, of a table with a line for each."""
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        read = reader(row.get(value))
        if read is not None:
            model = row.get("model") or row.get("imputer") or ""
            found.setdefault(model, {})[next(iter(row.values()))] = read
    return found


def of_models(
    rows: Table, value: str, ours: str, peers: Sequence[str], reader: Reader = number
) -> Iterator[tuple[str, list[float], list[float]]]:
    """Return for each peer its numbers and ours, of the tables that both have."""
    found = by_model(rows, value, reader)
    for peer in peers:
        shared = [name for name in found.get(peer, {}) if name in found.get(ours, {})]
        if shared:
            yield peer, [found[ours][name] for name in shared], [found[peer][name] for name in shared]


def density(results: str) -> Iterator[Figure]:
    """Densities of numbers, beside mixtures and neural flows."""
    tables = tables_of(results, "density_quality.py")
    rows = [row for table in tables if any("nats" in key for key in table[0]) for row in table]
    fits = [row for table in tables if any(key.startswith("fit:") for key in table[0]) for row in table]
    peers = {
        "GMM-50": "mixture of 50 Gaussians",
        "MAF": "neural flow (MAF)",
        "NSF": "neural flow (NSF)",
        "arf": "adversarial forest (arf)",
    }
    for key, name in peers.items():
        ours, theirs = pairs(rows, "BoostedDensity", key)
        if ours:
            took = zip(*pairs(fits, "BoostedDensity", key), strict=True)
            yield Figure("density: nats a row", name, ours, theirs, True, 2, [*took])


def synthetic(results: str) -> Iterator[Figure]:
    """Synthetic rows, by how far a classifier fails to tell them from real ones."""
    for table in tables_of(results, "synthetic.py")[:1]:
        value = next((key for key in table[0] if "AUC" in key), "")
        models = list(dict.fromkeys(row.get("model", "") for row in table))
        ours = next((name for name in OURS if name in models), "")
        peers = [name for name in models if not name.startswith(OURS)]
        took = {peer: both for peer, *both in of_models(table, "fit, CPU s", ours, peers)}
        for peer, mine, theirs in of_models(table, value, ours, peers):
            times = [*zip(*took[peer], strict=True)] if peer in took else []
            yield Figure("synthetic rows: 2·(1 − AUC)", peer, mine, theirs, True, 2, times)


def anomalies(results: str) -> Iterator[Figure]:
    """Odd rows, by the area under the ROC curve."""
    for table in tables_of(results, "anomaly.py")[:1]:
        rows = [row for row in table if next(iter(row.values())) not in ("mean", "CPU seconds")]
        last = [row for row in table if "CPU seconds" in row.values()]
        for peer in ("fifth neighbour", "isolation forest", "LOF"):
            ours, theirs = pairs(rows, "AnomalyDetector", peer)
            if ours:
                took = zip(*pairs(last, "AnomalyDetector", peer), strict=True)
                yield Figure("odd rows: 100 · AUC", peer, ours, theirs, True, 1, [*took])


def distributions(results: str) -> Iterator[Figure]:
    """Distributions of a target."""
    peers = ("NGBoost", "quantile-forest")
    for table in tables_of(results, "conditional.py")[:1]:
        took = times_of(table, peers)
        for peer, ours, theirs in of_models(table, "log-likelihood", "boxwood", peers):
            question = "a target's distribution: nats"
            yield Figure(question, peer, ours, theirs, True, 2, took[peer])


def imputation(results: str) -> Iterator[Figure]:
    """Gaps that were made and filled."""
    peers = ("miceforest", "IterativeImputer", "KNNImputer")
    for table in tables_of(results, "imputation.py")[:1]:
        took = times_of(table, peers)
        for peer, ours, theirs in of_models(table, "mean error", "boxwood", peers):
            yield Figure("filled gaps: mean error", peer, ours, theirs, False, 2, took[peer])


def times_of(table: Table, peers: Sequence[str]) -> dict[str, list[tuple[float, float]]]:
    """Return boxwood's time and the peer's, table by table."""
    found = of_models(table, "CPU time", "boxwood", peers, seconds)
    return {peer: [] for peer in peers} | {
        peer: [*zip(ours, theirs, strict=True)] for peer, ours, theirs in found
    }


def classes(results: str) -> Iterator[Figure]:
    """Probabilities of classes."""
    for table in tables_of(results, "classification_log_loss.py")[:1]:
        for peer in ("random forest", "boosted trees"):
            ours, theirs = pairs(table, "BayesClassifier", peer)
            if ours:
                took = zip(*pairs(table, "BayesClassifier", peer, seconds), strict=True)
                yield Figure("classes: log-loss", peer, ours, theirs, False, 3, [*took])


def sizes(results: str | None = None) -> str:
    """Return what tables of 30,000 rows take to fit and to score, to one digit: medians over tables."""
    text = RESULTS.read_text(encoding="utf-8") if results is None else results
    tables = tables_of(text, "density_quality.py")
    rows = {
        word: [row for table in tables if any(key.startswith(word) for key in table[0]) for row in table]
        for word in ("fit:", "score:")
    }
    lines = ["| model | fit | score a row |", "| --- | ---: | ---: |"]
    for model in ("DensityTree", "DensityForest", "BoostedDensity-quick", "BoostedDensity"):
        fit, score = (
            median(
                value
                for row in found
                if "30,000" in next(iter(row.values())) and (value := number(row.get(model))) is not None
            )
            for found in rows.values()
        )
        name = f"`{model}`" if "-" not in model else f"`{model.partition('-')[0]}`, quick"
        lines.append(f"| {name} | {float(f'{fit:.1g}'):g} s | {float(f'{score:.1g}'):g} µs |")
    return "\n".join(lines)


FINDERS: Sequence[Callable[[str], Iterator[Figure]]] = (
    density,
    synthetic,
    anomalies,
    distributions,
    imputation,
    classes,
)

if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        print(figures())
    else:
        main()
