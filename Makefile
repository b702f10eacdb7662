# make test is all that a change has to pass. Tools are built from source, at the versions given here,
# into .cache/bin.

GO                    ?= go
GOLANGCI_LINT_VERSION := v2.15.0
GOLANGCI_LINT         := .cache/bin/golangci-lint-$(GOLANGCI_LINT_VERSION)
HELM_VERSION          := v3.22.0
HELM                  := .cache/bin/helm-$(HELM_VERSION)
GOVULNCHECK_VERSION   := v1.9.0
GOVULNCHECK           := .cache/bin/govulncheck-$(GOVULNCHECK_VERSION)
FUZZTIME              ?= 30s

# As releases are built, so is what is tested: without C. The race detector alone needs it.
export CGO_ENABLED    := 0

# The modules of go.work: the product, the studies, and the tests that need more than the product requires.
MODULES               := . bench test/integration test/page examples/library/learn examples/library/follow
PACKAGES              := ./... ./bench/... ./test/integration/... ./test/page/...

# The race detector makes a test six to nine times slower, so it watches the packages in which goroutines meet, and of them what -short
# leaves: a share of each fault loop, and no computation in one goroutine. internal/architecture checks that this list is complete. What starts no goroutine
# of its own, such as the program as a whole, replay and what is said of records, make nightly watches.
RACED                 := ./pkg/stream ./internal/app/backfill ./internal/app/deadletters ./internal/app/demo ./internal/app/documents ./internal/app/input ./internal/app/jobs ./internal/app/learn ./internal/app/process \
                         ./internal/app/produce ./internal/app/score ./internal/app/serve ./internal/bar ./internal/board ./internal/cluster/clustertest ./internal/devbroker ./internal/format/registry ./internal/halves ./internal/heartbeat ./internal/isolate ./internal/kafka/... ./internal/serve ./internal/server \
                         ./pkg/backfill ./pkg/control ./pkg/csspa ./pkg/follow ./pkg/scoring ./internal/owner
# Of these, the packages of which -short leaves out something. They are tested again without the race detector; the others are not, because
# no test would say more. internal/architecture checks this list, too.
PARTLY                := ./pkg/stream ./internal/app/backfill ./internal/app/demo ./internal/app/process ./internal/format/registry ./internal/kafka ./internal/kafka/link ./internal/kafka/wire \
                         ./internal/owner ./internal/serve ./internal/server ./pkg/backfill ./pkg/control ./pkg/csspa ./pkg/follow ./pkg/scoring
WHOLLY                 = $(filter-out $(shell $(GO) list $(PARTLY)),$(shell $(GO) list $(RACED)))
# Both halves of unit run beside each other, so each has two packages at once, and the half that waits for brokers and browsers three. More tests at once
# than there are processors: many wait for a broker.
AT_ONCE               := -parallel 4
# The longest first, so that none is left alone at the end.
LONGEST               := ./cmd/fairstream ./test/page ./pkg/stream ./pkg/model ./internal/kafka ./pkg/follow
# Targets beside each other; what each prints comes in one piece, when it ends.
BESIDE                := --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
# make lint vets, what a debugger needs takes half of the time of linking, and without paths a second checkout has what the first has built: what tests
# and targets build is without paths, too, or each package is compiled twice.
LEAN                  := -vet=off -ldflags=-s -trimpath

.PHONY: test
test: tidy lint
	$(MAKE) -j 3 $(BESIDE) raced plain python foreign inference tools studies

# Each go.mod lists what its module imports, and nothing else.
.PHONY: tidy
tidy:
	@set -e; for module in $(MODULES) engine; do (set -x; cd $$module && GOWORK=off $(GO) mod tidy -diff); done

# Formatting, vet, staticcheck and more: .golangci.yml.
.PHONY: lint
lint: $(GOLANGCI_LINT)
	$(GOLANGCI_LINT) run $(PACKAGES)

# Tests against a real Kafka broker need Java and Maven, and those of the page need Chromium. They are left out without them,
# except where CI is set: there that is a failure. The commands of the README are among the tests of cmd/fairstream.
.PHONY: unit
unit:
	$(MAKE) -j 2 $(BESIDE) raced plain

.PHONY: raced
raced:
	@echo "with the race detector:"
	@CGO_ENABLED=1 $(GO) test -p 2 $(AT_ONCE) $(LEAN) -race -short -timeout 25m $(RACED)

