package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Columns beyond learner.vocabulary.columns are a condition that names the key, in both tasks; exactly as many are none.
func TestIgnoredColumnsAreReported(t *testing.T) {
	classifies := adultConfig(model.Adaptive)
	predicts := regressionConfig(model.Adaptive, features.Bins)
	for name, test := range map[string]struct {
		config  model.Config
		records []record.Record
	}{
		"classification": {classifies, adultHead(t, 1200)},
		"regression":     {predicts, readRecords(t, predicts, peopleText(3, 500))},
	} {
		columns := map[string]bool{}
		for _, r := range test.records {
			for _, f := range r.Features {
				columns[f.Name] = true
			}
		}
		for _, fewer := range []int{0, 1} {
			test.config.Learner.Vocabulary.Columns = len(columns) - fewer
			conditions := learn(t, test.config, test.records).Measurements().Conditions
			i := slices.IndexFunc(conditions, func(c document.Condition) bool { return c.Code == document.ColumnsIgnored })
			if (i >= 0) != (fewer > 0) || i >= 0 && !strings.Contains(conditions[i].Detail, "learner.vocabulary.columns") {
				t.Errorf("%s: %d columns fewer than there are: %+v", name, fewer, conditions)
			}
		}
	}
}
