package architecture

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/fairstream/fairstream/"

// arrows says which packages of the project each package may import; everything is anything. A package
// that is not listed here has to be: decide where it stands.
var arrows = map[string][]string{
	"cmd/fairstream": everything,

	"internal/app/english":     {"internal/spelling"},
	"internal/app/cluster":     {"internal/app/english", "internal/app/program", "internal/config", "internal/kafka", "internal/modeltopic", "pkg/history", "pkg/model", "pkg/signature", "pkg/stream"},
	"internal/app/program":     {},
	"internal/app/command":     {"internal/app/english", "internal/config", "internal/spelling"},
	"internal/app/service":     {"internal/app/program", "internal/config", "internal/server"},
	"internal/app/documents":   {"internal/config", "pkg/follow"},
	"internal/app/serve":       {"internal/app/cluster", "internal/app/documents", "internal/app/program", "internal/app/service", "internal/config", "internal/heartbeat", "internal/kafka", "internal/serve", "internal/server", "pkg/document", "pkg/follow", "pkg/scoring"},
	"internal/app/score":       {"internal/app/cluster", "internal/app/documents", "internal/app/english", "internal/app/input", "internal/app/program", "internal/app/service", "internal/config", "internal/decimals", "internal/distinct", "internal/format", "internal/format/formats", "internal/kafka", "internal/server", "internal/spelling", "pkg/document", "pkg/follow", "pkg/record", "pkg/scoring", "pkg/stream"},
	"internal/app/input":       {"internal/adult", "internal/app/cluster", "internal/app/english", "internal/app/program", "internal/bar", "internal/format", "internal/format/avro", "internal/format/formats", "internal/format/jsonschema", "internal/format/registry", "internal/kafka", "internal/parquetlines", "pkg/record"},
	"internal/app/process":     {"internal/app/cluster", "internal/app/command", "internal/app/program", "internal/app/service", "internal/board", "internal/config", "internal/format", "internal/format/formats", "internal/heartbeat", "internal/inspect", "internal/inspect/sequence", "internal/isolate", "internal/kafka", "internal/server", "pkg/history", "pkg/model", "pkg/stream"},
	"internal/app/jobs":        {"internal/app/command", "internal/app/process", "internal/app/program", "internal/app/service", "internal/board", "internal/config", "internal/isolate", "internal/kafka", "internal/server", "pkg/stream"},
	"internal/app/topics":      {"internal/app/cluster", "internal/app/english", "internal/app/program", "internal/config", "internal/kafka", "pkg/scoring"},
	"internal/app/models":      {"internal/app/cluster", "internal/app/command", "internal/app/english", "internal/app/findings", "internal/app/input", "internal/app/output", "internal/app/program", "internal/appraise", "internal/config", "internal/export", "internal/heartbeat", "internal/kafka", "internal/onnx", "internal/signoff", "pkg/document", "pkg/fairness", "pkg/history", "pkg/model", "pkg/record", "pkg/stream"},
	"internal/app/impact":      {"internal/app/cluster", "internal/app/english", "internal/app/input", "internal/app/program", "internal/config", "internal/export", "internal/kafka", "pkg/fairness", "pkg/record", "pkg/stream"},
	"internal/app/state":       {"internal/app/cluster", "internal/app/command", "internal/app/english", "internal/app/program", "internal/config", "internal/kafka", "pkg/stream"},
	"internal/app/deadletters": {"internal/app/cluster", "internal/app/english", "internal/app/program", "internal/config", "internal/format", "internal/format/formats", "internal/kafka", "pkg/record", "pkg/stream"},
	"internal/app/produce":     {"internal/app/cluster", "internal/app/english", "internal/app/input", "internal/app/program", "internal/format", "internal/kafka", "pkg/record"},
	"internal/app/embedded":    {"internal/app/output", "internal/app/program", "internal/devbroker"},
	"internal/app/apptest":     {"internal/app/cluster", "internal/app/process", "internal/app/program", "internal/board", "internal/config", "internal/devbroker", "internal/goldentest", "internal/kafka"},
	"internal/app/demo":        {"internal/adult", "internal/app/cluster", "internal/app/embedded", "internal/app/english", "internal/app/findings", "internal/app/input", "internal/app/produce", "internal/app/program", "internal/app/replay", "internal/board", "internal/config", "internal/devbroker", "internal/kafka", "internal/server", "pkg/document", "pkg/stream"},
	"internal/app/plan":        {"internal/app/english", "pkg/fairness"},
	"internal/app/check":       {"internal/app/draft", "internal/app/english", "internal/app/input", "internal/app/program", "internal/app/statement", "internal/format", "internal/format/registry", "internal/inspect", "internal/inspect/find", "internal/inspect/keys", "internal/inspect/words", "internal/kafka", "internal/observe", "internal/profile", "pkg/model", "pkg/record"},
	"internal/app/statement":   {"internal/app/english", "internal/app/statement/form", "internal/chance", "internal/distinct", "internal/profile", "internal/table", "pkg/fairness", "pkg/model", "pkg/record"},
	"internal/app/learn":       {"internal/app/program", "internal/config", "pkg/document", "pkg/model", "pkg/record"},
	"internal/app/output":      {},
	"internal/app/findings":    {"internal/app/english", "internal/appraise", "pkg/document", "pkg/fairness", "pkg/record", "pkg/surrogate"},
	"internal/app/replay":      {"internal/adult", "internal/app/command", "internal/app/english", "internal/app/findings", "internal/app/input", "internal/app/output", "internal/app/program", "internal/app/statement", "internal/appraise", "internal/config", "internal/inspect", "internal/inspect/find", "internal/inspect/heldout", "internal/inspect/keys", "internal/inspect/seen", "internal/inspect/sequence", "internal/profile", "internal/report", "pkg/document", "pkg/fairness", "pkg/model", "pkg/record", "pkg/surrogate"},
	"internal/app/draft":       {"internal/app/english", "internal/app/input", "internal/app/program", "internal/format", "internal/format/registry", "internal/kafka", "internal/profile", "pkg/record"},
	"internal/app/backfill":    {"internal/app/english", "internal/app/findings", "internal/app/input", "internal/app/output", "internal/app/program", "internal/config", "internal/envelope", "pkg/backfill", "pkg/document", "pkg/fairness", "pkg/model", "pkg/record", "pkg/stream"},
	"internal/app/audit":       {"internal/app/cluster", "internal/app/english", "internal/app/program", "internal/config", "internal/kafka", "pkg/history"},

	"internal/app/statement/form": {},
	"internal/chance":             {},

	"pkg/surrogate":       {"internal/logistic", "pkg/fairness"},
	"pkg/fairness":        {},
	"pkg/record":          {},
	"pkg/kafka":           {},
	"pkg/csspa":           {"pkg/csspa/steps"},
	"pkg/csspa/steps":     {},
	"pkg/features":        {"internal/codec", "pkg/record"},
	"pkg/document":        {"internal/chance", "internal/logistic", "pkg/fairness", "pkg/features", "pkg/record"},
	"pkg/linear":          {"internal/adagrad", "internal/codec", "internal/logistic", "internal/refine", "internal/sums", "pkg/features", "pkg/record"},
	"pkg/control":         {"internal/codec", "internal/halves", "internal/logistic", "internal/refine", "internal/turns", "pkg/fairness", "pkg/features", "pkg/linear", "pkg/surrogate"},
	"internal/rolling":    {"internal/codec"},
	"internal/order":      {"internal/codec", "internal/persons", "pkg/fairness", "pkg/features", "pkg/record"},
	"internal/propensity": {"internal/codec", "internal/logistic", "pkg/fairness", "pkg/features", "pkg/linear"},
	"internal/reserve":    {"internal/codec", "pkg/control", "pkg/document", "pkg/record"},
	"pkg/model": {"internal/check", "internal/codec", "internal/envelope", "internal/halves", "internal/logistic", "internal/order", "internal/profile", "internal/propensity", "internal/refine", "internal/reserve", "internal/rolling", "internal/spelling", "pkg/control", "pkg/csspa/steps", "pkg/document", "pkg/fairness", "pkg/features",
		"pkg/linear", "pkg/record", "pkg/surrogate"},
	"pkg/backfill": {"internal/codec", "internal/envelope", "internal/logistic", "pkg/control", "pkg/fairness", "pkg/features", "pkg/linear", "pkg/model", "pkg/record", "pkg/surrogate"},
	"pkg/history":  {},
	"pkg/monitor":  {"internal/check", "internal/codec", "internal/evidence", "internal/persons", "pkg/fairness"},
	"pkg/release":  {"internal/check", "internal/codec", "internal/evidence", "pkg/fairness", "pkg/monitor", "pkg/record"},
	"pkg/stream": {"internal/check", "internal/chronicle", "internal/cluster", "internal/deadletter", "internal/format", "internal/intake", "internal/isolate", "internal/kafka", "internal/modeltopic", "internal/observe", "internal/owner", "internal/waiting", "pkg/document", "pkg/history", "pkg/model", "pkg/release", "pkg/fairness",
		"pkg/record", "pkg/signature"},
	"pkg/signature": {},
	"pkg/scoring":   {"internal/decimals", "internal/kafka", "pkg/document", "pkg/follow", "pkg/kafka", "pkg/record"},
	"pkg/follow":    {"internal/kafka", "internal/kafka/kafkatest", "internal/modeltopic", "pkg/document", "pkg/kafka", "pkg/signature"},

	"internal/codec":       {"internal/halves"},
	"internal/persons":     {"internal/codec", "pkg/fairness", "pkg/record"},
	"internal/evidence":    {"internal/codec", "pkg/fairness"},
	"internal/envelope":    {},
	"internal/logistic":    {},
	"internal/adagrad":     {},
	"internal/decimals":    {},
	"internal/halves":      {},
	"internal/sums":        {},
	"internal/turns":       {},
	"internal/serve":       {"internal/decimals", "internal/heartbeat", "internal/kafka", "pkg/document", "pkg/fairness", "pkg/follow", "pkg/scoring"},
	"internal/isolate":     {},
	"internal/refine":      {},
	"internal/kafka":       {"internal/kafka/batches", "internal/kafka/fault", "internal/kafka/link", "internal/kafka/wire", "pkg/kafka"},
	"internal/cloudevents": {"internal/kafka"},
	"internal/heartbeat":   {"internal/cloudevents", "internal/kafka"},
	"internal/observe": {"internal/check", "internal/chronicle", "internal/envelope", "internal/isolate", "internal/kafka", "internal/modeltopic", "internal/persons", "pkg/document", "pkg/fairness", "pkg/history",
		"pkg/model", "pkg/monitor", "pkg/release", "pkg/record"},
	"internal/intake":              {"internal/cluster", "internal/deadletter", "internal/envelope", "internal/format", "internal/kafka", "internal/observe", "internal/waiting", "pkg/record"},
	"internal/waiting":             {"internal/cluster", "internal/kafka"},
	"internal/format":              {"internal/kafka", "pkg/record"},
	"internal/format/avro":         {"internal/format", "internal/format/registry", "internal/kafka", "pkg/record"},
	"internal/format/formats":      {"internal/format", "internal/format/avro", "internal/format/protobuf", "internal/format/registry", "pkg/record"},
	"internal/format/formattest":   {},
	"internal/goldentest":          {},
	"internal/format/jsonschema":   {"internal/format", "internal/format/registry", "internal/kafka", "pkg/record"},
	"internal/format/protobuf":     {"internal/format", "internal/format/registry", "internal/kafka", "pkg/record"},
	"internal/format/registry":     {"internal/check", "internal/format", "internal/kafka", "pkg/record"},
	"internal/deadletter":          {"internal/cluster", "internal/format", "internal/kafka", "internal/owner", "pkg/record"},
	"internal/chronicle":           {"internal/cloudevents", "internal/cluster", "internal/isolate", "internal/kafka", "internal/modeltopic", "pkg/document", "pkg/fairness", "pkg/history", "pkg/signature"},
	"internal/cluster":             {"internal/kafka"},
	"internal/owner":               {"internal/cluster", "internal/envelope", "internal/kafka", "internal/modeltopic"},
	"internal/modeltopic":          {"internal/cloudevents", "internal/cluster", "internal/kafka", "pkg/document", "pkg/signature"},
	"internal/check":               {"pkg/record"},
	"internal/config":              {"internal/check", "internal/format/registry", "internal/heartbeat", "internal/kafka", "internal/spelling", "pkg/model", "pkg/record", "pkg/release", "pkg/signature", "pkg/stream"},
	"internal/adult":               {"pkg/record"},
	"internal/atonce":              {},
	"internal/bar":                 {},
	"internal/board":               {"internal/isolate", "pkg/fairness"},
	"internal/devbroker":           {},
	"internal/appraise":            {"internal/logistic", "pkg/document", "pkg/fairness", "pkg/record"},
	"internal/export":              {"pkg/document", "pkg/fairness", "pkg/history", "pkg/monitor"},
	"internal/onnx":                {"pkg/document", "pkg/features", "pkg/record"},
	"internal/profile":             {"internal/distinct", "pkg/record"},
	"internal/report":              {},
	"internal/parquetlines":        {},
	"internal/spelling":            {},
	"internal/clue":                {"internal/distinct", "pkg/record"},
	"internal/distinct":            {"pkg/record"},
	"internal/table":               {"internal/profile", "pkg/record"},
	"internal/inspect":             {"internal/inspect/column", "internal/inspect/find", "internal/inspect/keys", "internal/inspect/leak", "internal/inspect/relation", "internal/inspect/seen", "internal/inspect/sequence", "pkg/model"},
	"internal/table/changes":       {"internal/table"},
	"internal/table/pairs":         {"internal/table"},
	"internal/table/values":        {"internal/table"},
	"internal/table/labels":        {"internal/table"},
	"internal/table/tabletest":     {"internal/table", "pkg/record"},
	"internal/table/compare":       {"internal/chance", "internal/table", "pkg/record"},
	"internal/table/copies":        {"internal/profile", "internal/table", "pkg/record"},
	"internal/inspect/relation":    {"internal/clue", "internal/inspect/find", "internal/profile", "internal/table/copies", "internal/table/pairs"},
	"internal/inspect/column":      {"internal/inspect/find", "internal/inspect/seen", "internal/inspect/words", "internal/profile", "internal/table/values", "pkg/model"},
	"internal/inspect/sequence":    {"internal/clue", "internal/inspect/find", "internal/inspect/seen", "internal/inspect/words", "internal/profile", "internal/table", "internal/table/changes", "internal/table/labels", "pkg/model", "pkg/record"},
	"internal/inspect/leak":        {"internal/clue", "internal/inspect/find", "internal/inspect/seen", "internal/inspect/words", "internal/profile", "internal/table/labels", "pkg/model", "pkg/record"},
	"internal/inspect/inspecttest": {"internal/adult", "internal/config", "internal/inspect", "internal/inspect/find", "internal/inspect/realsets", "pkg/model", "pkg/record"},
	"internal/inspect/realsets":    {"internal/adult"},
	"internal/inspect/words":       {"internal/profile", "internal/spelling"},
	"internal/inspect/heldout":     {"internal/inspect/words", "internal/table", "internal/table/compare", "pkg/record"},
	"internal/inspect/keys":        {"internal/inspect/find", "internal/inspect/seen", "internal/inspect/words", "internal/profile", "internal/spelling", "internal/table", "pkg/fairness", "pkg/model", "pkg/record"},
	"internal/inspect/seen":        {"internal/clue", "internal/distinct", "internal/inspect/words", "internal/profile", "internal/table", "pkg/fairness", "pkg/model", "pkg/record"},
	"internal/inspect/find":        {"internal/inspect/seen", "internal/inspect/words", "internal/profile", "internal/spelling", "pkg/record"},
	"internal/signoff":             {"internal/board", "pkg/fairness", "pkg/history", "pkg/release"},
	"internal/server": {"internal/appraise", "internal/board", "internal/heartbeat", "internal/isolate", "internal/signoff", "pkg/document", "pkg/fairness", "pkg/history", "pkg/model", "pkg/monitor", "pkg/record", "pkg/release", "pkg/scoring",
		"pkg/follow", "pkg/stream"},

	"internal/kafka/wire":          {"pkg/kafka"},
	"internal/kafka/fault":         {"internal/kafka/wire", "pkg/kafka"},
	"internal/kafka/batches":       {"internal/kafka/fault", "internal/kafka/wire"},
	"internal/kafka/link":          {"internal/kafka/fault", "internal/kafka/wire", "pkg/kafka"},
	"internal/kafka/kafkatest":     {"internal/kafka"},
	"internal/bycommit":            {},
	"internal/cluster/clustertest": {"internal/cluster", "internal/kafka", "internal/kafka/kafkatest"},
	"internal/adult/generate":      {"internal/adult"},
	"internal/config/generate":     {"internal/config", "internal/kafka", "pkg/fairness", "pkg/features", "pkg/model", "pkg/record", "pkg/surrogate"},
	"internal/architecture":        {},
}

