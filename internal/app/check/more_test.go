package check

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

// TestWhatElseIsSeen: records without a label that count or do not, no constraint, ratios and strata, a difference that is out of reach, and very many columns.
func TestWhatElseIsSeen(t *testing.T) {
	stage := apptest.NewStage(t)
	var unlabelled, wide strings.Builder
	unlabelled.WriteString(apptest.Header + ",id\n")
	for i, row := range apptest.Rows(300) {
		cells := strings.Split(row, ",")
		if len(cells) == 5 {
			if i%3 == 0 {
				cells[3] = ""
			}
			fmt.Fprintf(&unlabelled, "%s,r%d\n", strings.Join(cells, ","), i)
		}
	}
	names := []string{"y", "sex"}
	for c := range 80 {
		names = append(names, fmt.Sprint("c", c))
	}
	wide.WriteString(strings.Join(names, ",") + "\n")
	for i := range 300 {
		cells := []string{fmt.Sprint(i % 2), []string{"m", "f"}[i/2%2]}
		for c := range 80 {
			cells = append(cells, fmt.Sprint((i*(c+3)+i*i*7)%97))
		}
		wide.WriteString(strings.Join(cells, ",") + "\n")
	}
	apptest.InDirectory(t, map[string]string{"good.csv": apptest.CSV(300), "unlabelled.csv": unlabelled.String(), "wide.csv": wide.String()})
	const label = "record: {label: {field: paid, positive: 1}, ignore: [pay"
	const sex = "constraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.2}]\n"
	for name, c := range map[string]struct{ file, yaml string }{
		"no-constraint": {"good.csv", label + "]}\n"},
		"counted":       {"unlabelled.csv", label + "], key: id, unlabelled: count}\n" + sex},
		"not-counted":   {"unlabelled.csv", label + ", id], unlabelled: reject}\n" + sex},
		"ratio":         {"good.csv", label + "]}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, criterion: impact-ratio, tau: 0.8}]\n"},
		"out-of-reach":  {"good.csv", label + "]}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.001}, {name: each, attribute: part, group: each, tau: 0.1}]\n"},
		"strata":        {"good.csv", label + "]}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, strata: part, tau: 0.2}]\n"},
		"nobody":        {"good.csv", label + "]}\nconstraints: [{name: sex, attribute: sex, group: M, versus: X, tau: 0.2}]\n"},
		"wide":          {"wide.csv", "record: {label: {field: y, positive: 1}}\nconstraints: [{name: sex, attribute: sex, group: m, versus: f, tau: 0.2}]\n"},
	} {
		loaded := apptest.Load(t, c.yaml, config.Learning)
		stage.Says(t, name+".txt", func(ctx context.Context) error {
			from, err := input.NewSource(c.file, "", nil)
			if err != nil {
				return err
			}
			c := &Records{Streams: stage.Streams, Config: loaded.Model()}
			if name == "nobody" {
				c.Settings = []string{"stream.start: latest"}
			}
			return c.OfFile(ctx, from)
		})
	}
}

// TestEndsOfColumns are those of all numbers of a column, a single one too, and of texts there are none.
func TestEndsOfColumns(t *testing.T) {
	apptest.InDirectory(t, map[string]string{"a.csv": "y,sex,one,two,text\n1,m,7,-1,a\n0,f,,2.5,b\n1,f,,,c\n0,m,,,\n"})
	from, err := input.NewSource("a.csv", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var out apptest.Screen
	c := Records{Streams: &program.Streams{Out: &out, Err: &out}, Config: apptest.Load(t, "record: {label: {field: y, positive: 1}}\nconstraints: [{name: sex, attribute: sex, group: m, versus: f, tau: 0.2}]\n", config.Learning).Model()}
	_ = c.OfFile(t.Context(), from) // that there is little to learn is another thing
	if one, two := c.meaning.Ends["one"], c.meaning.Ends["two"]; one != [2]float64{7, 7} || two != [2]float64{-1, 2.5} {
		t.Errorf("%v\n%s", c.meaning.Ends, out.String())
	}
	if _, known := c.meaning.Ends["text"]; known {
		t.Errorf("%v", c.meaning.Ends)
	}
}
