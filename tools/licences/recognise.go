package licences

import (
	"strings"
)

// permitted are the licences that a dependency may have: each permits that a binary is passed on under Apache-2.0 with the
// text of the licence beside it.
var permitted = map[string]bool{"Apache-2.0": true, "MIT": true, "BSD-2-Clause": true, "BSD-3-Clause": true, "ISC": true}

// phrases belong to one licence alone. Where several match, the first is meant.
var phrases = []struct{ identifier, phrase string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"AGPL-3.0", "gnu affero general public license"},
	{"LGPL-3.0", "gnu lesser general public license"},
	{"GPL-3.0", "gnu general public license"},
	{"BSD-3-Clause", "neither the name of"},
	{"BSD-3-Clause", "the names of its contributors may not be used to endorse"},
	{"BSD-2-Clause", "redistribution and use in source and binary forms"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
	{"ISC", "permission to use, copy, modify, and distribute this software for any purpose"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
}

// recognise returns the SPDX identifier of the licence with a text; it is empty if the text is no known licence.
func recognise(text string) string {
	words := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	words = strings.ReplaceAll(words, "license, version", "license version")
	for _, p := range phrases {
		if strings.Contains(words, p.phrase) {
			return p.identifier
		}
	}
	return ""
}
