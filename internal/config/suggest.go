package config

import (
	"strings"

	"github.com/fairstream/fairstream/internal/spelling"
)

// suggestKey says what an unknown key of a section was probably meant to be.
func suggestKey(key string, fields []field) string {
	known := make([]string, len(fields))
	for i, f := range fields {
		if strings.HasPrefix(f.key, key+".") {
			return ": keys with dots are written in one piece, as in " + f.key + ": …"
		}
		known[i] = f.key
	}
	if near := spelling.Nearest(key, known); near != "" {
		return ": did you mean " + near + "?"
	}
	for _, elsewhere := range Keys() {
		if strings.HasSuffix(elsewhere.Path, "."+key) {
			return ": did you mean " + elsewhere.Path + "?"
		}
	}
	return ": the keys here are " + strings.Join(known, ", ")
}
