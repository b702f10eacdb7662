package heartbeat

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Shortest and Longest bound the time between two heartbeats of an instance.
const (
	Shortest = time.Second
	Longest  = 5 * time.Minute
)

// Beat is what an instance tells of itself.
type Beat struct {
	// Instance is the name of the instance: its host and its port.
	Instance string `json:"instance"`
	// Program is the version of fairstream.
	Program string `json:"program"`
	// Started is when the instance began to decide, Time when it told this.
	Started time.Time `json:"started"`
	Time    time.Time `json:"time"`
	// EverySeconds is when the next heartbeat comes.
	EverySeconds float64 `json:"every_seconds"`
	// Ended says that the instance was stopped, and that no further heartbeat comes.
	Ended bool `json:"ended,omitempty"`
	// Serving are the documents in use: the one that decides, then that of a shadow. There is none while the instance waits for its first.
	Serving []Serving `json:"serving"`
}

// Serving is a document in use.
type Serving struct {
	Alias         string `json:"alias"`
	Term          int64  `json:"term"`
	Version       int64  `json:"version"`
	WeightsSHA256 string `json:"weights_sha256"`
	// Since is when the instance began to use it.
	Since time.Time `json:"since"`
	// Decisions were made by documents of this alias since the instance began.
	Decisions int64 `json:"decisions"`
}

// every is the time until the next heartbeat.
func (b *Beat) every() time.Duration { return time.Duration(b.EverySeconds * float64(time.Second)) }

// Bounds of what a heartbeat may hold. Names that are longer are not ours, and take room on every page.
const (
	mostName    = 300
	mostServing = 2
	mostNumber  = 1 << 53 // exact in every reader of JSON
)

// check says what is wrong with a heartbeat that came from a topic.
func (b *Beat) check() error {
	every := b.EverySeconds
	switch {
	case !isName(b.Instance):
		return errors.New("instance is not a name")
	case !isName(b.Program):
		return errors.New("program is not a version")
	case !(every >= Shortest.Seconds() && every <= Longest.Seconds()):
		return fmt.Errorf("every_seconds is outside [%v, %v]", Shortest.Seconds(), Longest.Seconds())
	case !isTime(b.Started) || !isTime(b.Time):
		return errors.New("started or time is not in this era")
	case len(b.Serving) > mostServing:
		return fmt.Errorf("more than %d documents are served", mostServing)
	}
	for i := range b.Serving {
		s := &b.Serving[i]
		sum, err := hex.DecodeString(s.WeightsSHA256)
		switch {
		case !isName(s.Alias):
			return errors.New("alias is not a name")
		case err != nil || len(sum) != 32:
			return errors.New("weights_sha256 is not 64 hexadecimal digits")
		case !isCount(s.Term) || !isCount(s.Version) || !isCount(s.Decisions):
			return errors.New("term, version or decisions is no count")
		case !isTime(s.Since):
			return errors.New("since is not in this era")
		}
	}
	return nil
}

// isName: printable ASCII without spaces, so that a terminal and a page show a name as it is.
func isName(s string) bool {
	return s != "" && len(s) <= mostName && strings.IndexFunc(s, notPrintable) < 0
}

func notPrintable(r rune) bool { return r <= ' ' || r > '~' }

// named makes a name of a text.
func named(text string) string {
	text = strings.Map(func(r rune) rune {
		if notPrintable(r) {
			return '-'
		}
		return r
	}, text)
	if text == "" {
		return "-"
	}
	return text[:min(len(text), mostName)]
}

func isCount(n int64) bool { return n >= 0 && n <= mostNumber }

// isTime: JSON has years of four digits only.
func isTime(t time.Time) bool { return t.Year() >= 1970 && t.Year() < 10000 }
