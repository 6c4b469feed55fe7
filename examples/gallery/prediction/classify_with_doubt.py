"""
Classify with doubt
===================

A density for each species: probabilities where species overlap, and p-values that know a stranger.
"""

import matplotlib.pyplot as plt

import boxwood as bw
from boxwood.datasets import load_penguins

X, species = load_penguins(return_X_y=True)
bills = X[["bill_length_mm", "bill_depth_mm"]]
model = bw.BayesClassifier(bw.DensityForest(random_state=0)).fit(bills, species)

# %%
figure, ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
bw.DecisionRegionDisplay.from_estimator(model, bills, species, ax=ax)
plt.show()

# %%
# A bill of 75 mm: the classifier leans to a species, and knows that no penguin of it looks like this.
stranger = bills[:1].assign(bill_length_mm=75.0)
print(
    model.predict(stranger), model.predict_proba(stranger).max().round(2), model.p_values(stranger).round(3)
)

# %%
# Which penguins should a person look at? Those whose two likeliest species are closest.
X.loc[bw.query_most_uncertain(model, bills, 5, strategy="margin")].assign(species=species)
