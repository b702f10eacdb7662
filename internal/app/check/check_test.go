package check

import (
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/config"
)

// TestWhatIsSeen: what a look at records finds, good and bad, of a file and of a topic.
func TestWhatIsSeen(t *testing.T) {
	stage := apptest.NewStage(t)
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(200))
	apptest.InDirectory(t, map[string]string{"good.csv": apptest.CSV(300), "odd.csv": apptest.OddCSV(300), "rejected.csv": apptest.CSV(100), "empty.csv": apptest.Header + "\n", "one.csv": apptest.Header + "\n30,F,n,1,100\n"})
	for name, c := range map[string]struct{ file, yaml string }{
		"good":         {"good.csv", apptest.Loans},
		"amounts":      {"good.csv", "record: {label: {field: pay}}\nlearner: {task: regression}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, criterion: mean-difference, tau: 2}]\n"},
		"odd":          {"odd.csv", "record: {label: {field: approved, positive: Yes}, ignore: [idd]}\nconstraints: [{name: g, attribute: gender, group: Male, versus: female, tau: 0.1}, {name: each, attribute: country, group: each, criterion: equal-opportunity, tau: 0.1}]\n"},
		"label":        {"odd.csv", "record: {label: {field: approved, positive: yes}}\nconstraints: [{name: g, attribute: [gender, country], group: [male, DE], versus: rest, tau: 0.1}, {name: a, attribute: age, group: {from: 40}, versus: {below: 40}, tau: 0.1}]\n"},
		"empty":        {"empty.csv", apptest.Loans},
		"one":          {"one.csv", apptest.Loans},
		"one-rejected": {"rejected.csv", apptest.Loans},
		"missing":      {"good.csv", "record: {label: {field: income, positive: 1}}\nconstraints: [{name: sex, attribute: gender, group: M, versus: F, tau: 0.1}]\n"},
	} {
		loaded := apptest.Load(t, c.yaml, config.Learning)
		stage.Says(t, name+".txt", func(ctx context.Context) error {
			from, err := input.NewSource(c.file, "", nil)
			if err != nil {
				return err
			}
			return (&Records{Streams: stage.Streams, Config: loaded.Model()}).OfFile(ctx, from)
		})
	}
	stage.Says(t, "topic.txt", func(ctx context.Context) error {
		return (&Records{Streams: stage.Streams, Config: j.Config.Model(), Topic: j.Config.Topics.Input}).OfTopic(ctx, j.Client)
	})
}
