"""
Calibrated probabilities
========================

Thirteen columns of a census say much the same thing several times over, and Bayes' rule counts it each
time. The classifier weighs its densities down so that probabilities hold.
"""

import matplotlib.pyplot as plt
from sklearn.calibration import CalibrationDisplay
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

import boxwood as bw
from boxwood.datasets import load_census

X, income = load_census(return_X_y=True)
train, new, known, truth = train_test_split(X, income == ">50K", random_state=0, train_size=0.5)
forest = bw.DensityForest(30, random_state=0)
figure, ax = plt.subplots(figsize=(4.8, 4.4), layout="constrained")
for name, calibrate in (("as they are", False), ("calibrated", True)):
    model = bw.BayesClassifier(forest, calibrate=calibrate).fit(train, known)
    CalibrationDisplay.from_estimator(model, new, truth, n_bins=8, strategy="quantile", name=name, ax=ax)
    print(f"{name}: log-loss {log_loss(truth, model.predict_proba(new)[:, 1]):.3f}")
plt.show()

# %%
print(f"each density counts with the exponent {model.calibration_.exponent:.2f}")
