"""All peers, in the order of the document, and which of them a data set has."""

import calm_peers
import catboost_peers
import lightgbm_peers
import simple_peers
import xgboost_peers
from ours import OURS

PEERS = [
    *lightgbm_peers.PEERS,
    *calm_peers.PEERS,
    *xgboost_peers.PEERS,
    *catboost_peers.PEERS,
    *simple_peers.PEERS,
]
CALM = [peer.name for peer in calm_peers.PEERS]
GROUPS = {"calm": CALM, "ours": [name for name, *_ in OURS]}


def expanded(text):
    """Names with commas, or none; `calm` and `ours` stand for many."""
    return [name for word in filter(None, text.split(",")) for name in GROUPS.get(word, [word])]


def peers_of(dataset):
    """On a set for development nothing is claimed: what need not be tuned is enough there."""
    if dataset["part"] == "development":
        return [peer for peer in PEERS if peer.name in [*CALM, "single-feature"]]
    return [peer for peer in PEERS if dataset["name"] not in peer.left_out]
