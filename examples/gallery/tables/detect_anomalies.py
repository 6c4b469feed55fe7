"""
Detect anomalies at a known rate of false alarms
================================================

:class:`boxwood.AnomalyDetector` gives p-values: of ordinary rows that it has not seen, five in a hundred
lie below 0.05, whatever the table. Here one class of tumours is ordinary and the other is not.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score

import boxwood as bw

X, benign = load_breast_cancer(return_X_y=True, as_frame=True)
ordinary, odd = X[benign == 1], X[benign == 0]
train, new = ordinary[::2], ordinary[1::2]
detector = bw.AnomalyDetector(random_state=0).fit(train)

# %%
# New benign tumours have p-values like a uniform's; malignant ones have small ones.
figure, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
bins = np.linspace(0, 1, 21)
ax.hist(detector.p_values(new), bins, density=True, alpha=0.6, label="benign, not seen in training")
ax.hist(detector.p_values(odd), bins, density=True, alpha=0.6, label="malignant, never seen")
ax.set(xlabel="p-value", ylabel="density")
ax.legend(frameon=False)
plt.show()

# %%
print(f"false alarms: {np.mean(detector.predict(new) == -1):.2f} of benign ones")
print(f"found: {np.mean(detector.predict(odd) == -1):.2f} of malignant ones")
both = np.concatenate([detector.score_samples(odd), detector.score_samples(new)])
print(f"AUC {roc_auc_score(np.r_[np.zeros(len(odd)), np.ones(len(new))], both):.3f}")

# %%
# Which measure gives the first malignant tumour away?
detector.explain(odd[:1]).iloc[0].sort_values(ascending=False).head(4)