.PHONY: plain
plain:
	@echo "without it:"
	@$(GO) test -p 3 $(AT_ONCE) $(LEAN) -timeout 25m $(LONGEST) $(or $(filter-out $(WHOLLY),$(shell $(GO) list ./... ./test/integration/... ./test/page/...)),$(error go list names no packages))

# The package in clients/python: its types, and its tests, in an environment of its own. They are left out without Python 3.11 or
# newer, except where CI is set: there that is a failure.
PYTHON_ENOUGH = $(or $(PYTHON),python3) -c 'import sys; sys.exit(sys.version_info < (3, 11))'
.PHONY: python
python:
	@if $(PYTHON_ENOUGH) || [ -n "$$CI" ]; then $(MAKE) --no-print-directory python-package; \
	else echo "Python 3.11 is missing: the tests of clients/python are left out"; fi

.PHONY: python-package
python-package: export PYTHONDONTWRITEBYTECODE = 1
python-package: .cache/python/installed.txt
	$(GO) build -trimpath -o .cache/python/fairstream ./cmd/fairstream
	cd clients/python && ../../.cache/python/bin/mypy --cache-dir ../../.cache/python/mypy
	cd clients/python && FAIRSTREAM_PROGRAM=$(abspath .cache/python/fairstream) ../../.cache/python/bin/python -m pytest -q

.cache/python/installed.txt: clients/python/requirements.txt
	$(or $(PYTHON),python3) -m venv --clear $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps -r $<
	cp $< $@

# FairClassifier beside the reductions of fairlearn on Adult: half an hour on an idle machine; ARGS="--splits 2 --bounds 0.025 0.05" for less.
.PHONY: reductions
reductions: .cache/python/installed.txt
	$(GO) build -trimpath -o .cache/python/fairstream ./cmd/fairstream
	cd clients/python && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. FAIRSTREAM_PROGRAM=$(abspath .cache/python/fairstream) \
		../../.cache/python/bin/python bench/reductions.py $(ARGS)

# The studies whose code, or code below them, is not the code that bench/studies/passed.txt says has passed.
.PHONY: studies
studies:
	$(GO) run ./bench/studies

# All that is too long for each change: every test with the race detector, every operation of TestEveryOperationMayFail, and every study; those that pass are written down.
.PHONY: nightly
nightly: export FAIRSTREAM_TEST_FAULTS = all
nightly: export FAIRSTREAM_TEST_TAKEOVERS = 10
nightly: export FAIRSTREAM_TEST_SAMPLES = 20
nightly: tidy lint formats serve-faults serve-attacks
	@if $(PYTHON_ENOUGH); then bench/quality/run.sh --only records; fi # for internal/inspect
	CGO_ENABLED=1 $(GO) test -race -timeout 60m ./... ./test/integration/... ./test/page/...
	$(GO) run ./bench/studies -all

# The profile that the project's packages are compiled by where the program is built for use: here, in the image and in a release. The
# name of the file has the hash of its contents, because go build looks at the name alone.
PROFILED = "-gcflags=github.com/fairstream/fairstream/...=-pgoprofile=$(wildcard cmd/fairstream/replay-*.pgo)"

# The program, into bin/, from its own go.mod alone.
.PHONY: build
build:
	GOWORK=off $(GO) build -buildvcs=auto -trimpath $(PROFILED) -o bin/ ./cmd/fairstream

# That profile anew, from replay of CSV and of JSON: two minutes, with nothing else running.
.PHONY: pgo
pgo:
	@mkdir -p .cache/pgo
	for format in csv jsonl; do \
		$(GO) test -trimpath -vet=off -run '^$$' -bench Replay/$$format/adaptive -cpu 1 -benchtime $(or $(RECORDS),4000000)x \
			-cpuprofile $$PWD/.cache/pgo/$$format.prof -o .cache/pgo/fairstream.test ./cmd/fairstream || exit; done
	$(GO) tool pprof -proto -output .cache/pgo/replay.pgo .cache/pgo/csv.prof .cache/pgo/jsonl.prof
	rm -f cmd/fairstream/replay-*.pgo
	cp .cache/pgo/replay.pgo cmd/fairstream/replay-$$(sha256sum .cache/pgo/replay.pgo | cut -c1-12).pgo