// everything is for the packages at the top, which nothing may import.
var everything = []string{"*"}

// top are the trees in which packages may import everything: programs and studies, not parts.
var top = []string{"bench/", "test/"}

// owners are the modules that only some packages may import, and those packages.
var owners = map[string][]string{
	"github.com/segmentio/kafka-go":      {"internal/kafka/"},
	"github.com/twmb/franz-go/pkg/kfake": {"internal/devbroker"},
	"github.com/twmb/franz-go/pkg/kgo":   {"bench/", "test/integration"},
	"github.com/compose-spec":            {"test/integration"},
	"github.com/google/pprof":            {"bench/"},
	"gonum.org/v1/plot":                  {"bench/"},
	"github.com/chromedp":                {"test/page"},
	"github.com/twmb/avro":               {"internal/format/", "internal/app/", "cmd/", "bench/", "test/"},
	"github.com/twmb/franz-go/pkg/sr":    {"internal/format/", "internal/app/", "bench/", "test/"},
}

// testOwners may import them in tests as well.
var testOwners = map[string][]string{
	"github.com/segmentio/kafka-go":      {"internal/kafka/", "bench/", "test/"},
	"github.com/twmb/franz-go/pkg/kfake": {"*"},
	"github.com/twmb/franz-go/pkg/kgo":   {"bench/", "test/integration"},
	"github.com/compose-spec":            {"test/integration"},
	"github.com/google/pprof":            {"bench/"},
	"gonum.org/v1/plot":                  {"bench/"},
}

