#!/usr/bin/env bash
# One Apache Kafka broker (no Docker) on 127.0.0.1, for tests and benchmarks. Its controller is itself (KRaft), or a ZooKeeper
# on CONTROLLER_PORT with Kafka 2, whose KRaft has no transactions.
#
#   broker.sh jars                                          bring the jars; prints their directory
#   broker.sh start DIR PORT CONTROLLER_PORT [PROPERTIES]   start in the background; prints host:port once it is ready
#   broker.sh run   DIR PORT CONTROLLER_PORT [PROPERTIES]   the same, and stop when standard input ends
#   broker.sh stop  DIR                                     TERM, and KILL after 20 s
#
# DIR holds data, log and process id; a second start on it goes on with the data. PROPERTIES is a file appended to
# server.properties, where the last of two equal keys wins. The very first start is a rehearsal as well, which leaves an archive of
# Kafka's classes beside the jars: from then on a start takes a third of the processor time. Environment:
#
#   FAIRSTREAM_TEST_CACHE  where the jars are kept (default: .cache of the repository, which git ignores)
#   KAFKA_VERSION          of Apache Kafka, from 2.8 on (default: that of pom.xml)
#   BROKER_FORMAT_OPTIONS  further options of StorageTool's format, as --add-scram NAME
#   BROKER_CLUSTER_ID      the same for all brokers of a cluster (default: a new one)
#   BROKER_JVM_OPTIONS     default: -Xms512m -Xmx512m -XX:+UseSerialGC
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${FAIRSTREAM_TEST_CACHE:-$here/../../.cache}
jvm=${BROKER_JVM_OPTIONS:--Xms512m -Xmx512m -XX:+UseSerialGC}

fail() {
  echo "broker.sh: $*" >&2
  exit 1
}

# The directory is named after the pom, and appears whole or not at all: two tests may bring the jars at once.
jars() {
  local sum directory temporary
  command -v java >/dev/null || fail "no java: install a Java runtime, version 17 or newer"
  sum=$(cksum <"$here/pom.xml" | cut -d' ' -f1)
  directory=$cache/kafka-$sum${KAFKA_VERSION:+-$KAFKA_VERSION}
  if [ ! -d "$directory" ]; then
    command -v mvn >/dev/null || fail "no mvn: install Maven, or put Kafka's jars into $directory"
    mkdir -p "$cache"
    temporary=$(mktemp -d "$cache/kafka-partial.XXXXXX")
    if ! mvn -B -q -f "$here/pom.xml" dependency:copy-dependencies ${KAFKA_VERSION:+-Dkafka.version=$KAFKA_VERSION} -DincludeScope=runtime \
      -DoutputDirectory="$temporary" >"$temporary.log" 2>&1; then
      cat "$temporary.log" >&2
      rm -rf "$temporary" "$temporary.log"
      fail "Maven could not bring Kafka's jars"
    fi
    rm -f "$temporary.log"
    if [ -d "$directory" ]; then rm -rf "$temporary"; else mv "$temporary" "$directory"; fi
  fi
  (cd "$directory" && pwd -P) # the archive of classes knows the jars by this path
}

# Runs a broker and ends it in good order, so that the JVM writes down the classes that it loaded: Java's class data sharing, which
# another Java ignores. The archive appears whole or not at all, and a broker starts without it, too.
rehearse() {
  local libs=$1 port=$2 controller=$3 scratch
  scratch=$(mktemp -d)
  if (unset BROKER_CLUSTER_ID BROKER_FORMAT_OPTIONS && jvm="$jvm -XX:ArchiveClassesAtExit=$scratch/classes.jsa" &&
    launch "$libs" "$scratch" "$port" "$controller" && kill -TERM "$(cat "$scratch/pid")" && wait) >"$scratch/rehearsal" 2>&1 && [ -s "$scratch/classes.jsa" ]; then
    mv "$scratch/classes.jsa" "$libs/classes-partial.$$" && mv "$libs/classes-partial.$$" "$libs/classes.jsa"
  else # it cannot be had here, and is not tried again; what another test has made is in use, and stays
    (set -o noclobber && : >"$libs/classes.jsa") 2>/dev/null || true
  fi
  rm -rf "$scratch"
}

properties() {
  local port=$1 controller=$2
  cat <<END
node.id=1
process.roles=broker,controller
controller.quorum.voters=1@127.0.0.1:$controller
listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$controller
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=$directory/data
auto.create.topics.enable=false
default.replication.factor=1
min.insync.replicas=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
share.coordinator.state.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
log.cleaner.dedupe.buffer.size=33554432
# A test does not wait for the defaults: 30 s to the first cleaning, 9 s to a dead broker. With less than 5 s a broker on a busy machine
# counts as dead while it waits for a processor.
log.initial.task.delay.ms=500
log.cleaner.backoff.ms=300
broker.session.timeout.ms=5000
broker.heartbeat.interval.ms=300
initial.broker.registration.timeout.ms=300000
END
}

# What differs with ZooKeeper, after all other properties.
zookeeper_properties() {
  cat <<END
broker.id=1
zookeeper.connect=127.0.0.1:$1
zookeeper.session.timeout.ms=1500
END
  sed -n 's/,CONTROLLER:\/\/[0-9.:]*//; /^listeners=/p; s/CONTROLLER:PLAINTEXT,//; s/,CONTROLLER:PLAINTEXT//; /^listener.security.protocol.map=/p' "$directory/server.properties"
  if grep -q ^authorizer "$directory/server.properties"; then echo authorizer.class.name=kafka.security.authorizer.AclAuthorizer; fi
  # Kafka 2 reads a key in PEM only if it is encrypted.
  local keystore
  keystore=$(sed -n 's/^ssl.keystore.location=//p' "$directory/server.properties" | tail -n 1)
  if [ -n "$keystore" ]; then
    openssl pkcs12 -export -in "$keystore" -out "$directory/server.p12" -passout pass:keystore
    printf 'ssl.keystore.type=PKCS12\nssl.keystore.location=%s\nssl.keystore.password=keystore\nssl.key.password=keystore\n' "$directory/server.p12"
  fi
}

# Starts ZooKeeper on a port, and stores the users of SCRAM, as the storage of KRaft is formatted with them.
zookeeper() {
  local port=$1 user
  running "$(cat "$directory/zookeeper.pid" 2>/dev/null)" && return
  printf 'tickTime=500\nclientPort=%s\nclientPortAddress=127.0.0.1\ndataDir=%s\nadmin.enableServer=false\n' "$port" "$directory/zookeeper" >"$directory/zookeeper.properties"
  "${java[@]}" -Xmx128m org.apache.zookeeper.server.ZooKeeperServerMain "$directory/zookeeper.properties" >"$directory/zookeeper.log" 2>&1 </dev/null &
  echo $! >"$directory/zookeeper.pid"
  for user in $(grep -o 'SCRAM[^ ]*' <<<"${BROKER_FORMAT_OPTIONS:-}"); do
    "${java[@]}" kafka.admin.ConfigCommand --zookeeper "127.0.0.1:$port" --alter --entity-type users \
      --entity-name "$(sed 's/.*name=//; s/,.*//' <<<"$user")" --add-config "$(sed 's/name=[^,]*,//' <<<"$user")" >>"$directory/format.log" 2>&1 ||
      { cat "$directory/format.log" >&2 && end "$directory/zookeeper.pid" && fail "the users of SCRAM could not be stored"; }
  done
}

logging() {
  cat <<END
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d %p %m (%c)%n
rootLogger.level=WARN
rootLogger.appenderRef.console.ref=console
# The lines that say that the broker is ready.
logger.ready.name=kafka.server.KafkaRaftServer
logger.ready.level=INFO
logger.started.name=kafka.server.KafkaServer
logger.started.level=INFO
END
}

running() {
  # A zombie still answers kill -0.
  [ -n "$1" ] && [[ $(ps -o stat= -p "$1" 2>/dev/null) == [^Z]* ]]
}

