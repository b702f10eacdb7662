package follow

import (
	"time"

	"github.com/fairstream/fairstream/pkg/document"
)

// Model is a document that was verified, and where it comes from. It is immutable.
type Model struct {
	Document *document.Document
	// Term and Version are the ones in its key. Alias is the alias by which it was found: latest, stable or the requested one.
	Term, Version int64
	Alias         string
	// Offset is the offset of the record on the model topic, and Published its time; zero if it is not known.
	Offset    int64
	Published time.Time
}

// Event is one of Swapped, Forgotten, Refused, Waiting, Withheld, Unwatched and Outage.
type Event interface{ event() }

// Swapped reports that another document is in use from now on. Before is nil the first time.
type Swapped struct{ Model, Before *Model }

// Forgotten reports that no document is in use any more, because the alias was deleted.
type Forgotten struct{ Before *Model }

// Refused reports a record of the model topic that is not used, with the reason. The present document stays in use.
type Refused struct {
	Key    string
	Offset int64
	Err    error
}

// Waiting reports that an alias points to a document that is not on the topic.
type Waiting struct {
	Alias         string
	Term, Version int64
}

// Withheld reports why there is no document to use: the only record of the alias is refused, or the alias was deleted where signatures are required.
// The owner of the job writes the alias again within ten seconds, if it has one.
type Withheld struct {
	Alias   string
	Refused Refused
}

// Unwatched reports that nobody withdraws the version of the alias any more if it leaves its limits: the releases of the owner are stopped because of a
// defect. The version stays in use. If Since is zero, the owner watches it again.
type Unwatched struct {
	Alias string
	Since time.Time
}

// Outage reports that an operation of Kafka fails and is tried again. If Err is nil, it works again.
type Outage struct {
	Operation string
	Err       error
	Since     time.Time
}

func (Swapped) event() {}

func (Forgotten) event() {}

func (Refused) event() {}

func (Waiting) event() {}

func (Withheld) event() {}

func (Unwatched) event() {}

func (Outage) event() {}