# fairstream-engine, into bin/, and the linter and the tests of its module, on Prism: a minute and a half, and the first time some minutes more, to build Beam.
# In make test these tests are among the studies: they run when something changed that they are built from.
.PHONY: engine
engine: $(GOLANGCI_LINT)
	cd engine && GOWORK=off $(GO) build -ldflags=-w -o ../bin/ ./fairstream-engine
	cd engine && GOWORK=off $(abspath $(GOLANGCI_LINT)) run --config ../.golangci.yml ./...
	cd engine && GOWORK=off $(GO) test -vet=off -ldflags=-w ./...

# The same results on a session cluster of Flink, which it brings into .cache and starts, and workers that are killed: 8 minutes of processor time after the first time. It says what it could not get.
.PHONY: flink
flink:
	engine/flink/run.sh .cache/flink

# The same results from objects of an S3 service, versitygw, which it builds into .cache and starts: some minutes the first time. It says what it could not get.
.PHONY: s3
s3:
	engine/s3/run.sh .cache/s3

# What makes a release, as far as that takes seconds, and the licences of all that is linked.
.PHONY: tools
tools: $(GOLANGCI_LINT)
	cd tools && GOWORK=off $(GO) mod tidy -diff
	cd tools && GOWORK=off $(abspath $(GOLANGCI_LINT)) run --config ../.golangci.yml ./...
	cd tools && GOWORK=off $(GO) test -count=1 ./... # the files that it tests are outside the module

# All that a version is released as, of the commit that is checked out, into dist/: make release VERSION=v0.1.0. KEY names an SSH
# key that signs the checksums.
.PHONY: release
release:
	rm -rf dist
	cd tools && GOWORK=off $(GO) run ./release -version $(VERSION) -repository .. -out ../dist $(if $(KEY),-key $(abspath $(KEY)))

# The release in dist/ as its users take it: unpacked, verified and run.
.PHONY: artifacts
artifacts:
	cd tools && GOWORK=off FAIRSTREAM_DIST=$(abspath dist) $(GO) test -count=1 -v ./artifacts

# The chart: linted, rendered with each file of values in deploy/chart/ci, and checked against Kubernetes' own schemas.
.PHONY: chart
chart: $(HELM) .cache/kubernetes-validate/installed.txt
	cd tools && GOWORK=off FAIRSTREAM_HELM=$(abspath $(HELM)) FAIRSTREAM_KUBERNETES_VALIDATE=$(abspath .cache/kubernetes-validate/bin/kubernetes-validate) \
		$(GO) test -count=1 -v -run TestChart ./artifacts

.cache/kubernetes-validate/installed.txt: deploy/chart/ci/requirements.txt
	$(or $(PYTHON),python3) -m venv --clear $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps -r $<
	cp $< $@

# deploy/kubernetes.yaml, which is the chart with its defaults.
.PHONY: manifests
manifests: $(HELM)
	{ cat deploy/chart/header.txt; $(HELM) template fairstream deploy/chart --kube-version 1.37.0 | sed '1d; /^# Source: /d'; } > deploy/kubernetes.yaml

# The documents as a site with search, into .cache/site/html: links are checked, and commands and keys come from the program.
.PHONY: site
site: build .cache/mkdocs/installed.txt
	rm -rf .cache/site/pages
	cd tools && GOWORK=off $(GO) run ./site -repository .. -program ../bin/fairstream -out ../.cache/site/pages
	NO_MKDOCS_2_WARNING=1 .cache/mkdocs/bin/mkdocs --quiet build --strict --clean --config-file tools/site/mkdocs.yml

.cache/mkdocs/installed.txt: tools/site/requirements.txt
	$(or $(PYTHON),python3) -m venv --clear $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps -r $<
	cp $< $@

# The image in dist/ to a registry: make push IMAGE=registry.example.com/fairstream:v0.1.0, after docker login.
.PHONY: push
push:
	cd tools && GOWORK=off $(GO) run ./push -archive "$$(ls ../dist/*_image.tar)" -image $(IMAGE)

# NOTICE, from the modules that the program is linked from; a licence that is not permitted is an error.
.PHONY: notice
notice:
	cd tools && GOWORK=off $(GO) run ./notice -repository ..

# Known vulnerabilities in what is called, by Go's database, which needs the internet: VULNERABILITIES=file:///DIRECTORY names a copy.
.PHONY: vulnerabilities
vulnerabilities: $(GOVULNCHECK)
	GOWORK=off $(GOVULNCHECK) $(if $(VULNERABILITIES),-db $(VULNERABILITIES)) ./...
	cd tools && GOWORK=off $(abspath $(GOVULNCHECK)) $(if $(VULNERABILITIES),-db $(VULNERABILITIES)) ./...

