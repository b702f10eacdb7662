package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
)

// Job is a job of which the history is shown.
type Job struct {
	*program.Streams
	Config *config.Loaded
	Period history.Period
	Gap    time.Duration // how long a version may stay the newest
	JSON   bool
}

// Run shows the history; that it is broken, or not signed as it should be, is an error.
func (a *Job) Run(ctx context.Context) error {
	c := a.Config
	var found *history.Audit
	err := cluster.With(ctx, c.Kafka, a.Err, func(ctx context.Context, client *kafka.Client) (err error) {
		found, err = cluster.ReadAudit(ctx, client, c, a.Period, a.Gap)
		return err
	})
	if err != nil {
		return err
	}
	if found.Chain.Entries == 0 && found.Chain.Whole {
		return fmt.Errorf("topic %s holds no history of job %s yet: fairstream run records it", c.Topics.History, c.Job)
	}
	if a.JSON {
		err = json.NewEncoder(a.Out).Encode(found)
	} else {
		_, err = fmt.Fprint(a.Out, Report(found))
	}
	switch refused := len(found.Signatures.Refused); {
	case err != nil:
	case !found.Chain.Whole:
		err = errors.New("the history is broken: an entry was deleted, altered, moved or added, and what was to be told is not known")
	case len(found.Signatures.Entries.Refused) > 0:
		err = fmt.Errorf("topic %s holds entries that no key of signing.public_keys signed", c.Topics.History)
	case refused > 0:
		err = fmt.Errorf("topic %s holds %s that no key of signing.public_keys signed", c.Topics.Model, english.Counted(refused, "record"))
	}
	return err
}
