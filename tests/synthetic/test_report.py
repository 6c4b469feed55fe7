"""The data sheet of synthetic rows: known answers, and what is wrong is said."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxwood as bw

Table = dict[str, Any]


def rows(n: int, seed: int, shift: float = 0.0) -> Table:
    """Two numbers that depend on each other, a third, and a category that follows from one."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return {
        "x": x,
        "y": x + rng.normal(size=n),
        "z": rng.normal(size=n) + shift,
        "side": np.where(x > 0, "right", "left"),
    }


def halves(n: int = 600) -> tuple[Table, Table, Table]:
    """Real rows, further ones in the place of synthetic ones, and held-out ones: all of one distribution."""
    return rows(n, 0), rows(n, 1), rows(n, 2)


@pytest.fixture(scope="module")
def sheet() -> bw.SyntheticReport:
    return bw.synthetic_report(*halves(), target="side")


class TestRowsOfTheSameDistribution:
    def test_nothing_tells_them_apart(self, sheet: bw.SyntheticReport) -> None:
        assert sheet.fidelity.auc == pytest.approx(0.5, abs=0.06)
        assert sheet.fidelity.indistinguishable > 0.9

    def test_columns_and_pairs_differ_as_by_chance(self, sheet: bw.SyntheticReport) -> None:
        fidelity = sheet.fidelity
        for found, expected in (
            (fidelity.columns, fidelity.expected),
            (fidelity.pairs, fidelity.expected_pairs),
        ):
            ratios = [found[name] / expected[name] for name in found]  # type: ignore[index]
            assert 0.3 < np.mean(ratios) < 1.6

    def test_they_are_as_useful(self, sheet: bw.SyntheticReport) -> None:
        [of_side] = sheet.usefulness
        assert of_side.target == "side"
        assert of_side.real > 0.96
        assert abs(of_side.loss) < 0.03

    def test_nobody_is_given_away(self, sheet: bw.SyntheticReport) -> None:
        privacy = sheet.privacy
        assert privacy.copies == privacy.copies_of_holdout == 0.0
        assert privacy.membership_auc == pytest.approx(0.5, abs=0.06)
        assert privacy.closer_to_training == pytest.approx(0.5, abs=0.07)
        assert privacy.distance_of_holdout is not None
        assert privacy.distance == pytest.approx(privacy.distance_of_holdout, rel=0.1)
        assert privacy.singular == pytest.approx(privacy.singular_of_holdout, abs=0.01)

    def test_it_prints_and_is_json(self, sheet: bw.SyntheticReport) -> None:
        assert "membership inference AUC" in str(sheet)
        found = json.loads(json.dumps(sheet.to_json(), allow_nan=False))
        assert found["n_holdout"] == 600
        assert len(found["fidelity"]["pairs"]) == 6


class TestWhatIsWrongIsFound:
    def test_copies(self) -> None:
        real, _, held = halves()
        copied = {name: values[:300] for name, values in real.items()}
        privacy = bw.synthetic_report(real, copied, held).privacy
        assert privacy.copies == 1.0
        assert privacy.copies_of_holdout == 0.0
        assert privacy.distance == 0.0
        assert privacy.closer_to_training == 1.0
        assert privacy.singular > 0.4

    def test_copies_make_members_known(self) -> None:
        real, _, held = halves()
        privacy = bw.synthetic_report(real, real, held).privacy
        assert privacy.membership_auc is not None
        assert privacy.membership_auc > 0.99

    def test_near_copies(self) -> None:
        real, _, held = halves()
        near = {
            name: values
            if name == "side"
            else values + np.random.default_rng(3).normal(size=len(values)) * 0.01
            for name, values in real.items()
        }
        privacy = bw.synthetic_report(real, near, held).privacy
        assert privacy.copies == 0.0
        assert privacy.membership_auc is not None
        assert privacy.membership_auc > 0.9
        assert privacy.distance_of_holdout is not None
        assert privacy.distance < 0.3 * privacy.distance_of_holdout

    def test_a_shifted_column(self) -> None:
        fidelity = bw.synthetic_report(rows(600, 0), rows(600, 1, shift=1.0)).fidelity
        assert max(fidelity.columns, key=fidelity.columns.__getitem__) == "z"
        assert fidelity.columns["z"] > 6.0 * fidelity.expected["z"]
        assert max(fidelity.give_away, key=fidelity.give_away.__getitem__) == "z"
        # Φ(1/√2) = 0.76 is the best that any classifier can do.
        assert 0.66 < fidelity.auc < 0.78

    def test_columns_that_do_not_go_together(self) -> None:
        real, drawn = rows(600, 0), rows(600, 1)
        rng = np.random.default_rng(4)
        apart = {name: rng.permutation(values) for name, values in drawn.items()}
        sheet = bw.synthetic_report(real, apart, rows(600, 2), target="side")
        assert all(sheet.fidelity.columns[name] < 2.5 * sheet.fidelity.expected[name] for name in real)
        worst = max(sheet.fidelity.pairs, key=sheet.fidelity.pairs.__getitem__)
        assert worst == ("x", "side")
        assert sheet.fidelity.auc > 0.8
        assert sheet.usefulness[0].loss > 0.3

    def test_gaps_of_one_table_only(self) -> None:
        real, drawn = rows(800, 0), rows(800, 1)
        drawn["y"] = np.where(np.arange(800) % 2 == 0, np.nan, drawn["y"])
        fidelity = bw.synthetic_report(real, drawn).fidelity
        assert fidelity.columns["y"] == pytest.approx(0.5, abs=0.02)
        assert fidelity.auc > 0.7


