package score

import (
	"errors"
	"fmt"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/documents"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// Topics scores the records of a topic, and writes the decisions to another.
type Topics struct {
	*program.Streams
	Config     *config.Loaded
	From, To   string
	Alias      string  // that decides; empty: stable, or latest until there is one
	Shadow     string  // an alias that scores too; empty: none
	Split      float64 // the share of the records that Shadow decides
	Explore    float64 // the share of the negative decisions that are turned to positive
	Attributes bool    // decisions have the fields that the constraints name
	UntilEnd   bool    // decide what the topic holds now

	logger    *zap.Logger
	monitor   *server.Scoring
	documents *documents.Followed
}

// Check refuses what does not fit together.
func (c *Topics) Check() error {
	switch {
	case c.From == "" || c.To == "":
		return errors.New("--from and --to belong together: the topic of records, and the topic of decisions")
	case c.From == c.To:
		return fmt.Errorf("--to %s: the decisions would go to the topic of the records: name another topic", c.To)
	case c.Split > 0 && c.Shadow == "":
		return errors.New("--split needs --shadow: the alias that decides this share")
	case !(c.Split >= 0 && c.Split <= 1):
		return fmt.Errorf("--split %v is outside [0, 1]", c.Split)
	}
	if err := scoring.CheckShare(c.Explore); err != nil {
		return err
	}
	if c.Explore > 0 && c.Config.Record.Label.Numeric() {
		return scoring.ErrNothingToExplore
	}
	own := c.Config.Topics
	for key, topic := range map[string]string{"input": own.Input, "model": own.Model, "state": own.State, "dead_letter": own.DeadLetter, "history": own.History, "waiting": own.Waiting, "events": own.Events} {
		if c.To == topic {
			return fmt.Errorf("--to %s: this topic is the job's own, topics.%s: name another topic for the decisions", c.To, key)
		}
	}
	return nil
}
