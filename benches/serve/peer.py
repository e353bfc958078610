"""The peer of the load test: LightGBM behind FastAPI, as one would write it for speed.

Rows are read by orjson, scored by one thread for few rows and all for many, and ranked; uvicorn has uvloop and
httptools and a process per core. Started by load.py.
"""

import os

import lightgbm
import numpy as np
import orjson
from fastapi import FastAPI, Request, Response

BOOSTER = lightgbm.Booster(model_file=os.environ["PEER_MODEL"])
NAMES = BOOSTER.feature_name()
FEW = 64

app = FastAPI()


@app.get("/v1/health")
def health() -> dict[str, str]:
    """Whether it answers."""
    return {"status": "ready"}


@app.post("/v1/rank")
async def rank(request: Request) -> Response:
    """The rows in order, with their scores."""
    rows = orjson.loads(await request.body())
    matrix = np.array([[row[name] for name in NAMES] for row in rows], dtype=np.float64)
    scores = BOOSTER.predict(matrix, num_threads=1 if len(rows) <= FEW else 0)
    order = np.argsort(-scores, kind="stable")
    ranked = [{"rank": i + 1, "id": rows[at]["network"], "score": float(scores[at])} for i, at in enumerate(order)]
    return Response(orjson.dumps(ranked), media_type="application/json")
