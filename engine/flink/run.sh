#!/usr/bin/env bash
# run.sh CACHE: the tests of fairstream-engine on Flink. It brings Flink (PyPI's apache-flink-libraries, whose folder deps is a Flink without
# scripts) and Beam's job server for it (Maven) into the folder CACHE, starts a session cluster and the job server on this machine, runs the
# tests, and ends what it started. It says what it could not get.
set -eu
CACHE=$(realpath -m "$1")
cd "$(dirname "$0")"
FLINK_VERSION=1.19.3
HERE=$PWD
mkdir -p "$CACHE"
for program in java mvn python3 curl; do
	command -v $program > /dev/null || { echo "flink: $program is missing, so nothing was run"; exit 1; }
done
if [ ! -d "$CACHE/flink/deps" ]; then
	echo "flink: downloading Flink $FLINK_VERSION (230 MB) from PyPI"
	python3 -m pip download --quiet --disable-pip-version-check --no-deps -d "$CACHE" "apache-flink-libraries==$FLINK_VERSION" ||
		{ echo "flink: PyPI does not give apache-flink-libraries $FLINK_VERSION, so nothing was run"; exit 1; }
	rm -rf "$CACHE/flink" && mkdir "$CACHE/flink"
	tar xzf "$CACHE/apache-flink-libraries-$FLINK_VERSION.tar.gz" -C "$CACHE/flink" --strip-components 1
	rm "$CACHE/apache-flink-libraries-$FLINK_VERSION.tar.gz"
fi
if [ ! -d "$CACHE/jobserver" ]; then
	echo "flink: downloading Beam's job server (162 jars, 152 MB) from Maven"
	mvn -q -B -f jobserver.xml org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DincludeScope=runtime \
		-DoutputDirectory="$CACHE/jobserver.part" || { echo "flink: Maven does not give all of the job server in jobserver.xml, so nothing was run"; exit 1; }
	mv "$CACHE/jobserver.part" "$CACHE/jobserver"
fi

WORK=$(mktemp -d)
STARTED=()
end() {
	for process in "${STARTED[@]}"; do kill "$process" 2> /dev/null || true; done
	wait
	rm -rf "$WORK"
	echo "flink: $((SECONDS / 60)) min $((SECONDS % 60)) s"
}
trap end EXIT
mkdir "$WORK/conf" "$WORK/log" "$WORK/artifacts"
cp config.yaml log4j.properties "$WORK/conf/"
OPEN=()
for package in java.base/java.{lang,util,net,nio,util.concurrent,lang.reflect,text,time,io,util.concurrent.atomic,util.concurrent.locks} java.base/sun.net.util; do
	OPEN+=("--add-opens=$package=ALL-UNNAMED")
done
OPEN+=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC) # each job loads Beam's classes anew, so code is compiled over and over: quickly is best
OPEN+=(--add-exports=java.base/sun.net.util=ALL-UNNAMED --add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED "-Dlog4j.configurationFile=file:$WORK/conf/log4j.properties")
export FLINK_CONF_DIR=$WORK/conf
cd "$WORK"
java -Xmx512m "${OPEN[@]}" -cp "$CACHE/flink/deps/lib/*" org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir conf > log/jobmanager 2>&1 &
STARTED+=($!)
java -Xmx700m -XX:MaxDirectMemorySize=256m "${OPEN[@]}" -cp "$CACHE/flink/deps/lib/*" org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir conf > log/taskmanager 2>&1 &
STARTED+=($!)
java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$CACHE/jobserver/*" org.apache.beam.runners.flink.FlinkJobServerDriver --job-host=127.0.0.1 --job-port=28099 --artifact-port=28098 \
	--expansion-port=28097 --artifacts-dir="$WORK/artifacts" --flink-master=127.0.0.1:28081 > log/jobserver 2>&1 &
STARTED+=($!)
for _ in $(seq 600); do # the two JVMs of Flink took more than three minutes on a machine with a load of 19
	for process in "${STARTED[@]}"; do kill -0 "$process" 2> /dev/null || break 2; done
	if curl -fs http://127.0.0.1:28081/overview 2> /dev/null | grep -q '"taskmanagers":1' && grep -q "Job server now running" log/jobserver; then
		echo "flink: Flink $FLINK_VERSION with one task manager, and Beam's job server, are running"
		cd "$HERE/.."
		GOWORK=off FAIRSTREAM_TEST_FLINK=127.0.0.1:28099 go test -count=1 -vet=off -ldflags=-w -timeout 4h -run 'TestFlink' -v ./fairstream-engine
		exit
	fi
	sleep 1
done
echo "flink: a process of the cluster ended, or it is not up after ten minutes:"
tail -n 30 log/*
exit 1
