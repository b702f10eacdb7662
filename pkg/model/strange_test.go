package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// strange makes JSON lines that a careless world might send.
var strange = map[string]func(random *rand.Rand, i int) string{
	"a flood of categories": func(random *rand.Rand, i int) string {
		return line(random, fmt.Sprintf(`"id":"user-%d","kind":"k%d"`, i, i%5))
	},
	"long texts": func(random *rand.Rand, i int) string {
		text := make([]byte, 800)
		for k := range text {
			text[k] = byte('a' + random.IntN(26))
		}
		return line(random, fmt.Sprintf(`"essay":%q`, text))
	},
	"outliers": func(random *rand.Rand, i int) string {
		x := fmt.Sprint(random.NormFloat64())
		switch {
		case i%50 == 0:
			x = "1e300"
		case i%50 == 1:
			x = "-1e300"
		case i%50 < 4:
			x = fmt.Sprint(math.MaxFloat64) // as a mark of a missing value, say
		case i%50 == 4:
			x = "5e-324"
		case i%50 == 5:
			x = "1e999"
		}
		return line(random, `"x":`+x+`,"y":`+x+`,"z":`+x)
	},
	"columns of nothing": func(random *rand.Rand, i int) string {
		return line(random, `"nothing":null,"empty":"","same":3,"word":"same","fraction":0.1,"x":0.1,"y":0.1,"z":null`)
	},
	"columns that come and go": func(random *rand.Rand, i int) string {
		if i < 1300 {
			return line(random, fmt.Sprintf(`"early":%d`, i%90))
		}
		return line(random, fmt.Sprintf(`"late":%d,"z":%d`, i%70, i%40))
	},
	"more columns than the limit": func(random *rand.Rand, i int) string {
		var columns []string
		for k := range 60 {
			columns = append(columns, fmt.Sprintf(`"c%d":%d`, (k*29+i)%1700, random.IntN(9)))
		}
		return line(random, strings.Join(columns, ","))
	},
	"no record has the attribute": func(random *rand.Rand, i int) string {
		return fmt.Sprintf(`{"label":"%d","x":%d}`, i%2, random.IntN(9)+5*(i%2))
	},
	"one group only": func(random *rand.Rand, i int) string { return fmt.Sprintf(`{"label":"%d","sex":"f","x":%d}`, i%2, i%9) },
	"one label only": func(random *rand.Rand, i int) string { return line(random, `"label":"0"`) },
	"nothing at all": func(random *rand.Rand, i int) string { return fmt.Sprintf(`{"label":"%d"}`, i%2) },
	"weights":        func(random *rand.Rand, i int) string { return line(random, fmt.Sprintf(`"weight":1e%d`, i%300-294)) },
	"weight 0":       func(random *rand.Rand, i int) string { return line(random, `"weight":0`) },
	"labels in clear": func(random *rand.Rand, i int) string {
		return fmt.Sprintf(`{"label":"%d","sex":"%c","x":"%d"}`, i%2, "fm"[i%2], i%2)
	},
	"names like codes": func(random *rand.Rand, i int) string {
		return line(random, `"(intercept)":1," & ":"\"","a.b":{"c":[1,2]},"\u0000":"\u0000","é":"日本"`)
	},
}

