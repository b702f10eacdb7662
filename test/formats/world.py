"""An embedded broker and a real Apicurio for the programs of this folder."""

import contextlib
import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def until(what, done, seconds=90):
    """Waits until done() is true, and gives what it gave. An OSError, such as a connection that is refused, is not yet."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if answer := done():
                return answer
        time.sleep(0.1)
    sys.exit(f"waited {seconds} s for {what}")


def broker(program, folder):
    """The process of an embedded broker, and its address."""
    port = free_port()
    process = subprocess.Popen([program, "broker", "--port", str(port), "--data", os.path.join(folder, "broker")], cwd=folder, stdout=subprocess.DEVNULL)
    until("the broker", lambda: socket.create_connection(("127.0.0.1", port), 1).close() or True)
    return process, f"127.0.0.1:{port}"


def registry(jar, port=None):
    """The process of an Apicurio that keeps its schemas in memory, and the address of Confluent's API."""
    port = port or free_port()
    process = subprocess.Popen(["java", "-Xmx300m", f"-Dquarkus.http.port={port}", "-jar", jar], cwd=os.path.dirname(jar), stdout=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}/apis/ccompat/v7"
    until("Apicurio", lambda: urllib.request.urlopen(url + "/subjects", timeout=5).close() or True)
    return process, url


class WithGUIDs(http.server.ThreadingHTTPServer):
    """A registry that gives its schemas GUIDs, as Confluent's does since 8.0 and Apicurio 2 does not: the rest is the target's answer."""

    daemon_threads = True

    def __init__(self, target):
        self.target, self.ids = target, {}
        super().__init__(("127.0.0.1", 0), Named)
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Named(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
        _, _, guid = self.path.partition("/schemas/guids/")
        path = f"/schemas/ids/{self.server.ids[guid.split('?')[0]]}" if guid else self.path
        request = urllib.request.Request(self.server.target + path, body, {"Content-Type": "application/json"}, method=self.command)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                status, content = response.status, json.load(response)
        except urllib.error.HTTPError as error:
            status, content = error.code, json.load(error)
        if isinstance(content, dict) and "id" in content:
            content["guid"] = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.server.target}/{content['id']}"))
            self.server.ids[content["guid"]] = content["id"]
        text = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def stopped(*processes):
    """Stops processes in the end."""
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()


def output(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout
