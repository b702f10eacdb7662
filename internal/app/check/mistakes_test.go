package check

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

// TestMistakes: what check says of a mistake names its key and what to do; of records without one, it says nothing of the kind.
func TestMistakes(t *testing.T) {
	text := "y,sex,score,decision,person,many,split,ts,race,candidate_no\n"
	for i := range 600 {
		text += fmt.Sprintf("%d,%s,%d,%s,p%d,%d,%s,%d,%s,%d\n", i%7%2, []string{"m", "f"}[i/2%2], 1+i%90, []string{"accept", "reject", "reject"}[i*7%3], i*37%150, i*7919%601,
			[]string{"train", "train", "test"}[i*11%3], 1735693128905+i*1000, []string{"a", "b"}[i/3%2], 20340+i*37%150*71)
	}
	apptest.InDirectory(t, map[string]string{"in.csv": text})
	const label = "record: {label: {field: y, positive: 1}, ignore: [person]}\n"
	const sex = "constraints: [{name: sex, attribute: sex, group: m, versus: f, tau: 0.2}]\n"
	for name, c := range map[string]struct {
		yaml        string
		fatal       bool
		says, never string
	}{
		"milliseconds":       {"record: {label: {field: y, positive: 1}, time: {field: ts, format: unix}}\n" + sex, true, "Error: record.time.format: every record with a label is rejected; most often for bad_time", "did you mean"},
		"parts of a time":    {"record: {label: {field: y, positive: 1}, times: [{field: ts, format: unix}]}\n" + sex, true, "Error: record.times[0].format: every record", "did you mean"},
		"strata":             {label + "constraints: [{name: sex, attribute: sex, group: m, versus: f, strata: many, tau: 0.2}]\n", false, "constraints[0].strata: ", `"sex" is missing`},
		"persons":            {label + sex, false, "name the field in monitor.cluster", ""},
		"persons are learnt": {"record: {label: {field: y, positive: 1}}\n" + sex, false, `"candidate_no" identifies persons, who have 4 records each`, ""},
		"persons to ignore":  {"record: {label: {field: y, positive: 1}}\n" + sex, false, "name the field in monitor.cluster and in record.ignore", ""},
		"persons are named":  {label + sex + "monitor: {cluster: person}\n", false, "", "monitor.cluster"},
		"no such person":     {strings.Replace(label, "person", "person, persona", 1) + sex + "monitor: {cluster: persona}\n", false, `monitor.cluster: no record has a field "persona"`, "name the field in monitor.cluster"},
		"two names":          {"record: {label: {field: y, positive: 1}, ignore: [\"race, person\"]}\n" + sex, false, "it is 2 names in one text. Write them as a list, [race, person]", ""},
		"parts of the data":  {label + sex, false, `record.ignore: add "split": it tells which records are to be learnt and which held out`, "to try something"},
		"decisions":          {label + sex + "monitor: {decision: {field: decision, positive: accept}}\n", false, "", "monitor.decision"},
		"no decision":        {label + sex + "monitor: {decision: {field: decided, positive: accept}}\n", true, `Error: monitor.decision.field: no record has a field "decided"`, "no feature"},
		"never positive":     {label + sex + "monitor: {decision: {field: decision, positive: approved}}\n", true, "Error: monitor.decision.positive: none of 600 decisions", ""},
		"a refusal":          {label + sex + "monitor: {decision: {field: decision, positive: reject}}\n", false, "monitor.decision.positive: \"reject\" has the name of a refusal", ""},
		"all positive":       {label + sex + "monitor: {score: {field: score, threshold: 0.6}}\n", true, "set it to 60", ""},
		"nearly all":         {label + sex + "monitor: {score: {field: score, threshold: 2}}\n", false, "monitor.score.threshold: 593 of 600 decisions are positive", ""},
		"a good threshold":   {label + sex + "monitor: {score: {field: score, threshold: 60}}\n", false, "", "monitor.score"},
	} {
		t.Run(name, func(t *testing.T) {
			loaded := apptest.Load(t, c.yaml, config.Learning)
			var out bytes.Buffer
			from, err := input.NewSource("in.csv", "", nil)
			if err != nil {
				t.Fatal(err)
			}
			err = (&Records{Streams: &program.Streams{Out: &out, Err: &out}, Config: loaded.Model(), Monitor: loaded.Monitor}).OfFile(t.Context(), from)
			said := strings.Join(strings.Fields(out.String()), " ")
			if (err != nil) != c.fatal || !strings.Contains(said, c.says) || c.never != "" && strings.Contains(said, c.never) {
				t.Errorf("%v, want %q and not %q in\n%s", err, c.says, c.never, out.String())
			}
		})
	}
}