// line makes a record of a small world around some members, which may replace its own.
func line(random *rand.Rand, members string) string {
	sex, x := "f", random.NormFloat64()
	if random.IntN(2) == 0 {
		sex, x = "m", x+1
	}
	text := "{" + members
	for _, own := range []string{fmt.Sprintf(`"label":"%d"`, btoi(x+random.NormFloat64() > 0)), fmt.Sprintf(`"sex":"%s"`, sex),
		fmt.Sprintf(`"x":%.2f`, x), fmt.Sprintf(`"weight":%d`, 1+random.IntN(3))} {
		if name := own[:strings.Index(own, ":")]; !strings.Contains(members, name+":") {
			text += "," + own
		}
	}
	return text + "}"
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// strangeConfig has the default limits, and every encoding.
func strangeConfig(mode model.Mode) model.Config {
	c := model.Config{Learner: learnerConfig(mode), Constraints: []model.Constraint{
		constraint("sex", "demographic-parity", "approximation-1", "sex", "m", "f")}}
	c.Record.Label = record.Label{Field: "label", Positive: "1"}
	c.Record.Weight = "weight"
	c.Learner.Columns = map[string]features.ColumnConfig{"y": {Type: features.Numeric, Encoding: features.PiecewiseLinear},
		"z": {Type: features.Numeric, Encoding: features.Standardized}}
	c.Learner.Crosses = [][]string{{"x", "y"}, {"id", "kind"}, {"z", "x"}}
	return readable(c)
}

// Whatever comes, a learner stays within its limits, its document can be published, and it can be restored.
func TestStrangeRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	for name, makeLine := range strange {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, 3))
			count := 2000
			if name == "a flood of categories" {
				count = 100000
			}
			var text strings.Builder
			for i := range count {
				record := makeLine(random, i)
				if !strings.Contains(record, `"weight"`) {
					record = strings.Replace(record, "{", `{"weight":1,`, 1)
				}
				text.WriteString(record + "\n")
			}
			records := decode(t, strangeConfig(model.Adaptive), record.JSONLines, text.String())
			for _, mode := range allModes {
				config := strangeConfig(mode)
				records := records
				if mode != model.Adaptive {
					records = records[:min(len(records), 10000)] // still twice the limit
				}
				l := learn(t, config, records)
				checkLimits(t, l, config.Learner.Vocabulary)
				ask(t, l, &records[0])
				checkScores(t, documentOf(t, l), l, records[:100])
				restored := restore(t, config, l.AppendState(nil))
				for i := range records[:100] {
					l.Learn(&records[i])
					restored.Learn(&records[i])
				}
				if documentOf(t, l).WeightsSHA256 != documentOf(t, restored).WeightsSHA256 {
					t.Errorf("%s: restored, it goes another way", mode)
				}
			}
		})
	}
}

const largestState = 1_600_000 // bytes: windows of 16,384 records on two sides, and 8,192 levels

func checkLimits(t *testing.T, l *model.Learner, limits features.VocabularyConfig) {
	t.Helper()
	const perColumn = 100 // fine and coarse bins and the missing value, at most
	if most := 1 + limits.Levels + limits.Buckets + perColumn*limits.Columns; l.Weights() > most {
		t.Errorf("%d weights, at most %d were expected", l.Weights(), most)
	}
	columns, err := documentOf(t, l).Columns()
	if err != nil || len(columns) > limits.Columns {
		t.Errorf("%d columns (%v)", len(columns), err)
	}
	if state := len(l.AppendState(nil)); state > largestState {
		t.Errorf("the state has %d bytes with %d weights", state, l.Weights())
	} else {
		t.Logf("%s: %d weights, %d bytes of state", l.Config().Learner.Mode, l.Weights(), state)
	}
}

// checkScores holds a document, once through JSON, to the learner.
func checkScores(t *testing.T, d *document.Document, l *model.Learner, records []record.Record) {
	t.Helper()
	data, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := document.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	scorer, err := parsed.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		its := scorer.Margin(&records[i])
		ours := its
		if l.Ready() {
			ours = l.Margin(&records[i])
		}
		if math.Float64bits(ours) != math.Float64bits(its) || math.IsNaN(its) {
			t.Fatalf("record %d: the learner says %v, the document %v", i, ours, its)
		}
	}
}

// Records without the attribute teach the loss, are counted, and enter no pair.
func TestRecordsWithoutTheAttribute(t *testing.T) {
	config := strangeConfig(model.Adaptive)
	config.Learner.Warmup = 100
	random := rand.New(rand.NewPCG(4, 4))
	var with, without strings.Builder
	for range 3000 {
		text := line(random, `"kind":"k"`)
		with.WriteString(text + "\n")
		text = strings.NewReplacer(`"sex":"m"`, `"sex":null`, `"sex":"f"`, `"other":1`).Replace(text)
		without.WriteString(text + "\n")
	}
	l := learn(t, config, decode(t, config, record.JSONLines, without.String()))
	m := l.Measurements()
	row := m.Prequential.Constraints[0]
	if row.NUnknown != 3000 || row.NGroup != 0 || row.NVersus != 0 || row.Status != "not_estimable" || !math.IsNaN(row.Value) {
		t.Errorf("the row is %+v", row)
	}
	if m.Prequential.Records != 3000 || m.Prequential.Accuracy.Value < m.Prequential.ConstantAccuracy.Value+.1 {
		t.Errorf("%d records, accuracy %v against %v", m.Prequential.Records, m.Prequential.Accuracy.Value, m.Prequential.ConstantAccuracy.Value)
	}
	if len(m.Conditions) != 3 || m.Conditions[0].Code != document.NothingEstimable || m.Conditions[1].Code != document.TooFewRecords ||
		m.Conditions[2].Code != document.MostlyMissing {
		t.Errorf("conditions are %+v", m.Conditions)
	}
	if m := learn(t, config, decode(t, config, record.JSONLines, with.String())).Measurements(); m.Prequential.Constraints[0].NUnknown != 0 || m.Prequential.Constraints[0].Status == "not_estimable" {
		t.Error("with the attribute the same records are not measured")
	}
}

