#!/usr/bin/env bash
# run.sh CACHE: the tests of fairstream-engine on an S3 service. It builds versitygw, which serves a folder as S3, into CACHE, starts it on the
# loopback interface, runs the tests, and ends it. It says what it could not get.
set -eu
CACHE=$(realpath -m "$1")
cd "$(dirname "$0")/.."
VERSION=v1.8.0
PORT=27070
GATEWAY=$CACHE/versitygw-$VERSION
mkdir -p "$CACHE"
if [ ! -x "$GATEWAY" ]; then
	echo "s3: building versitygw $VERSION, which takes some minutes"
	GOWORK=off GOBIN=$CACHE go install -trimpath -ldflags=-w "github.com/versity/versitygw/cmd/versitygw@$VERSION" ||
		{ echo "s3: the module proxy does not give all of versitygw $VERSION, so nothing was run"; exit 1; }
	mv "$CACHE/versitygw" "$GATEWAY"
fi

WORK=$(mktemp -d)
STARTED=
end() {
	[ -z "$STARTED" ] || kill "$STARTED" 2> /dev/null || true
	rm -rf "$WORK"
}
trap end EXIT
mkdir "$WORK/buckets" "$WORK/buckets/bucket" "$WORK/metadata"
export AWS_ACCESS_KEY_ID=user AWS_SECRET_ACCESS_KEY=secret AWS_REGION=us-east-1 AWS_ENDPOINT_URL=http://127.0.0.1:$PORT AWS_EC2_METADATA_DISABLED=true
"$GATEWAY" --access "$AWS_ACCESS_KEY_ID" --secret "$AWS_SECRET_ACCESS_KEY" --port "127.0.0.1:$PORT" posix --sidecar "$WORK/metadata" "$WORK/buckets" > "$WORK/log" 2>&1 &
STARTED=$!
for _ in $(seq 60); do
	if curl -s -o "$WORK/answer" "$AWS_ENDPOINT_URL/"; then
		echo "s3: versitygw $VERSION is running"
		GOWORK=off FAIRSTREAM_TEST_S3=s3://bucket go test -trimpath -count=1 -vet=off -ldflags=-w -timeout 30m -run TestS3 -v ./fairstream-engine
		exit
	fi
	sleep 1
done
echo "s3: versitygw does not answer after a minute:"
tail -n 20 "$WORK/log"
exit 1
