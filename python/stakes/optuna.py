"""Optuna: stop trials that will not win.

``stakes.train(..., callbacks=[PruningCallback(trial)])`` reports every round to the trial, and stops the training
where the study prunes it.
"""

from __future__ import annotations

from typing import Any

try:
    import optuna
except ImportError as error:
    raise ImportError("stakes.optuna needs Optuna: pip install 'stakes[optuna]'") from error


class PruningCallback:
    """Reports the measured value of each round of one stage, and raises ``TrialPruned`` where the trial is pruned.

    Args:
        trial: the trial of the objective.
        stage: the stage that is reported: ``score``, or of a model in parts ``chance`` or ``size``; by default the
            first that is heard of.
    """

    def __init__(self, trial: Any, stage: str | None = None) -> None:
        self.trial, self.stage = trial, stage

    def __call__(self, event: dict[str, Any]) -> None:
        if event["event"] != "round":
            return
        self.stage = self.stage or event["stage"]
        if event["stage"] != self.stage:
            return
        self.trial.report(event["value"], step=event["round"])
        if self.trial.should_prune():
            raise optuna.TrialPruned(f"pruned after round {event['round']}: {event['measure']} {event['value']:.4g}")
