"""A tree reduce over many workers, of which some are slow and some are lost, played through by events.

Partitions are summarised on workers, and eight summaries at a time are merged, as `boxwood.dask` does it. A
worker that is lost takes what it holds with it; tasks whose results are still needed run again elsewhere, as
Dask runs them, and a new worker comes after a while. Counts stand for the summaries, so that the end of it
can be checked: whatever is lost, the sum is that of all partitions.

    python benchmarks/scaling/reduce_simulation.py
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass, field

ARITY = 8


@dataclass(frozen=True)
class Cluster:
    """What the play is about; times in seconds.

    Attributes
    ----------
    n_workers, n_partitions : int
    task : float
        To summarise a partition.
    summary : float
        Bytes of a summary.
    bandwidth : float
        Bytes a second that a worker receives.
    latency : float
        Of the scheduler and the network, a task.
    slow_fraction, slow_times : float
        So many workers take so many times as long for everything.
    losses : float
        Workers lost an hour and worker.
    restart : float
        Until another takes its place.
    """

    n_workers: int = 1000
    n_partitions: int = 10_000
    task: float = 2.0
    summary: float = 1e6
    bandwidth: float = 1e9
    latency: float = 0.005
    slow_fraction: float = 0.0
    slow_times: float = 5.0
    losses: float = 0.0
    restart: float = 30.0


@dataclass
class Task:
    """A partition's summary, or the merge of some tasks' results."""

    inputs: list[int]
    holder: int | None = None  # the worker that has the result
    running: int | None = None
    value: int = 0


@dataclass
class Result:
    """How it went."""

    seconds: float
    total: int
    bytes_moved: float
    n_run: int
    n_lost: int


@dataclass
class Play:
    """One reduce, event by event."""

    cluster: Cluster
    seed: int = 0
    tasks: list[Task] = field(default_factory=list)
    now: float = 0.0
    bytes_moved: float = 0.0
    n_run: int = 0
    n_lost: int = 0

    def run(self) -> Result:
        """Play until the last merge is done."""
        self._plan()
        rng, c = random.Random(self.seed), self.cluster
        self.slow = {w for w in range(c.n_workers) if rng.random() < c.slow_fraction}
        self.free = list(range(c.n_workers))
        self.alive = [True] * c.n_workers
        self.events: list[tuple[float, int, str, int, int]] = []
        self.counter = 0
        if c.losses:
            for worker in range(c.n_workers):
                self._at(rng.expovariate(c.losses / 3600.0), "lose", worker, 0)
        self.waiting = list(range(len(self.tasks)))
        heapq.heapify(self.waiting)
        self._assign()
        while self.tasks[-1].holder is None:
            self.now, _, what, worker, number = heapq.heappop(self.events)
            if what == "done":
                self._done(worker, number)
            elif what == "lose":
                self._lose(worker, rng)
            else:
                self.alive[worker] = True
                self.free.append(worker)
            self._assign()
        return Result(self.now, self.tasks[-1].value, self.bytes_moved, self.n_run, self.n_lost)

    def _plan(self) -> None:
        self.tasks = [Task([]) for _ in range(self.cluster.n_partitions)]
        level = list(range(len(self.tasks)))
        while len(level) > 1:
            above = []
            for k in range(0, len(level), ARITY):
                above.append(len(self.tasks))
                self.tasks.append(Task(level[k : k + ARITY]))
            level = above
        self.users = {i: n for n, task in enumerate(self.tasks) for i in task.inputs}

    def _at(self, delay: float, what: str, worker: int, number: int) -> None:
        self.counter += 1
        heapq.heappush(self.events, (self.now + delay, self.counter, what, worker, number))

    def _assign(self) -> None:
        later = []
        while self.free and self.waiting:
            number = heapq.heappop(self.waiting)
            task = self.tasks[number]
            if any(self.tasks[i].holder is None for i in task.inputs):
                later.append(number)
                if len(later) > 64:  # those behind wait for the same
                    break
                continue
            self._start(self.free.pop(), number)
        for number in later:
            heapq.heappush(self.waiting, number)

    def _start(self, worker: int, number: int) -> None:
        task, c = self.tasks[number], self.cluster
        task.running = worker
        moved = sum(c.summary for i in task.inputs if self.tasks[i].holder != worker)
        self.bytes_moved += moved
        self.n_run += 1
        seconds = c.latency + moved / c.bandwidth + (c.task if not task.inputs else 0.0)
        self._at(seconds * (c.slow_times if worker in self.slow else 1.0), "done", worker, number)

    def _done(self, worker: int, number: int) -> None:
        task = self.tasks[number]
        if task.running != worker or not self.alive[worker]:
            return  # it was lost on the way
        task.running, task.holder = None, worker
        task.value = sum(self.tasks[i].value for i in task.inputs) if task.inputs else number + 1
        self.free.append(worker)

    def _lose(self, worker: int, rng: random.Random) -> None:
        self.n_lost += 1
        self.alive[worker] = False
        if worker in self.free:
            self.free.remove(worker)
        for number, task in enumerate(self.tasks):
            if task.running == worker:
                task.running = None
                self._again(number)
            if task.holder == worker and self._is_needed(number):
                task.holder = None
                self._again(number)
        self._at(self.cluster.restart, "back", worker, 0)
        self._at(self.cluster.restart + rng.expovariate(self.cluster.losses / 3600.0), "lose", worker, 0)

    def _is_needed(self, number: int) -> bool:
        user = self.users.get(number)
        return user is not None and self.tasks[user].holder is None

    def _again(self, number: int) -> None:
        """Run a task again, and those of its inputs whose results are gone."""
        heapq.heappush(self.waiting, number)
        for i in self.tasks[number].inputs:
            missing = self.tasks[i]
            if missing.holder is not None and not self.alive[missing.holder]:
                missing.holder = None
            if missing.holder is None and missing.running is None and i not in self.waiting:
                self._again(i)


def main() -> None:
    """Print what stragglers and losses cost 1,000 workers."""
    cases = {
        "as planned": Cluster(),
        "50 of 1,000 workers take 5 times as long": Cluster(slow_fraction=0.05),
        "10 workers lost an hour of 1,000": Cluster(losses=0.01),
        "1,000 workers lost an hour of 1,000": Cluster(losses=1.0),
        "both": Cluster(slow_fraction=0.05, losses=1.0),
    }
    print("| 10,000 partitions of 2 s, 1,000 workers | seconds | tasks run | lost | GB moved |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, cluster in cases.items():
        result = Play(cluster).run()
        assert result.total == cluster.n_partitions * (cluster.n_partitions + 1) // 2
        print(
            f"| {name} | {result.seconds:.1f} | {result.n_run:,} | {result.n_lost} | "
            f"{result.bytes_moved / 1e9:.1f} |"
        )


if __name__ == "__main__":
    main()
