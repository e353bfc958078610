"""Writes stakes/_learners.py: a typed class of scikit-learn's manners for each learner of the table.

python python/learners.py           writes it
python python/learners.py --check   says whether it is what would be written
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from stakes._workflows import learners

TARGET = Path(__file__).parent / "stakes" / "_learners.py"
HEAD = '''"""A class for each learner, made by python/learners.py from the table of learners."""

from __future__ import annotations

from typing import Any, Literal

from stakes._ranker import StakesRanker
'''
SPELT = {
    "cs": "CS",
    "cr": "CR",
    "svm": "SVM",
    "lambdamart": "LambdaMart",
    "lambdarank": "LambdaRank",
    "ranknet": "RankNet",
    "listnet": "ListNet",
    "listmle": "ListMLE",
    "rankboost": "RankBoost",
    "ranksvm": "RankSVM",
    "adarank": "AdaRank",
    "adaboost": "AdaBoost",
    "rglist": "RgList",
}
# Learners that need more than rows and costs.
LEFT_OUT = {"auto", "exact-rerank"}


def class_name(learner: str) -> str:
    """cs-mart: CSMartRanker."""
    plus = learner.replace("+", "-plus")
    return "".join(SPELT.get(part, part.capitalize()) for part in plus.split("-")) + "Ranker"


def attribute(key: str) -> str:
    """The name of a parameter in a class; one that all rankers have is told apart."""
    return "learner_metric" if key == "metric" else key.replace("-", "_")


def default(text: str) -> str:
    """A default as Python writes it."""
    for number in (int, float):
        try:
            return repr(number(text))
        except ValueError:
            continue
    return repr(text)


def hint(parameter: dict[str, Any]) -> str:
    """The type of a parameter."""
    if "one_of" in parameter:
        return f"Literal[{', '.join(repr(name) for name in parameter['one_of'])}]"
    return "float" if default(parameter["default"])[0] in "0123456789-." else "str | float"


def source(entry: dict[str, Any]) -> str:
    """The class of a learner."""
    parameters = [(attribute(p["key"]), hint(p), default(p["default"]), p) for p in entry["parameters"]]
    about = "\n".join(f"        {key}: {p['help']} ({p['allowed']})" for key, _, _, p in parameters)
    arguments = "\n".join(f"        {key}: {kind} = {value}," for key, kind, value, _ in parameters)
    assigned = "\n".join(f"        self.{key} = {key}" for key, *_ in parameters)
    return f'''

class {class_name(entry["name"])}(StakesRanker):
    """{entry["title"][0].upper() + entry["title"][1:]}. It optimises {entry["optimises"]} ({entry["citation"]}).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
{about}
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "{entry["name"]}"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
{arguments}
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
{assigned}
        self._set_extra(params)
'''


def written() -> str:
    """The whole file, as ruff formats it."""
    entries = [entry for entry in learners() if entry["name"] not in LEFT_OUT]
    names = "".join(f'    "{name}",\n' for name in sorted(class_name(entry["name"]) for entry in entries))
    text = f"{HEAD}\n__all__ = [\n{names}]\n" + "".join(source(entry) for entry in entries)
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET), "-"]
    return subprocess.run(ruff, input=text, text=True, capture_output=True, check=True).stdout


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(
            0 if TARGET.read_text() == written() else "python/stakes/_learners.py is old: run python python/learners.py"
        )
    TARGET.write_text(written())
