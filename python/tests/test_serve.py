"""The service of the program against its own description, by schemathesis."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import stakes


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service on a free port, with a small model."""
    folder: Path = tmp_path_factory.mktemp("serve")
    storms = stakes.generate("storms", lists=30, rows=400)
    stakes.train(storms, k=5, learner="ridge").save(str(folder / "model.json"))
    words = [sys.executable, "-m", "stakes", "serve", "model.json", "--port", "0"]
    # The package may be that of the source tree.
    environment = {**os.environ, "PYTHONPATH": str(Path(stakes.__file__).parents[1])}
    served = subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True, env=environment)
    assert served.stderr is not None
    line = ""
    while "listening on" not in line:
        line = served.stderr.readline()
        assert line, "the service ended"
    log = subprocess.Popen(["cat"], stdin=served.stderr, stdout=subprocess.DEVNULL)
    yield line.split()[-1]
    served.terminate()
    assert served.wait(timeout=60) == 0
    served.stderr.close()
    log.wait(timeout=60)


def test_the_service_keeps_to_its_description(address: str, tmp_path: Path) -> None:
    """Whatever is sent, the answer is one that /openapi.json has."""
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    checks += "response_headers_conformance,unsupported_method"
    words = [sys.executable, "-m", "schemathesis.cli", "run", f"{address}/openapi.json", "--checks", checks]
    words += ["--max-examples", "25", "--seed", "1", "--phases", "examples,coverage,fuzzing", "--no-color"]
    # It leaves a folder behind where it runs.
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
