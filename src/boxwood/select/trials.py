"""Running many models over the same folds: in time, in several processes, with a bar that tells how far."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from boxwood.parameters import shown
from boxwood.progress import Progress, checked_by
from boxwood.threads import n_threads, parallel_map

__all__ = ["Validate", "deadline_of", "run_trials"]

Validate = Callable[[Callable[[], Any], Callable[[int], None]], Any]
"""Takes what makes a model, and what to call after each fold; gives the model's validation."""


@dataclass(frozen=True)
class _Trial:
    """A model's validation, or why there is none."""

    validation: Any = None
    reason: str = ""


def run_trials(
    makers: Mapping[str, Callable[[], Any]],
    validate: Validate,
    n_folds: int,
    *,
    deadline: float = float("inf"),
    n_jobs: int | None = None,
    verbose: int = 0,
) -> tuple[dict[str, Any], dict[str, str]]:
    """Validate each model; return the validations by name, and of those that have none the reasons.

    Linear algebra runs on one thread throughout: with more its sums would round in another order, and
    results would depend on `n_jobs`.

    Parameters
    ----------
    makers : dict of name to callable
    validate : callable
    n_folds : int
    deadline : float
        By the clock of `time.perf_counter`.
    n_jobs : int or None
        Processes, each with one model at a time.
    verbose : int
        Whether to draw a bar of the folds done.
    """
    bar = Progress(None, n_folds * len(makers), None, verbose > 0, unit="fold")
    n_workers = min(n_threads(n_jobs), len(makers))
    trials: dict[str, _Trial] = {}
    try:
        if n_workers > 1:
            for name, trial in _in_processes(makers, partial(_try, validate, n_folds, deadline), n_workers):
                trials[name] = trial
                bar(n_folds * len(trials))
        else:
            for name, make in makers.items():
                before = n_folds * len(trials)
                trials[name] = _try(validate, n_folds, deadline, make, partial(_advance, bar, before))
                bar(n_folds * len(trials))
    finally:
        bar.end_line()
    in_order = {name: trials[name] for name in makers}  # whichever ended first
    found = {name: trial.validation for name, trial in in_order.items() if not trial.reason}
    return found, {name: trial.reason for name, trial in in_order.items() if trial.reason}


def _advance(bar: Progress, n_before: int, n_done: int) -> None:
    bar(n_before + n_done)


def _in_processes(makers: Mapping[str, Callable[[], Any]], attempt: Any, n_workers: int) -> Any:
    """Yield each model's name and trial as they end."""
    from sklearn.utils.parallel import Parallel, delayed

    run = Parallel(n_jobs=n_workers, return_as="generator_unordered", pre_dispatch="all", batch_size=1)
    return run(delayed(_named)(name, attempt, make) for name, make in makers.items())


def _named(name: str, attempt: Callable[[Callable[[], Any]], _Trial], make: Any) -> tuple[str, _Trial]:
    return name, attempt(make)


def _try(
    validate: Validate,
    n_folds: int,
    deadline: float,
    make: Callable[[], Any],
    report: Callable[[int], None] = lambda n_done: None,
) -> _Trial:
    try:
        pace = _Pace(deadline, n_folds)

        def go_on(n_done: int) -> None:
            report(n_done)
            pace.go_on(n_done)

        with checked_by(pace.check):
            return _Trial(parallel_map(lambda made: validate(made, go_on), [make], 1)[0])
    except _OutOfTimeError as reason:
        return _Trial(reason=str(reason))
    except (TypeError, ValueError, ArithmeticError) as reason:
        return _Trial(reason=f"{type(reason).__name__}: {reason}")


class _OutOfTimeError(Exception):
    """A model's folds would not end in time."""


class _Pace:
    """Stops a model whose folds, at the pace of those done, end after the deadline."""

    def __init__(self, deadline: float, n_folds: int) -> None:
        self._started = time.perf_counter()
        self._deadline = deadline
        self._n_folds = n_folds
        self._n_done = 0
        if self._started >= deadline:
            raise _OutOfTimeError("the time budget was spent")

    def go_on(self, n_done: int) -> None:
        """Raise where the remaining folds take too long."""
        self._n_done = n_done
        if n_done < self._n_folds:
            self._judge(n_done, "at")

    def check(self) -> None:
        """Raise where the remaining folds would take too long even if the one that runs ended now."""
        self._judge(self._n_done + 1, "at more than")

    def _judge(self, n_done: int, at: str) -> None:
        now = time.perf_counter()
        a_fold = (now - self._started) / n_done
        if now + a_fold * (self._n_folds - n_done) > self._deadline:
            raise _OutOfTimeError(f"{at} {a_fold:.2g} s a fold it would not end within the time budget")


def deadline_of(time_budget: float | None) -> float:
    """Return when a budget of seconds ends; infinity without one."""
    if time_budget is None:
        return float("inf")
    if isinstance(time_budget, bool) or not isinstance(time_budget, int | float) or not time_budget > 0.0:
        raise ValueError(f"time_budget must be a positive number of seconds; got {shown(time_budget)}.")
    return time.perf_counter() + float(time_budget)
