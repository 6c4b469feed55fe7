"""
Ask in SQL
==========

A model becomes functions of a DuckDB connection: probabilities, log-densities, surprises and simulated
rows, in the middle of a query.
"""

import duckdb
import matplotlib.pyplot as plt

import boxwood as bw
from boxwood.datasets import load_census

census = load_census().frame
model = bw.TableModel(bw.DensityForest(50, random_state=0)).fit(census)
con = duckdb.connect()
con.register("census", census)
model.register(con, "m")

# %%
con.execute("SELECT m_prob('income == ''>50K''', given := 'education == ''Bachelors''') AS p").df()

# %%
# The oddest people by occupation:
con.execute("""
    SELECT occupation, count(*) AS n, round(avg(m_logp(census)), 1) AS mean_log_density
    FROM census GROUP BY occupation ORDER BY mean_log_density LIMIT 5
""").df()

# %%
# Simulated rows beside real ones:
con.execute("""
    SELECT 'real' AS kind, avg(age) AS age, avg(hours_per_week) AS hours FROM census
    UNION ALL SELECT 'drawn', avg(age), avg(hours_per_week) FROM m_sample(2000, seed := 0)
""").df()

# %%
# And their ages, counted by the database:
ages = con.execute("""
    WITH people AS (
        SELECT 'real' AS kind, age FROM census
        UNION ALL SELECT 'drawn', age FROM m_sample(2000, seed := 0)
    )
    SELECT kind, age // 5 * 5 AS five, count(*) / sum(count(*)) OVER (PARTITION BY kind) AS fraction
    FROM people GROUP BY kind, five ORDER BY five
""").df()
figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for kind, part in ages.groupby("kind"):
    ax.plot(part.five, part.fraction, marker="o", label=kind)
ax.set(xlabel="age, in fives of years", ylabel="fraction of the rows")
ax.legend(frameon=False)
plt.show()
