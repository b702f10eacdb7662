package documents

import (
	"sync/atomic"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/follow"
)

// Followed are the documents of a job that a command decides by.
type Followed struct {
	Config *config.Loaded
	// Alias decides; empty: stable, or latest until there is one.
	Alias  string
	Logger *zap.Logger
	// Notify is told what followers tell, but for outages, during which the last good document decides on.
	Notify func(follow.Event)

	withheld atomic.Pointer[follow.Withheld] // why there is no document, if that is known
}
