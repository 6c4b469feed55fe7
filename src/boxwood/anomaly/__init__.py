"""Anomalies: rows that are unlike the others, by neighbours, density trees and isolation on one scale."""

from boxwood.anomaly.detector import AnomalyDetector

__all__ = ["AnomalyDetector"]
