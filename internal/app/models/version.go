package models

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/pkg/stream"
)

// Version is a flag that names a version, with its term or without: then the newest document of the version is meant.
type Version struct{ term, version int64 }

// String is part of pflag.Value.
func (v *Version) String() string {
	switch {
	case v.version == 0:
		return ""
	case v.term == 0:
		return strconv.FormatInt(v.version, 10)
	}
	return fmt.Sprintf("%d/%d", v.term, v.version)
}

// Type is part of pflag.Value.
func (v *Version) Type() string { return "VERSION" }

// Set is part of pflag.Value.
func (v *Version) Set(text string) (err error) {
	term, version, both := strings.Cut(text, "/")
	if !both {
		term, version = "0", text
	}
	if v.term, err = strconv.ParseInt(term, 10, 64); err == nil {
		v.version, err = strconv.ParseInt(version, 10, 64)
	}
	if err != nil || v.version < 1 || v.term < 0 || both && v.term == 0 {
		return errors.New("write a version, such as 48842, or a term and a version, such as 2/48842")
	}
	return nil
}

// of is the document that is meant, nil if there is none.
func (v *Version) of(found *stream.Models) *stream.Model { return found.Find(v.term, v.version) }
