package model

import (
	"fmt"

	"github.com/fairstream/fairstream/pkg/document"
)

// ignoredColumns is the condition that records bring more columns than are encoded.
func (l *Learner) ignoredColumns() []document.Condition {
	values := l.encoder.Ignored()
	if values == 0 {
		return nil
	}
	return []document.Condition{{Code: document.ColumnsIgnored, Detail: fmt.Sprintf(
		"%d values of columns beyond the first %d were not learnt: raise learner.vocabulary.columns, or name the columns that do not matter in record.ignore",
		values, l.config.Learner.Vocabulary.Columns)}}
}