start() {
  [ $# -ge 3 ] || fail "start and run need DIR PORT CONTROLLER_PORT"
  local libs
  libs=$(jars)
  if [ -f "$1/pid" ] && running "$(cat "$1/pid")"; then
    fail "$1: a broker is running already"
  fi
  [ -e "$libs/classes.jsa" ] || [ ! -w "$libs" ] || [[ ${KAFKA_VERSION:-} == 2.* ]] || rehearse "$libs" "$2" "$3"
  launch "$libs" "$@"
}

launch() {
  local libs=$1 port=$3 controller=$4 extra=${5:-}
  mkdir -p "$2"
  directory=$(cd "$2" && pwd)
  properties "$port" "$controller" >"$directory/server.properties"
  [ -z "$extra" ] || cat "$extra" >>"$directory/server.properties"
  logging >"$directory/log4j2.properties"
  local java=(java -cp "$libs/*" "-Dlog4j2.configurationFile=$directory/log4j2.properties")
  [ ! -s "$libs/classes.jsa" ] || java+=("-XX:SharedArchiveFile=$libs/classes.jsa" -Xlog:cds=off -Xlog:cds+dynamic=off)
  if [[ ${KAFKA_VERSION:-} == 2.* ]]; then
    zookeeper_properties "$controller" >"$directory/zookeeper-mode"
    sed -i '/^process.roles=/d; /^controller[.]/d; /^node.id=/d' "$directory/server.properties"
    cat "$directory/zookeeper-mode" >>"$directory/server.properties"
    zookeeper "$controller"
  elif [ ! -d "$directory/data" ]; then
    # shellcheck disable=SC2086 # options are words
    "${java[@]}" -XX:TieredStopAtLevel=1 kafka.tools.StorageTool format -t "${BROKER_CLUSTER_ID:-$(random_id)}" \
      -c "$directory/server.properties" ${BROKER_FORMAT_OPTIONS:-} >"$directory/format.log" 2>&1 ||
      { cat "$directory/format.log" >&2 && fail "the storage could not be formatted"; }
  fi
  # shellcheck disable=SC2086
  "${java[@]}" $jvm kafka.Kafka "$directory/server.properties" >"$directory/log" 2>&1 </dev/null &
  local pid=$!
  echo "$pid" >"$directory/pid"
  for _ in $(seq 1500); do
    if grep -qE "Kafka Server started|KafkaServer id=1\] started" "$directory/log"; then
      echo "127.0.0.1:$port"
      return
    fi
    running "$pid" || { report "$directory/log" && end "$directory/zookeeper.pid" && fail "the broker ended before it was ready"; }
    sleep 0.2
  done
  kill -KILL "$pid"
  end "$directory/zookeeper.pid"
  fail "the broker was not ready after five minutes; see $directory/log"
}

# Says why a broker ended: the end of its log, and a port that was taken, wherever that stands; the tests then try other ports.
report() {
  tail -n 20 "$1" >&2
  grep -m 1 -o "Address already in use" "$1" >&2 || true
}

# An id as Kafka's Uuid prints it: 16 random bytes in the alphabet of URLs, and the first is no dash, which would be an option.
random_id() {
  echo "A$(head -c 16 /dev/urandom | base64 | tr '+/' '-_' | cut -c 2-22)"
}

stop() {
  end "$1/pid"
  end "$1/zookeeper.pid"
}

# Ends the process whose id is in a file.
end() {
  local pid
  pid=$(cat "$1" 2>/dev/null) || return 0
  kill -TERM "$pid" 2>/dev/null || return 0
  for _ in $(seq 200); do
    running "$pid" || return 0
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null || true
}

case ${1:-} in
jars) jars ;;
start) start "${@:2}" ;;
run)
  start "${@:2}"
  cat >/dev/null # until whoever started us ends, however it ends
  stop "$2"
  ;;
stop)
  [ $# -eq 2 ] || fail "stop needs DIR"
  stop "$2"
  ;;
*) fail "say jars, start, run or stop; the head of the file explains" ;;
esac
