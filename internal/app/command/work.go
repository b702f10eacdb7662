package command

// WorkError marks an error of the work, as against one of the command line.
type WorkError struct{ error }

func (e WorkError) Unwrap() error { return e.error }

// InWork marks err.
func InWork(err error) error {
	if err == nil {
		return nil
	}
	return WorkError{err}
}
