package board

import "time"

// Serving is which versions serve where, according to the heartbeats of the instances of `fairstream serve`. A heartbeat is not verified.
type Serving struct {
	// Instances are sorted by name, those that are silent first, at most MostInstances of Known.
	Instances []Instance `json:"instances"`
	Known     int        `json:"known"`
	// Silent is how many of Known are silent.
	Silent int `json:"silent"`
	// Ignored is how many malformed heartbeats this process has seen.
	Ignored int64 `json:"ignored"`
	// Reason says why heartbeats cannot be read now; empty if they can.
	Reason string `json:"reason"`
}

// MostInstances bounds Serving.Instances.
const MostInstances = 200

// Instance is an instance of `fairstream serve`.
type Instance struct {
	Name    string    `json:"name"`
	Program string    `json:"program"`
	Started time.Time `json:"started"`
	// Heard is the time of its last heartbeat. Silent: the next three did not come.
	Heard  time.Time `json:"heard"`
	Silent bool      `json:"silent"`
	// Uses are the versions in use: the one that decides, then that of a shadow.
	Uses []Use `json:"uses"`
}

// Use is a version in use.
type Use struct {
	Place
	Alias     string    `json:"alias"`
	Since     time.Time `json:"since"`
	Decisions int64     `json:"decisions"`
}

// complete replaces lists that are nil.
func (s *Serving) complete() {
	if s == nil {
		return
	}
	list(&s.Instances)
	for i := range s.Instances {
		list(&s.Instances[i].Uses)
	}
}
