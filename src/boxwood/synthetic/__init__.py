"""Synthetic rows judged: how like they are, how useful, and whom they give away."""

from boxwood.synthetic.report import SyntheticReport, synthetic_report

__all__ = ["SyntheticReport", "synthetic_report"]