class TestInput:
    def test_without_holdout_most_of_privacy_is_left_out(self) -> None:
        sheet = bw.synthetic_report(rows(300, 0), rows(300, 1))
        assert sheet.privacy.membership_auc is None
        assert sheet.privacy.copies_of_holdout is None
        assert len(sheet.usefulness) == 4

    def test_columns_may_come_in_another_order(self) -> None:
        real, drawn = rows(200, 0), rows(200, 1)
        reordered = dict(reversed(drawn.items()))
        assert bw.synthetic_report(real, reordered).to_json() == bw.synthetic_report(real, drawn).to_json()

    def test_a_seed_gives_the_same_sheet(self, tmp_path: Path) -> None:
        real, drawn, held = halves(300)
        pages = [bw.synthetic_report(real, drawn, held, random_state=5).html() for _ in range(2)]
        assert pages[0] == pages[1]

    def test_new_categories_count(self) -> None:
        real, drawn = rows(200, 0), rows(200, 1)
        drawn["side"] = np.full(200, "above")
        assert bw.synthetic_report(real, drawn).fidelity.columns["side"] == 1.0

    def test_a_column_of_gaps_is_no_problem(self) -> None:
        real, drawn = ({**rows(100, seed), "empty": [None] * 100} for seed in (0, 1))
        assert bw.synthetic_report(real, drawn).fidelity.columns["empty"] == 0.0

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            (
                lambda real: {name: real[name] for name in ("x", "y")},
                "lacks columns of the real table: 'z', 'side'",
            ),
            (lambda real: {name: values[:9] for name, values in real.items()}, "at least 10 are needed"),
            (lambda real: {**real, "x": ["many"] * 200}, "'x'"),
        ],
    )
    def test_what_is_wrong_is_said(self, change: Callable[[Table], Table], sentence: str) -> None:
        real = rows(200, 0)
        with pytest.raises((ValueError, TypeError), match=sentence):
            bw.synthetic_report(real, change(real))

    def test_a_near_name_is_suggested(self) -> None:
        with pytest.raises(ValueError, match="Did you mean 'side'"):
            bw.synthetic_report(rows(50, 0), rows(50, 1), target="sied")


class TestSheet:
    def test_names_are_escaped(self) -> None:
        nasty = "</script><img src=x>"
        real, drawn = ({nasty: table["x"], "<b>": table["side"]} for table in (rows(60, 0), rows(60, 1)))
        page = bw.synthetic_report(real, drawn).html()
        shown = re.sub(r"<script.*?</script>", "", page[page.index("<body") :], flags=re.DOTALL)
        assert "<img" not in shown
        assert "<b>" not in shown.replace("<li><b>", "")
        assert "&lt;img src=x&gt;" in shown

    def test_every_figure_says_what_it_does_not_show(self) -> None:
        page = bw.synthetic_report(*halves(100)).html()
        assert page.count("hat this does not show") >= 3
        assert "what it does not show" in page

    def test_a_failure_leaves_no_file(self, tmp_path: Path) -> None:
        sheet = bw.synthetic_report(rows(50, 0), rows(50, 1))
        with pytest.raises(OSError, match="nowhere"):
            sheet.save(tmp_path / "nowhere" / "sheet.html")
        sheet.save(tmp_path / "sheet.html")
        assert [path.name for path in tmp_path.iterdir()] == ["sheet.html"]
