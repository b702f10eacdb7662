package service

import (
	"io"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/server"
)

// Logger writes the log of a job, for people where that is configured, or where nothing is and a person looks on. The level
// may be changed while it is used.
func Logger(w io.Writer, c *config.Loaded) (*zap.Logger, zap.AtomicLevel, error) {
	logger, level, err := ProcessLogger(w, c)
	if err != nil {
		return nil, level, err
	}
	return logger.With(zap.String("job", c.Job)), level, nil
}

// ProcessLogger writes the log of a process with many jobs, as c configures it.
func ProcessLogger(w io.Writer, c *config.Loaded) (*zap.Logger, zap.AtomicLevel, error) {
	console := c.Log.Format == config.Console || !c.IsSet("log.format") && program.IsTerminal(w)
	logger, level, err := server.NewLogger(w, console, string(c.Log.Level))
	if err != nil {
		return nil, level, err
	}
	return logger.Named("fairstream"), level, nil
}
