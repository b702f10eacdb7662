"""A schema registry that fails, while fairstream is killed: nothing is lost, nothing is learnt twice, and conditions name the cause.

faults.py FAIRSTREAM ADULT.CSV.GZ REGISTRY.JAR [KILLS [UNKNOWN]] learns a topic with two partitions from an embedded broker, with schemas of Apicurio
behind a proxy. The registry is slow (5 s), refuses the password, does not know an id for UNKNOWN seconds (60), stops, and is started
again empty. In each of these, partition 0 has records of a new schema, partition 1 goes on, and fairstream is killed (SIGKILL); KILLS (20) in all.
"""

import contextlib
import csv
import gzip
import http.server
import io
import itertools
import json
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import fastavro
from confluent_kafka import Producer

from world import broker, free_port, output, registry, stopped, until

PROGRAM, ADULT, JAR = (os.path.abspath(path) for path in sys.argv[1:4])
KILLS = int(sys.argv[4]) if len(sys.argv) > 4 else 20
UNKNOWN = int(sys.argv[5]) if len(sys.argv) > 5 else 60
SLOW = 5
TOLD = 10  # seconds within which a condition is expected
MASK = (1 << 64) - 1


class Proxy(http.server.ThreadingHTTPServer):
    """What fairstream takes for the registry."""

    daemon_threads = True

    def __init__(self, target):
        self.target, self.mode = target, "well"
        super().__init__(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, body = self.answer()
        with contextlib.suppress(OSError):  # who asked was killed
            if status:
                self.send_response(status)
                self.end_headers()
                self.wfile.write(body)

    def answer(self):
        mode = self.server.mode
        if mode == "password":
            return 401, b'{"error_code":40101,"message":"unauthorized"}'
        if mode == "unknown":
            return 404, b'{"error_code":40403,"message":"Schema not found"}'
        if mode == "slow":
            time.sleep(SLOW)
        try:
            with urllib.request.urlopen(self.server.target + self.path, timeout=20) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            self.close_connection = True
            return 0, b""  # the connection is closed, as by a registry that is gone

    def log_message(self, *_):
        pass


def tally(partition, count):
    """The sum that fairstream's ledger has of the offsets from 0 to count: see intake.Tally."""
    total = 0
    for offset in range(count):
        x = (offset + (partition + 1) * 0x9E3779B97F4A7C15) & MASK
        x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
        total += x ^ x >> 31
    return f"{total & MASK:016x}"


class Job:
    """A topic, its schemas and the process that learns from it."""

    def __init__(self, folder, brokers, url, proxy):
        self.folder, self.url, self.proxy, self.port = folder, url, proxy, free_port()
        self.producer = Producer({"bootstrap.servers": brokers, "log_level": 2})
        self.sent, self.schemas, self.kills, self.process = [0, 0], [], 0, None
        with gzip.open(ADULT, "rt", newline="") as file:
            self.rows = itertools.cycle(list(csv.DictReader(file)))
        self.config = os.path.join(folder, "faults.yaml")
        with open(self.config, "w") as file:
            file.write(f"""job: faults
record: {{format: avro, label: {{field: income, positive: ">50K"}}}}
constraints: [{{name: sex, attribute: sex, group: Male, versus: Female, tau: 0.05}}]
kafka: {{brokers: ["{brokers}"]}}
topics: {{input: faults, model: faults.models, state: faults.state, dead_letter: faults.dlq}}
stream: {{snapshot: {{interval: 1s}}}}
server: {{address: "127.0.0.1:{self.port}"}}
registry: {{urls: ["http://127.0.0.1:{proxy.server_port}"], unknown_after: {UNKNOWN + 2}s, not_ready_after: 2s}}
""")
        output([PROGRAM, "topics", "create", "--config", self.config, "--partitions", "2"], folder)

    def schema(self):
        """Makes the next schema, which has a field more."""
        fields = [{"name": n, "type": "string"} for n in ("age", "education", "sex", "income")] + [{"name": f"new{i}", "type": "int"} for i in range(len(self.schemas))]
        self.schemas.append({"type": "record", "name": "Adult", "fields": fields})

    def register(self):
        """Registers all schemas: an empty registry gives them the same ids again."""
        for number, schema in enumerate(self.schemas, 1):
            request = urllib.request.Request(f"{self.url}/subjects/adult{number}/versions", json.dumps({"schema": json.dumps(schema)}).encode(), {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=30) as response:
                if (got := json.load(response)["id"]) != number:
                    sys.exit(f"schema {number} has the id {got}")

    def send(self, partition, number, count):
        schema = fastavro.parse_schema(self.schemas[number - 1])
        for row in itertools.islice(self.rows, count):
            record = {f["name"]: row.get(f["name"], 1) for f in schema["fields"]}
            body = io.BytesIO()
            fastavro.schemaless_writer(body, schema, record)
            self.producer.produce("faults", b"\0" + struct.pack(">I", number) + body.getvalue(), partition=partition)
        self.producer.flush()
        self.sent[partition] += count

    def start(self):
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen([PROGRAM, "run", "--config", self.config], cwd=self.folder, stdout=log, stderr=log)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.kills += 1
        self.start()

    def status(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/status", timeout=5) as response:
            return json.load(response)

    def learnt(self, count):
        return self.status()["records"]["learnt"] == count

    def waits(self, words):
        return next((c["detail"] for c in self.status()["conditions"] if c["code"] == "schema_awaited" and words in c["detail"]), None)

    def fault(self, name, words, begin, end, kills):
        """One fault, while the process is killed so many times."""
        self.send(1, 1, 50)
        until("the calm before " + name, lambda: self.learnt(sum(self.sent)))
        self.schema()
        self.register()
        begin()
        began = time.monotonic()
        before = sum(self.sent)
        self.send(0, len(self.schemas), 300)
        self.send(1, 1, 300)
        until(f"partition 1, while the registry is {name}", lambda: self.learnt(before + 300))
        detail = until(f"the condition, while the registry is {name}", lambda: self.waits(words), TOLD + SLOW)
        if "Partition 0 stands still" not in detail:
            sys.exit("the condition does not name the partition: " + detail)
        until("not to be ready", lambda: not self.status()["ready"], TOLD)
        for _ in range(kills):
            time.sleep(random.uniform(0.1, 2))
            self.kill()
        end(began)
        until("the end of " + name, lambda: self.learnt(sum(self.sent)) and self.status()["ready"], 90 + UNKNOWN)
        print(f"{name:10} {kills:2} kills, {time.monotonic() - began:5.1f} s: {detail}", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        kafka, brokers = broker(PROGRAM, folder)
        schemas, url = registry(JAR)
        proxy = Proxy(url)
        job = Job(folder, brokers, url, proxy)
        job.schema()
        job.register()
        job.send(0, 1, 300)
        job.start()
        gone = []

        def stop():
            schemas.terminate()
            schemas.wait()

        def restart(_):
            process, _ = registry(JAR, int(url.split(":")[2].split("/")[0]))
            gone.append(process)
            until("the empty registry's answer", lambda: job.waits("does not know"), 60)
            job.register()

        def mode(name):
            return lambda *_: setattr(proxy, "mode", name)

        def known_at_last(began):
            time.sleep(max(0, UNKNOWN - (time.monotonic() - began)))
            proxy.mode = "well"

        try:
            each = [KILLS // 4 + (i < KILLS % 4) for i in range(4)]
            job.fault("slow", "has not answered yet", mode("slow"), mode("well"), each[0])
            job.fault("locked", "registry.password_file", mode("password"), mode("well"), each[1])
            job.fault("ignorant", "does not know", mode("unknown"), known_at_last, each[2])
            job.fault("stopped", "does not answer", stop, restart, each[3])
        finally:
            job.process.terminate()
            job.process.wait()
            with stopped(kafka, *(gone or [schemas])):
                check(job)


def check(job):
    state = json.loads(output([PROGRAM, "state", "show", "--json", "--config", job.config], job.folder))
    snapshot = state["snapshot"]
    for partition in snapshot["partitions"]:
        number, sent = partition["partition"], job.sent[partition["partition"]]
        want = {"count": sent, "sum": tally(number, sent)}
        if partition["learnt"] != want or partition["next"] != sent or partition["rejected"]["count"]:
            sys.exit(f"{partition}; learnt is to be {want}")
    output([PROGRAM, "state", "verify", "--config", job.config], job.folder)
    print(f"{sum(job.sent)} records of {len(job.schemas)} schemas, each learnt once; {job.kills} kills")


main()
