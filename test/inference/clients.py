"""Asks `fairstream serve` for decisions with clients of the Open Inference Protocol that the project did not write.

    fairstream replay --input adult --save weights.json
    python clients.py FAIRSTREAM weights.json

Decisions are compared with those of `fairstream score` on the same records, bit for bit.
"""
import contextlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import tritonclient.http as triton
from open_inference.openapi.client import InferenceRequest, OpenInferenceClient
from open_inference.openapi.core.api_error import ApiError
from open_inference.openapi.errors.bad_request_error import BadRequestError
from tritonclient.utils import InferenceServerException

NUMBERS = ("age", "education_num", "hours_per_week")
TEXTS = ("workclass", "education", "occupation", "sex")
RECORDS = [
    {"age": 39, "education_num": 13, "hours_per_week": 40, "workclass": "State-gov", "education": "Bachelors", "occupation": "Adm-clerical", "sex": "Male"},
    {"age": 1e308, "education_num": -0.0, "hours_per_week": None, "workclass": "ü \u2028", "education": None, "occupation": "never seen", "sex": "Female"},
    {"age": 52.5, "education_num": None, "hours_per_week": 99, "workclass": None, "education": "HS-grad", "occupation": "Sales", "sex": None},
]


def number(value):
    return float("nan") if value is None else value


def text(value):
    return "" if value is None else value


def expected(program, weights):
    """The margins and decisions of fairstream score."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(r) + "\n" for r in RECORDS)
        file.flush()
        lines = subprocess.run([program, "score", "--model", weights, "--input", file.name, "--json"], check=True, capture_output=True, text=True).stdout
    rows = [json.loads(line) for line in lines.splitlines()]
    return [r["margin"] for r in rows], [r["decision"] for r in rows]


def refused(error, ask):
    try:
        ask()
    except error:
        return
    raise AssertionError(f"not refused with {error.__name__}")


def with_triton(address, model, version, margins, decisions):
    client = triton.InferenceServerClient(address)
    assert client.is_server_live() and client.is_server_ready()
    assert client.is_model_ready(model) and client.is_model_ready(model, version) and not client.is_model_ready("another")
    assert "binary_tensor_data" in client.get_server_metadata()["extensions"]
    inputs = {i["name"]: i["datatype"] for i in client.get_model_metadata(model)["inputs"]}
    assert inputs["age"] == "FP64" and inputs["workclass"] == "BYTES", inputs
    for binary in (True, False):
        tensors = []
        for name in NUMBERS:
            tensors.append(triton.InferInput(name, [len(RECORDS), 1], "FP64"))
            tensors[-1].set_data_from_numpy(numpy.array([[number(r[name])] for r in RECORDS]), binary_data=binary)
        for name in TEXTS:
            tensors.append(triton.InferInput(name, [len(RECORDS)], "BYTES"))
            tensors[-1].set_data_from_numpy(numpy.array([text(r[name]).encode() for r in RECORDS], dtype=numpy.object_), binary_data=binary)
        for outputs in (None, [triton.InferRequestedOutput(n, binary_data=binary) for n in ("margin", "decision", "alias")]):
            answer = client.infer(model, tensors, outputs=outputs, request_id="r 1")
            assert answer.as_numpy("margin").tolist() == margins, answer.as_numpy("margin")
            assert answer.as_numpy("decision").tolist() == decisions
            assert [a.decode() if isinstance(a, bytes) else a for a in answer.as_numpy("alias")] == ["file"] * len(RECORDS)
            assert answer.get_response()["id"] == "r 1"
    few = triton.InferInput("age", [1], "FP64")
    few.set_data_from_numpy(numpy.array([39.0]))
    refused(InferenceServerException, lambda: client.infer("another", [few]))
    refused(InferenceServerException, lambda: client.infer(model, [few], model_version="1"))
    unknown = triton.InferInput("nobody", [1], "FP64")
    unknown.set_data_from_numpy(numpy.array([39.0]))
    refused(InferenceServerException, lambda: client.infer(model, [unknown]))
    refused(InferenceServerException, lambda: client.infer(model, [few], outputs=[triton.InferRequestedOutput("nothing")]))
    wrong = triton.InferInput("workclass", [1], "FP64")
    wrong.set_data_from_numpy(numpy.array([39.0]))
    refused(InferenceServerException, lambda: client.infer(model, [few, wrong]))
    longer = triton.InferInput("education_num", [2], "FP64")
    longer.set_data_from_numpy(numpy.array([1.0, 2.0]))
    refused(InferenceServerException, lambda: client.infer(model, [few, longer]))


def with_openapi(address, model, version, margins, decisions):
    client = OpenInferenceClient(base_url="http://" + address)
    client.check_server_liveness()
    client.check_server_readiness()
    client.check_model_readiness(model)
    client.check_model_version_readiness(model, version)
    assert client.read_server_metadata().name == "fairstream"
    assert client.read_model_metadata(model).versions == [version]
    first = RECORDS[0]  # this client makes a number of each text that looks like one
    inputs = [{"name": n, "shape": [1], "datatype": "FP64", "data": [float(first[n])]} for n in NUMBERS]
    inputs += [{"name": n, "shape": [1, 1], "datatype": "BYTES", "data": [[first[n]]]} for n in TEXTS]
    answer = client.model_infer(model, request=InferenceRequest(inputs=inputs))
    outputs = {o.name: o.data.dict()["__root__"] for o in answer.outputs}
    assert outputs["margin"] == margins[:1], outputs["margin"]
    assert outputs["decision"] == decisions[:1]
    refused(ApiError, lambda: client.read_model_metadata("another"))
    refused(BadRequestError, lambda: client.model_infer(model, request=InferenceRequest(inputs=[{"name": "nobody", "shape": [1], "datatype": "FP64", "data": [1.0]}])))
    refused(BadRequestError, lambda: client.model_infer(model, request=InferenceRequest(inputs=[{"name": "age", "shape": [2], "datatype": "FP64", "data": [1.0]}])))


def with_requests(address):
    """The client that docs/serving.md shows."""
    page = (pathlib.Path(__file__).parents[2] / "docs/serving.md").read_text()
    (client,) = re.findall("```python\n(import requests.*?)```", page, re.DOTALL)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(client.replace("127.0.0.1:8470", address), {})
    name, decision = shown.getvalue().split()
    assert name == "A7" and decision in ("0", "1"), shown.getvalue()


def main(program, weights):
    margins, decisions = expected(program, weights)
    with open(weights) as file:
        document = json.load(file)
    server = subprocess.Popen([program, "serve", "--model", weights, "--address", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    try:
        address = json.loads(server.stderr.readline())["url"].split("/")[2]
        model, version = document["job"], str(document["version"])
        with_triton(address, model, version, margins, decisions)
        with_openapi(address, model, version, margins, decisions)
        with_requests(address)
    finally:
        server.terminate()
        server.wait()
    print(f"tritonclient and open-inference-openapi: {len(RECORDS)} records by JSON and by bytes, metadata and errors, as fairstream score decides")


if __name__ == "__main__":
    main(*sys.argv[1:])