// modules are patterns for the packages of every module of go.work.
var modules = []string{"./...", "./bench/...", "./test/integration/...", "./test/page/..."}

// goPackage is what go list tells of a package.
type goPackage struct {
	ImportPath, Doc                    string
	Imports, TestImports, XTestImports []string
}

func (p goPackage) name() string { return strings.TrimPrefix(p.ImportPath, module) }

func (p goPackage) tests() []string { return append(slices.Clone(p.TestImports), p.XTestImports...) }

func projectPackages(t *testing.T) []goPackage {
	t.Helper()
	command := exec.Command("go", append([]string{"list", "-e", "-json=ImportPath,Doc,Imports,TestImports,XTestImports"}, modules...)...)
	command.Dir = "../.."
	output, err := command.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		t.Fatalf("go list: %s", exit.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var p goPackage
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	for _, tree := range []string{"pkg/", "internal/", "bench/", "test/integration", "test/page"} {
		if !slices.ContainsFunc(packages, func(p goPackage) bool { return strings.HasPrefix(p.name(), tree) }) {
			t.Fatalf("go list knows no package of %s: is go.work in use?", tree)
		}
	}
	return packages
}

func TestImportArrows(t *testing.T) {
	for _, problem := range arrowProblems(projectPackages(t)) {
		t.Error(problem)
	}
}

func TestOwnersOfModules(t *testing.T) {
	for _, problem := range ownerProblems(projectPackages(t)) {
		t.Error(problem)
	}
}

// arrowProblems lists the imports between packages of the project that no arrow allows. Tests may import
// what they like of the project: they are where two packages are held against each other.
func arrowProblems(packages []goPackage) []string {
	var problems []string
	for _, p := range packages {
		allowed, known := arrows[p.name()]
		switch {
		case isTop(p.name()):
			continue
		case !known:
			problems = append(problems, p.name()+" is not in the table of arrows: add it")
			continue
		case slices.Equal(allowed, everything):
			continue
		}
		for _, imported := range p.Imports {
			if name, ours := strings.CutPrefix(imported, module); ours && !slices.Contains(allowed, name) {
				problems = append(problems, p.name()+" imports "+name+": no arrow leads there")
			}
		}
	}
	return problems
}

func isTop(name string) bool {
	return slices.ContainsFunc(top, func(tree string) bool { return strings.HasPrefix(name+"/", tree) })
}

// ownerProblems lists the imports of owned modules by others than their owners.
func ownerProblems(packages []goPackage) []string {
	var problems []string
	check := func(p goPackage, imports []string, owners map[string][]string, where string) {
		for _, imported := range imports {
			for owned, by := range owners {
				within := imported == owned || strings.HasPrefix(imported, owned+"/")
				mine := slices.ContainsFunc(by, func(owner string) bool {
					return owner == "*" || p.name() == owner || strings.HasSuffix(owner, "/") && strings.HasPrefix(p.name()+"/", owner)
				})
				if within && !mine {
					problems = append(problems, p.name()+" imports "+imported+where+": only "+strings.Join(by, ", ")+" may")
				}
			}
		}
	}
	for _, p := range packages {
		if isTop(p.name()) {
			check(p, p.Imports, testOwners, "")
		} else {
			check(p, p.Imports, owners, "")
		}
		check(p, p.tests(), testOwners, " in a test")
	}
	return problems
}

// TestTheRulesBite breaks each rule in a made-up package.
func TestTheRulesBite(t *testing.T) {
	pack := func(name string, imports ...string) goPackage {
		return goPackage{ImportPath: module + name, Imports: imports}
	}
	tests := []struct {
		name    string
		p       goPackage
		arrows  bool
		owners  bool
		inTests bool
	}{
		{"a leaf imports", pack("pkg/fairness", module+"pkg/record"), true, false, false},
		{"against the arrow", pack("pkg/model", module+"internal/config"), true, false, false},
		{"along the arrow", pack("pkg/model", module+"pkg/fairness", "fmt"), false, false, false},
		{"an unknown package", pack("pkg/util"), true, false, false},
		{"the command", pack("cmd/fairstream", module+"pkg/csspa"), false, false, false},
		{"a study", pack("bench/quality", module+"pkg/model"), false, false, false},
		{"a name that only begins alike", pack("benchmark"), true, false, false},
		{"kafka-go elsewhere", pack("pkg/stream", "github.com/segmentio/kafka-go/sasl/plain"), false, true, false},
		{"kafka-go where it belongs", pack("internal/kafka", "github.com/segmentio/kafka-go"), false, false, false},
		{"another module that begins alike", pack("pkg/stream", "github.com/segmentio/kafka-gopher"), false, false, false},
		{"kfake in production", pack("pkg/stream", "github.com/twmb/franz-go/pkg/kfake"), false, true, false},
		{"kfake in a test", pack("pkg/stream", "github.com/twmb/franz-go/pkg/kfake"), false, false, true},
		{"a second Kafka client in a test", pack("pkg/stream", "github.com/twmb/franz-go/pkg/kgo"), false, true, true},
		{"a second Kafka client in a study", pack("bench/load", "github.com/twmb/franz-go/pkg/kgo"), false, false, false},
		{"plots", pack("pkg/stream", "gonum.org/v1/plot/vg"), false, true, false},
		{"kafka-go in another test", pack("pkg/stream", "github.com/segmentio/kafka-go"), false, true, true},
	}
	for _, test := range tests {
		if test.inTests {
			test.p.XTestImports, test.p.Imports = test.p.Imports, nil
		}
		packages := []goPackage{test.p}
		if got := len(arrowProblems(packages)) > 0; got != test.arrows {
			t.Errorf("%s: arrows broken: %v, want %v", test.name, got, test.arrows)
		}
		if got := len(ownerProblems(packages)) > 0; got != test.owners {
			t.Errorf("%s: owners passed over: %v, want %v", test.name, got, test.owners)
		}
	}
}
