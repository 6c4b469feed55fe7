"""What is behind an answer: its leaves, its interval, and how far two models are apart."""

from boxwood.query.answers.column_distance import ColumnDistance, column_distance
from boxwood.query.answers.interval_of import Answer
from boxwood.query.answers.leaf_contributions import LeafContribution
from boxwood.query.answers.model_distance import Distance
from boxwood.query.answers.questions import AnswerQuestions

__all__ = ["Answer", "AnswerQuestions", "ColumnDistance", "Distance", "LeafContribution", "column_distance"]
