"""Counts and times of requests, in the text format that Prometheus reads."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

__all__ = ["Metrics"]

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper ends of the histogram's buckets, in seconds."""


class Metrics:
    """What was asked so far; written and read by the loop alone.

    Parameters
    ----------
    routes : sequence of str
        Paths that are counted by name; all others together, so that no request makes a new line.

    Examples
    --------
    >>> metrics = Metrics(["/query"])
    >>> metrics.add("/query", 200, 0.002)
    >>> print(metrics.text({"model": "DensityForest"}).splitlines()[2])
    boxwood_requests_total{route="/query",status="200"} 1
    """

    def __init__(self, routes: Sequence[str]) -> None:
        self._routes = frozenset(routes)
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._buckets: dict[str, list[int]] = {}

    def add(self, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        route = path if path in self._routes else "other"
        self._requests[route, status] += 1
        self._seconds[route] += seconds  # type: ignore[assignment]
        buckets = self._buckets.setdefault(route, [0] * (len(BUCKETS) + 1))
        buckets[bisect_left(BUCKETS, seconds)] += 1

    def text(self, info: dict[str, str], gauges: dict[str, float] | None = None) -> str:
        """Return all metrics, with a line about the model and further numbers."""
        name = "boxwood_requests_total"
        lines = [f"# HELP {name} Requests by route and status.", f"# TYPE {name} counter"]
        for (route, status), n in sorted(self._requests.items()):
            lines.append(f'{name}{{route="{route}",status="{status}"}} {n}')
        lines += self._histogram()
        lines += ["# HELP boxwood_model_info The model that is served.", "# TYPE boxwood_model_info gauge"]
        lines.append(f"boxwood_model_info{{{','.join(_label(*item) for item in info.items())}}} 1")
        for key, value in (gauges or {}).items():
            lines += [f"# TYPE boxwood_{key} gauge", f"boxwood_{key} {value:g}"]
        return "\n".join(lines) + "\n"

    def _histogram(self) -> list[str]:
        name = "boxwood_request_seconds"
        lines = [f"# HELP {name} Time from a request's headers to its answer.", f"# TYPE {name} histogram"]
        for route, buckets in sorted(self._buckets.items()):
            ends = [*(f"{end:g}" for end in BUCKETS), "+Inf"]
            for end, n in zip(ends, accumulate(buckets), strict=True):
                lines.append(f'{name}_bucket{{route="{route}",le="{end}"}} {n}')
            lines.append(f'{name}_sum{{route="{route}"}} {self._seconds[route]!r}')
            lines.append(f'{name}_count{{route="{route}"}} {sum(buckets)}')
        return lines


def _label(key: str, value: str) -> str:
    escaped = value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    return f'{key}="{escaped}"'