# Decisions over HTTP, asked for by two clients of the Open Inference Protocol, which are installed into .cache: seconds after the first time.
# They are left out without Python 3.11, except where CI is set.
.PHONY: inference
inference:
	@if $(PYTHON_ENOUGH) || [ -n "$$CI" ]; then $(MAKE) --no-print-directory inference-clients; \
	else echo "Python 3.11 is missing: the tests of decisions by other clients are left out"; fi

.PHONY: inference-clients
inference-clients: export PYTHONDONTWRITEBYTECODE = 1
inference-clients: .cache/inference/python/installed.txt
	$(GO) build -trimpath -o .cache/inference/fairstream ./cmd/fairstream
	.cache/inference/fairstream replay --input adult --save .cache/inference/weights.json > /dev/null
	.cache/inference/python/bin/python test/inference/clients.py .cache/inference/fairstream .cache/inference/weights.json

.cache/inference/python/installed.txt: test/inference/requirements.txt
	$(or $(PYTHON),python3) -m venv --clear $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps -r $<
	cp $< $@

# 2,000 records of each format by serializers of others (Avro, Protobuf, JSON Schema, change events, container files), and fifteen topics with schemas of
# strangers, with Apicurio: half a minute, after it has installed both into .cache. They are left out without Python 3.11, Java or Maven, except where CI is set.
REGISTRY_VERSION := 2.6.13.Final
REGISTRY         := .cache/formats/registry-$(REGISTRY_VERSION)
FORMATS_PARTS     = .cache/formats/fairstream internal/adult/adult.csv.gz $(REGISTRY)/apicurio-registry-app-$(REGISTRY_VERSION)-runner.jar
.PHONY: foreign
foreign:
	@if [ -n "$$CI" ] || { $(PYTHON_ENOUGH) && command -v java mvn > /dev/null; }; then $(MAKE) --no-print-directory foreign-records RECORDS=$(or $(RECORDS),2000); \
	else echo "Python 3.11, Java or Maven is missing: the tests of records by other producers are left out"; fi

.PHONY: foreign-records
foreign-records: export PYTHONDONTWRITEBYTECODE = 1
foreign-records: $(REGISTRY) .cache/formats/python/installed.txt
	$(GO) build -trimpath -o .cache/formats/fairstream ./cmd/fairstream
	.cache/formats/python/bin/python test/formats/foreign.py $(FORMATS_PARTS) $(RECORDS)

# The same with 20,000 records, and a registry that fails while fairstream is killed 20 times: five minutes.
.PHONY: formats
formats: export PYTHONDONTWRITEBYTECODE = 1
formats: foreign-records
	.cache/formats/python/bin/python test/formats/faults.py $(FORMATS_PARTS)
	FAIRSTREAM_MUTATIONS=1000000 $(GO) test -count=1 -run TestTheSameRecordAsJSON ./internal/format/protobuf

.cache/formats/python/installed.txt: test/formats/requirements.txt
	$(or $(PYTHON),python3) -m venv --clear $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps -r $<
	cp $< $@

$(REGISTRY):
	mvn -q -B dependency:copy -Dartifact=io.apicurio:apicurio-registry-app:$(REGISTRY_VERSION):tar.gz:all -DoutputDirectory=$(abspath .cache/formats)
	mkdir -p $@ && tar xzf .cache/formats/apicurio-registry-app-$(REGISTRY_VERSION)-all.tar.gz -C $@

# All 196 synthetic worlds with every relaxation, and the measured rates of the general solver up to a million steps: minutes.
.PHONY: property
property:
	$(GO) test ./bench/synthetic -long -v -timeout 60m
	$(GO) test ./bench/csspa/gallery -run Rates -long -v

# Records with many columns, beside batch logistic regression, Vowpal Wabbit and River, which it installs into .cache: half an hour.
# ARGS="-seeds 1 -only numeric" for less.
.PHONY: wide
wide:
	bench/wide/run.sh $(ARGS)

# Sixty streams of each case that leads a learner astray: whether a condition says so..
.PHONY: conditions
conditions:
	$(GO) run ./bench/conditions $(if $(DATA),-data $(DATA))

# The study against peers: installs them into .cache, takes an hour or more. QUICK=1 takes a minute.
.PHONY: study
study:
	bench/quality/run.sh $(if $(QUICK),--quick)

