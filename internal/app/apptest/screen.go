package apptest

import (
	"bytes"
	"sync"
)

// Screen is what a command writes while a test reads it. The zero value is empty.
type Screen struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write adds to the text.
func (s *Screen) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.Write(p)
}

// String is the text so far.
func (s *Screen) String() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.String()
}
