#!/bin/sh
# Runs the example on an embedded broker. fairstream has to be on PATH; PORT is the broker's port.
set -eu
cd "$(dirname "$0")"
port=${PORT:-19092}
data=$(mktemp -d)
fairstream broker --port "$port" --data "$data" > "$data/log" 2>&1 &
broker=$!
trap 'kill "$broker"; wait "$broker" || true; rm -rf "$data"' EXIT
job() { command=$1; shift; fairstream $command --config config.yaml --set "kafka.brokers=[\"127.0.0.1:$port\"]" "$@"; }

job "topics create"
job produce --input applications.jsonl   # on the day of the application
job produce --input outcomes.jsonl       # months later
job run --until-end --set server.address=
job "models show"
