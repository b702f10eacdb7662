package serve

import (
	"errors"
	"fmt"
	"sync/atomic"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/heartbeat"
	"github.com/fairstream/fairstream/internal/server"
)

// Server decides over HTTP.
type Server struct {
	*program.Streams
	Config *config.Loaded
	Model  string  // a file with the document that decides; empty: Alias does
	Alias  string  // empty: stable, or latest until there is one
	Shadow string  // an alias that scores too; empty: none
	Split  float64 // the share of the records that Shadow decides

	logger  *zap.Logger
	monitor *server.Deciding
	beats   atomic.Pointer[heartbeat.Writer] // nil before it begins, and without serve.heartbeat
}

// Check refuses what does not fit together.
func (c *Server) Check() error {
	switch {
	case c.Split > 0 && c.Shadow == "":
		return errors.New("--split needs --shadow: the alias that decides this share")
	case !(c.Split >= 0 && c.Split <= 1):
		return fmt.Errorf("--split %v is outside [0, 1]", c.Split)
	}
	return nil
}
