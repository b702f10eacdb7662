"""An embedded broker and a real Apicurio for the programs of this folder."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request


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
