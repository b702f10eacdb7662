package find

// Finding is something that is probably not meant.
type Finding struct {
	// Fatal says that what is learnt would be useless.
	Fatal bool
	// Path is the key of the configuration that it is about.
	Path string
	// Text says what was found and what to do.
	Text string
	// Proxy is the column that tells the group of a record, if the finding is about one.
	Proxy string

	LeftOut bool // it is about a column that a learner leaves out
	Unit    bool // it is about a unit that changes
	Order   bool // it is about the order of the labels
}

func (f Finding) String() string { return f.Path + ": " + f.Text }
