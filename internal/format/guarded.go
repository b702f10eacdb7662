package format

import (
	"errors"
	"fmt"
	"strings"
)

// Bounds on schemas: who may write to a registry must not be able to fill the memory of a process, or its stack.
const (
	// MaxSchema is the longest schema, with those that it refers to.
	MaxSchema = 2 << 20
	// MaxDepth is how deep types may lie in others, also by name.
	MaxDepth = 200
	// longestProblem is how much of an error of a parser is kept: some repeat themselves for each level.
	longestProblem = 500
)

// ErrDeep is that MaxDepth is exceeded.
var ErrDeep = fmt.Errorf("the schema is nested deeper than %d", MaxDepth)

// Guarded makes something of a schema that others wrote. A panic becomes an error, and a long error a short one.
func Guarded[T any](parse func() (T, error)) (made T, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			var none T
			made, err = none, shortened(fmt.Errorf("the schema cannot be read: its parser failed: %v", problem))
		}
	}()
	made, err = parse()
	return made, shortened(err)
}

// shortened keeps the beginning and the end of a long error.
func shortened(err error) error {
	if err == nil || len(err.Error()) <= longestProblem {
		return err
	}
	text := err.Error()
	return errors.New(strings.ToValidUTF8(text[:longestProblem/2]+" … "+text[len(text)-longestProblem/2:], ""))
}
