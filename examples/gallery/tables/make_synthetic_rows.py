"""
Make synthetic rows and judge them
==================================

Rows drawn from a fitted model look like the table's, column by column and in pairs. The data sheet says how
like, how useful, and whom they give away.
"""

import matplotlib.pyplot as plt
import numpy as np

import boxwood as bw
from boxwood.datasets import load_cars

cars = load_cars().frame
held_out = np.arange(len(cars)) % 3 == 0
train, holdout = cars[~held_out], cars[held_out]
model = bw.TableModel(random_state=0).fit(train)
drawn = model.sample(300, random_state=0)
drawn.head()

# %%
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained", sharex=True, sharey=True)
for ax, rows, title in zip(axes, (train, drawn), ("real cars", "drawn cars"), strict=True):
    for origin, part in rows.groupby("origin", observed=True):
        ax.scatter(part.weight_lb, part.mpg, s=9, label=origin)
    ax.set(xlabel="weight_lb", title=title)
axes[0].set_ylabel("mpg")
axes[0].legend(frameon=False)
plt.show()

# %%
# The sheet needs rows that the model has not seen, to know what chance makes of each figure.
sheet = bw.synthetic_report(train, drawn, holdout, target="mpg", random_state=0)
alike = sheet.fidelity.indistinguishable
print(f"a classifier tells real from drawn rows: 2·(1 − AUC) = {alike:.2f} (1 is best)")
print(f"drawn rows that copy a real one: {sheet.privacy.copies:.3f}")
print(f"an attack on membership, AUC: {sheet.privacy.membership_auc:.2f} (0.5 is best)")

# %%
# Draws under evidence keep to it:
model.given("origin == 'Japan' and year >= 1980").sample(5, random_state=1)
