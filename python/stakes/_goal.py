"""What a ranking is for."""

from __future__ import annotations

from typing import Any


def goal(
    k: int | str | None = None,
    budget: float | None = None,
    cost: str | None = None,
    policy: str | None = None,
    metric: str | None = None,
) -> dict[str, Any]:
    """The goal as the library takes it."""
    if isinstance(k, bool) or (isinstance(k, (int, float)) and (k != int(k) or k < 1)):
        raise ValueError(f"k is {k}; it must be a whole number from 1 on, or a share such as '10%'")
    text = None if k is None else str(int(k)) if isinstance(k, (int, float)) else str(k)
    return {"k": text, "budget": budget, "cost": cost, "policy": policy, "metric": metric}
