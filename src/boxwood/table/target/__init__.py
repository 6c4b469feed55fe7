"""The distribution of one column given the others, by forests that are grown for it."""

from boxwood.table.target.bin_laws import BinLaws
from boxwood.table.target.class_target import ClassTarget
from boxwood.table.target.number_target import NumberTarget

__all__ = ["BinLaws", "ClassTarget", "NumberTarget"]
