"""One peer on one fold: the same number of configurations for every peer, chosen by the goal.

Each configuration learns from three quarters of the training lists and is judged on the others
(MQ2008: on its validation lists), which also tell the number of rounds. The best one for each
goal then learns from all training lists with those rounds, and scores the test items.
"""

import time

from goal import Goal, Judge


def tune(peer, fold, goals, budget):
    """What is kept of it: scores of the test items and what was chosen, by goal, and the processor
    seconds of all of it, reading files and scoring apart."""
    started = time.process_time()
    judges = {goal: Judge(Goal(goal), fold.choose) for goal in goals}
    together = [[goal] for goal in goals] if peer.per_goal else [goals]
    chosen = {}
    for config in peer.configurations(min(budget, peer.most_configurations(fold.learn))):
        for some in together:
            found = peer.search(config, fold.learn, fold.choose, {goal: judges[goal] for goal in some})
            for goal, (figure, rounds) in found.items():
                if goal not in chosen or figure > chosen[goal]["figure"]:
                    chosen[goal] = {"figure": figure, "rounds": rounds, "config": config}
    seconds = time.process_time() - started
    scores, models = {}, {}
    for some in together:
        for goal in some:
            key = str((chosen[goal]["config"], chosen[goal]["rounds"], some))
            if key not in models:
                started = time.process_time()
                models[key] = peer.fit(chosen[goal]["config"], fold.refit, chosen[goal]["rounds"], some)
                seconds += time.process_time() - started
            scores[goal] = models[key](fold.test)
    return {"scores": scores, "chosen": chosen, "seconds": seconds}

