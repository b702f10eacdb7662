package observe

import (
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/isolate"
)

// Problem says that the next start could not continue a section of a snapshot. It would learn without it.
type Problem struct {
	// Part is the section, and Key the key of the configuration that switches it off.
	Part, Key string
	Err       error
}

// Check does with the sections of a snapshot what the next start would do.
func Check(o *Settings, d Decider, saved Saved) (problems []Problem) {
	for _, part := range []struct {
		name, key string
		restore   func() error
	}{
		{PartMonitor, "monitor.enabled", func() error { _, err := restoreWitnesses(o, d, saved.Monitor); return err }},
		{PartReleases, "release.enabled", func() error { return tryReleases(o, d, &saved) }},
	} {
		err, ok := isolate.Ask(isolate.New(part.name), func() (err error) {
			defer func() {
				if found := recover(); found != nil {
					err = fmt.Errorf("it panics: %v", found)
				}
			}()
			return part.restore()
		})
		if !ok {
			err = errors.New("it hangs")
		}
		if err != nil {
			problems = append(problems, Problem{part.name, part.key, err})
		}
	}
	return problems
}

// tryReleases restores the releases, and does with a copy what the next start does first.
func tryReleases(o *Settings, d Decider, saved *Saved) error {
	r, err := restoreReleases(o, d, saved.Release, saved.Records)
	if err != nil || r.off() {
		return err
	}
	r.machine.Report()
	r.take(saved.Records)
	return nil
}

// ErrOther says that the section of the monitor has other comparisons or settings.
var ErrOther = errors.New("observe: the monitor has other comparisons or settings")

// Counted is what the section of the monitor holds.
func Counted(o *Settings, d Decider, section []byte) ([]*Monitored, error) {
	w, err := restoreWitnesses(o, d, section)
	if err == nil && w != nil && w.again {
		err = ErrOther
	}
	return w.monitored(), err
}
