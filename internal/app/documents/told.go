package documents

import (
	"fmt"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/pkg/follow"
)

// NoDocument says why there is nothing to decide by.
func (c *Followed) NoDocument() string {
	where := fmt.Sprintf("topic %s has no document of job %s that can be used", c.Config.Topics.Model, c.Config.Job)
	if w := c.withheld.Load(); w != nil {
		return fmt.Sprintf("topic %s, offset %d: alias %s of job %s is refused: %v. `fairstream run` writes the alias again; --alias chooses another one",
			c.Config.Topics.Model, w.Refused.Offset, w.Alias, c.Config.Job, w.Refused.Err)
	}
	if c.Alias == "" {
		return where + ": fairstream run publishes one, and the log says what was refused"
	}
	return fmt.Sprintf("%s under the alias %s: `fairstream models list` shows the aliases, --alias chooses another one, and the log says what was refused", where, c.Alias)
}

// told logs what followers tell.
func (c *Followed) told(event follow.Event) {
	if _, is := event.(follow.Outage); !is { // the last good document decides on
		c.Notify(event)
	}
	switch e := event.(type) {
	case follow.Swapped:
		if c.Alias == "" && e.Model.Alias == follow.LatestAlias && e.Before == nil {
			c.Logger.Warn("there is no stable version yet: this process decides by the alias latest until a version is stable; use --alias to choose another alias")
		}
		c.Logger.Info("decides by another version", zap.String("alias", e.Model.Alias), zap.Int64("version", e.Model.Version), zap.Int64("term", e.Model.Term),
			zap.String("weights_sha256", e.Model.Document.WeightsSHA256))
	case follow.Forgotten:
		c.Logger.Warn("the alias was deleted: its version decides no more", zap.String("alias", e.Before.Alias), zap.Int64("version", e.Before.Version), zap.Int64("term", e.Before.Term))
	case follow.Refused:
		c.Logger.Error("a record on the model topic is refused", zap.String("key", e.Key), zap.Int64("offset", e.Offset), zap.Error(e.Err))
	case follow.Waiting:
		c.Logger.Warn("an alias points to a document that is not on the topic", zap.String("alias", e.Alias), zap.Int64("version", e.Version), zap.Int64("term", e.Term))
	case follow.Unwatched:
		if e.Since.IsZero() {
			c.Logger.Info("the owner of the job watches the version of the alias again", zap.String("alias", e.Alias))
			break
		}
		c.Logger.Error("the version of the alias is no longer withdrawn if it leaves its limits, because a defect has stopped the releases of `fairstream run`: restart it; "+
			"the condition releases_stopped has the details", zap.String("alias", e.Alias), zap.Time("since", e.Since))
	case follow.Withheld:
		c.withheld.Store(&e)
		c.Logger.Error("no decision is made: the record of the alias is refused, so the version to use is unknown. `fairstream run` writes the alias again within 10 s; "+
			"--alias chooses another one", zap.String("alias", e.Alias), zap.String("key", e.Refused.Key), zap.Int64("offset", e.Refused.Offset), zap.Error(e.Refused.Err))
	case follow.Outage:
		if e.Err != nil {
			c.Logger.Warn("kafka operation failed and is retried; the last good version stays in use", zap.String("operation", e.Operation), zap.Error(e.Err))
		}
	}
}
