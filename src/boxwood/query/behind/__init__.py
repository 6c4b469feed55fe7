"""What is behind an answer: its leaves, its interval, and how far two models are apart."""

from boxwood.query.behind.column_distance import ColumnDistance, column_distance
from boxwood.query.behind.interval_of import ProbabilityInterval
from boxwood.query.behind.leaf_contributions import LeafContribution
from boxwood.query.behind.model_distance import Distance
from boxwood.query.behind.questions import AnswerQuestions

__all__ = [
    "AnswerQuestions",
    "ColumnDistance",
    "Distance",
    "LeafContribution",
    "ProbabilityInterval",
    "column_distance",
]