# From Algorithm 1 to the default learner, one refinement a row, on Adult and the other data sets of the study: half an hour.
.PHONY: ladder
ladder:
	bench/quality/run.sh --only records
	$(GO) run ./bench/ladder -records .cache/quality/records

# What many comparisons cost: half an hour. QUICK=1 takes a minute.
.PHONY: many
many:
	$(GO) run ./bench/many $(if $(QUICK),-runs 1 -records 20000)

# What many jobs in one process cost: three minutes for 100 jobs. ARGS="-jobs 20 -backlog 1000000" shows how far the others are behind one with a backlog.
.PHONY: jobs
jobs:
	$(GO) run ./bench/jobs $(if $(QUICK),-jobs 5 -seconds 5) $(ARGS)

# Kinds of groups and the impact ratio on Adult, beside a batch optimum: twenty minutes. QUICK=1 takes one.
.PHONY: groups
groups:
	$(GO) run ./bench/groups $(if $(QUICK),-orders 1 -records 12000)

# Every experiment of the paper, into research: twenty minutes of processor time. QUICK=1 takes seconds, and writes to .cache/paper.
.PHONY: paper
paper:
	$(GO) run ./bench/paper $(if $(QUICK),--quick,--out research)

# How well the statistics of monitoring hold, as in docs/monitoring.md: minutes. QUICK=1 takes seconds.
.PHONY: monitoring
monitoring:
	$(GO) run ./bench/monitor $(if $(QUICK),-runs 10 -records 2000)

# What becomes of good and bad versions, as in docs/releases.md: minutes. QUICK=1 takes seconds.
.PHONY: releases
releases:
	$(GO) run ./bench/release $(if $(QUICK),-runs 8)

# The optima that bench/csspa/reference is compared with, found again by cvxpy, which it installs into .cache.
REFERENCE := bench/csspa/reference/testdata
.PHONY: reference
reference: .cache/reference/installed.txt
	.cache/reference/bin/python $(REFERENCE)/independent.py $(REFERENCE)/optima.csv

# Ten rows of the paper's tables, by a second program that shares no code with the first: five minutes.
.PHONY: paper-rows
paper-rows: .cache/reference/installed.txt
	.cache/reference/bin/python $(REFERENCE)/rows.py research/paper internal/adult/adult.csv.gz

.cache/reference/installed.txt: $(REFERENCE)/requirements.txt
	$(or $(PYTHON),python3) -m venv --clear $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps -r $<
	cp $< $@

# The tests of exactly-once, of transactions and of security on another line of Apache Kafka, which Maven brings:
# make kafka VERSION=3.9.1. docs/kafka.md has those that passed. Kafka learnt OAuth with signed tokens in 3.1.
.PHONY: kafka
kafka: export KAFKA_VERSION = $(VERSION)
kafka: export FAIRSTREAM_TEST_REQUIRE_BROKER = 1
kafka:
	$(GO) test -count=1 -timeout 30m $(if $(filter 2.%,$(VERSION)),-skip 'TestTokens|TestRefusedConnections/.*client_certificate') ./internal/kafka ./pkg/scoring
	$(GO) test -count=1 -timeout 30m -run 'Transaction|Cleaner' ./test/integration
	$(GO) test -count=1 -timeout 30m -run 'TestRunKilled|TestRunUntilTheEnd|TestTopicsThat|TestPrintedRights|TestWorkflow$$' ./cmd/fairstream

# Twenty kills at random moments on both brokers.
.PHONY: soak
soak:
	FAIRSTREAM_TEST_KILLS=20 FAIRSTREAM_TEST_REQUIRE_BROKER=1 $(GO) test -run TestRunKilled -v -timeout 60m ./cmd/fairstream

# The server killed ten times under requests, its broker twenty times, on both brokers, and four hours of ten requests a second in fast motion, with
# 1,000 versions: ten minutes.
.PHONY: serve-faults
serve-faults:
	FAIRSTREAM_TEST_SERVE_REQUESTS=144000 FAIRSTREAM_TEST_SERVE_SWAPS=1000 FAIRSTREAM_TEST_SERVE_KILLS=10 FAIRSTREAM_TEST_SERVE_RESTARTS=20 \
		FAIRSTREAM_TEST_REQUIRE_BROKER=1 $(GO) test -run TestServe -skip TestServeSurvivesAttacks -v -timeout 60m ./cmd/fairstream

