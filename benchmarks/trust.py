"""Can automatic choices be trusted on tables that nobody tuned on? Discrete ones, alarms, copies, rules.

Bars: on discrete tables forest and boosted density within 0.02 nats (or two paired standard errors) of the
best that is known; 3% to 7% of unseen rows flagged at a false alarm rate of 5%, an out-of-bag score within
0.05 nats, 2% or three standard errors of that of unseen rows; the same model to the byte from a table given
twice, with weights 2, w/Σw and 10⁶·w; no sample that contradicts a rule of adult's; a forest of 100 trees of
adult in 10 CPU seconds.

``--seeds 10 --splits 20`` takes the figures of the bars; fewer are quicker.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence

from ratio import data_file
from threadpoolctl import threadpool_limits
from trusted.alarms import alarm_section
from trusted.copies import copies_section
from trusted.discrete import discrete_section
from trusted.rules import rules_section


def main(arguments: Sequence[str] = ()) -> str:
    parser = argparse.ArgumentParser(description="Try automatic choices on many tables.")
    parser.add_argument("--seeds", type=int, default=10, help="of each discrete table")
    parser.add_argument("--splits", type=int, default=20, help="of each table whose alarms are counted")
    options = parser.parse_args(arguments)
    data = data_file("adult.csv.gz").parent
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        sections = [
            copies_section(),
            rules_section(data),
            discrete_section(data, options.seeds),
            alarm_section(data, options.splits),
        ]
    return "\n\n".join("\n".join(lines) for lines in sections)


if __name__ == "__main__":
    import sys

    print(main(sys.argv[1:]))
