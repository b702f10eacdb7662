package document

import (
	"encoding/json"
	"time"
)

// Lineage says where a document comes from.
type Lineage struct {
	// Parent is the version published before, 0 if none was.
	Parent int64 `json:"parent,omitempty"`
	// Term is that of the owner of the job who published the document; 0 outside a stream.
	Term int64 `json:"term,omitempty"`
	// ConfigSHA256 is the SHA-256 of all that is configured: of a stream every section, of a file the
	// sections of Config.
	ConfigSHA256 string `json:"config_sha256"`
	// Changes are the latest changes of the configuration over restarts, the newest last.
	Changes []ConfigChange `json:"changes,omitempty"`
	// History is the entry of the job's history that tells of this publication.
	History *HistoryEntry `json:"history,omitempty"`
	// Program is the version of the program.
	Program string `json:"program,omitempty"`
	// Input names what was learnt from.
	Input string `json:"input,omitempty"`
}

// ConfigChange is a key of the configuration that a restart changed.
type ConfigChange struct {
	// Key is its path, as in constraints[0].tau; Old and New are its values, null where it is not set.
	Key string          `json:"key"`
	Old json.RawMessage `json:"old"`
	New json.RawMessage `json:"new"`
	// Time is when the change came into force, and Version how many records were learnt before.
	Time    time.Time `json:"time"`
	Version int64     `json:"version"`
}

// HistoryEntry names an entry of a job's history.
type HistoryEntry struct {
	Sequence int64  `json:"sequence"`
	SHA256   string `json:"sha256"`
}
