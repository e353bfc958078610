# %% [markdown]
# # Which networks to harden before the next storm
# Generated storms hit the networks of a power company. Crews can work on ten networks before a storm comes;
# today the networks with the most customers are chosen.

# %%
import stakes

storms = stakes.generate("storms", lists=120, rows=6000, networks=100)
past, new = storms.hold_out(0.25)  # the latest storms are held out
print(past, new)

# %% Train, and hear whether it is worth it.
model = stakes.train(past, k=10, learner="two-part", current="customers", unit="customers")
print(model.verdict)

# %% The storms that were held out: the same question, with all the statistics.
found = stakes.evaluate(new, {"model": model, "customers": "customers"}, baseline="customers", k=10)
print(found.to_frame()[["score", "value", "low", "high"]])
print(found.comparisons[["score", "difference", "low", "high", "p"]])

# %% The list for the next storm, with reasons.
ranked = model.because(new, reasons=2, top=3)
print(ranked[["list", "rank", "id", "expected_cost", "because"]].head(6).to_string())

# %% With hours of crews instead of a number of networks.
plan = model.plan(new, budget=40)
print(plan.lists.head(3))
