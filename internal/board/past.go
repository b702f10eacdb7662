package board

import "time"

// Version is a set of published weights with its evidence.
type Version struct {
	Term          int64        `json:"term"`
	Version       int64        `json:"version"`
	WeightsSHA256 string       `json:"weights_sha256"`
	Published     time.Time    `json:"published"`
	Alias         []string     `json:"alias"`
	Constraints   []Constraint `json:"constraints"`
	// Changes are those of the configuration since the version before.
	Changes []Change `json:"changes"`
	// Who published it; nil until the history has told it.
	Who *Who `json:"who"`
}

// Who is responsible for an entry of the history: a command on a host, and the actor and reason that it was given.
type Who struct {
	Service string `json:"service"`
	Host    string `json:"host"`
	Actor   string `json:"actor"`
	Reason  string `json:"reason"`
}

// MostHappenings bounds Status.History.
const MostHappenings = 50

// Happening is an entry of the history that is no publication: a change of owner, configuration or verdict, an alarm, a
// loss of data, a reset.
type Happening struct {
	// Sequence is that of the entry.
	Sequence int64     `json:"sequence"`
	Time     time.Time `json:"time"`
	Term     int64     `json:"term"`
	// Kind is that of the entry: owner, configuration, decisions, data_loss, reset and others.
	Kind string `json:"kind"`
	// Text is what happened, in words.
	Text string `json:"text"`
	Who  Who    `json:"who"`
}

// Change of one key of the configuration.
type Change struct {
	Path string `json:"path"`
	// Text is the change in words.
	Text   string `json:"text"`
	From   string `json:"from"`
	To     string `json:"to"`
	Actor  string `json:"actor"`
	Reason string `json:"reason"`
}
