"""All peers, in the order of the document."""

import calm_peers
import catboost_peers
import lightgbm_peers
import simple_peers
import xgboost_peers

PEERS = [*lightgbm_peers.PEERS, *calm_peers.PEERS, *xgboost_peers.PEERS, *catboost_peers.PEERS, *simple_peers.PEERS]