# The server attacked by 10,000 connections, gigabytes and random bytes: seven minutes. The limit on open files has to be 11,000 or more.
.PHONY: serve-attacks
serve-attacks:
	FAIRSTREAM_TEST_SERVE_CONNECTIONS=10000 FAIRSTREAM_TEST_SERVE_SECONDS=60 $(GO) test -run TestServeSurvivesAttacks -v -timeout 60m ./cmd/fairstream

# A hundred takeovers by a standby, on three brokers.
.PHONY: standby
standby:
	FAIRSTREAM_TEST_TAKEOVERS=100 FAIRSTREAM_TEST_REQUIRE_BROKER=1 $(GO) test -run TestStandbyTakesOver -v -timeout 60m ./cmd/fairstream

# The owner of a job killed at every write of promotions and withdrawals, on a real broker, with a standby and without.
.PHONY: releases-kill
releases-kill:
	FAIRSTREAM_TEST_RELEASE_KILLS=all FAIRSTREAM_TEST_REQUIRE_BROKER=1 $(GO) test -run TestReleasesKilled -v -timeout 120m ./cmd/fairstream

# A million messages with wrong bytes of Avro, of Protobuf, of JSON and of each envelope, and 40,000 schemas with wrong words of the first two: some minutes.
.PHONY: mutated
mutated:
	MUTATED=1000000 $(GO) test ./internal/format/avro -run "TestMutatedMessages|TestMutatedSchemas" -v
	FAIRSTREAM_MUTATIONS=1000000 $(GO) test ./internal/format/protobuf -run "TestTheSameRecordAsJSON|TestMutatedSchemas" -v
	FAIRSTREAM_MUTATIONS=1000000 $(GO) test ./pkg/record -run TestMutatedMessages -v

# A thousand whole streams under random drifts, orders, ends and changed settings, in memory: some minutes.
.PHONY: drives
drives:
	FAIRSTREAM_TEST_DRIVES=1000 $(GO) test -run TestRandomDrives -v -timeout 60m ./pkg/stream

# Ten thousand versions followed on a real broker that is killed, under its cleaner.
.PHONY: follow
follow:
	FAIRSTREAM_TEST_VERSIONS=10000 FAIRSTREAM_TEST_REQUIRE_BROKER=1 $(GO) test -run TestManyVersions -v -timeout 60m ./pkg/follow

# fairstream score on topics, beside a plain copy of the same topic, on a real broker that is started for it.
.PHONY: bench-score
bench-score:
	@set -e; broker=$$(mktemp -d); trap 'test/broker/broker.sh stop $$broker; rm -rf $$broker' EXIT; \
	address=$$(test/broker/broker.sh start $$broker 19292 19293); \
	$(GO) run ./bench/load -brokers $$address -readers copy,score -rounds 5

# Decisions over HTTP, beside a bare handler and pkg/document: a minute. ARGS="-rounds 3" for less.
.PHONY: bench-serve
bench-serve:
	$(GO) run ./bench/serve $(ARGS)

# One core, as the documented figures are.
.PHONY: bench
bench:
	$(GO) test -run '^$$' -bench . -cpu 1 $(PACKAGES)

# Every fuzz target for FUZZTIME.
.PHONY: fuzz
fuzz:
	@set -e; for package in $$($(GO) list $(PACKAGES)); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package; \
		done; \
	done

# Two hundred small mutations of the product's code, tried against the tests of their own package: four seconds of processor time each. SEED draws others;
# ARGS="-short -only '^pkg/control$' -count 1000" tries all of one package.
SEED ?= 1
.PHONY: mutants
mutants:
	$(GO) run ./bench/mutants -seed $(SEED) $(if $(ARGS),$(ARGS),-out bench/mutants/RESULT.md)

# Files that are made from others: the JSON schema of the configuration.
.PHONY: generate
generate:
	$(GO) generate ./...

.PHONY: clean
clean:
	rm -rf bin dist .cache

$(GOLANGCI_LINT):
	mkdir -p $(@D)
	GOBIN=$(abspath $(@D)) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	mv $(@D)/golangci-lint $@

$(HELM):
	mkdir -p $(@D)
	GOBIN=$(abspath $(@D)) $(GO) install -ldflags=-s helm.sh/helm/v3/cmd/helm@$(HELM_VERSION)
	mv $(@D)/helm $@

$(GOVULNCHECK):
	mkdir -p $(@D)
	GOBIN=$(abspath $(@D)) $(GO) install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)
	mv $(@D)/govulncheck $@
