#!/bin/sh
# Learns from the bundled records, holds out every fifth. fairstream has to be on PATH.
set -eu
cd "$(dirname "$0")"
fairstream check --config config.yaml --input adult
fairstream replay --config config.yaml --input adult
