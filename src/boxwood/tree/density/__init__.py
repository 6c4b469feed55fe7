"""Density trees and forests: growth, pruning, the trees in words."""