// A record of weight 0 contributes nothing, wherever it comes.
func TestWeightZero(t *testing.T) {
	for _, mode := range allModes {
		config := strangeConfig(mode)
		config.Learner.Warmup = 100
		random := rand.New(rand.NewPCG(5, 5))
		var plain, mixed strings.Builder
		for i := range 2000 {
			text := line(random, `"kind":"k"`) + "\n"
			plain.WriteString(text)
			mixed.WriteString(text)
			if i%2 == 0 {
				mixed.WriteString(line(random, fmt.Sprintf(`"weight":0,"kind":"other","x":%d`, 1000*i)) + "\n")
			}
		}
		a := learn(t, config, decode(t, config, record.JSONLines, plain.String()))
		b := learn(t, config, decode(t, config, record.JSONLines, mixed.String()))
		if documentOf(t, a).WeightsSHA256 != documentOf(t, b).WeightsSHA256 {
			t.Errorf("%s: records of weight 0 changed the weights", mode)
		}
		if a.Version() != 2000 || b.Version() != 3000 {
			t.Errorf("%s: versions %d and %d", mode, a.Version(), b.Version())
		}
	}
}

// Fewer records than the warm-up, or none, still give a document.
func TestDocumentDuringWarmup(t *testing.T) {
	records := adultRecords(t)
	for _, mode := range allModes {
		for _, count := range []int{0, 1, 31, 400, 999} {
			config := adultConfig(mode)
			l := learn(t, config, records[:count])
			d := documentOf(t, l)
			if d.Version != int64(count) || d.Measurements.Prequential.Records != int64(count) {
				t.Errorf("version %d, %d measured of %d", d.Version, d.Measurements.Prequential.Records, count)
			}
			checkScores(t, d, l, records[1000:1005])
		}
	}
}

// A feature that stays a hair from a knot for long moves a weight whose curvature fades away: the pull of the
// L2 term must not throw it about.
func TestFadingCurvature(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	for _, regularization := range []float64{1, 1e-5} {
		config := strangeConfig(model.Adaptive)
		config.Learner.Regularization, config.Learner.Forgetting = regularization, 1000
		var text strings.Builder
		for i := range 40000 {
			y := fmt.Sprint(i % 2)
			if i > 2000 {
				y = "1e-9"
			}
			fmt.Fprintf(&text, `{"label":"%d","sex":"%c","y":%s,"weight":1}`+"\n", i/2%2, "fm"[i/2%2], y)
		}
		documentOf(t, learn(t, config, decode(t, config, record.JSONLines, text.String()))) // fails if weights diverged
	}
}

// The weights of records may differ by any factor, and the lighter ones may come after the heavier ones: the
// sums of a window must not fall below 0, nor must its state be refused.
func TestWeightsOfAllMagnitudes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	for _, mode := range allModes {
		config := strangeConfig(mode)
		config.Learner.Window, config.Learner.MinimumRecords = 256, 1
		random := rand.New(rand.NewPCG(5, 5))
		var text strings.Builder
		for i := range 6000 {
			weight := 1e6 * random.Float64()
			if i%1000 > 500 {
				weight *= 1e-18
			}
			text.WriteString(line(random, fmt.Sprintf(`"weight":%g`, weight)) + "\n")
		}
		records := decode(t, config, record.JSONLines, text.String())
		l := newLearner(t, config)
		for i := range records {
			l.Learn(&records[i])
			if i%50 == 0 {
				l.Measurements()
				l = restore(t, config, l.AppendState(nil))
			}
		}
	}
}
