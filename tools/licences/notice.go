package licences

import (
	"fmt"
	"strings"
)

// Notice is the file NOTICE: the modules with their licences and holders of copyright.
func Notice(modules []Module) string {
	var b strings.Builder
	b.WriteString("fairstream\nLicensed under the Apache License, Version 2.0 (LICENSE).\n\n" +
		"The program is linked from the Go standard library (BSD-3-Clause, Copyright 2009 The Go Authors) and these modules.\n" +
		"A release contains the texts of their licences (THIRD-PARTY.txt). This file is made by make notice.\n\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "%s %s: %s", m.Path, m.Version, m.Identifier)
		if m.Copyright != "" {
			fmt.Fprintf(&b, ". %s", m.Copyright)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Texts are the licences of the modules in full; modules with the same text share it.
func Texts(modules []Module) string {
	var order []string
	users := map[string][]string{}
	for _, m := range modules {
		if users[m.Text] == nil {
			order = append(order, m.Text)
		}
		users[m.Text] = append(users[m.Text], m.Path+" "+m.Version)
	}
	rule := strings.Repeat("-", 80) + "\n"
	var b strings.Builder
	for _, text := range order {
		b.WriteString(rule + strings.Join(users[text], "\n") + "\n" + rule + text + "\n")
	}
	return b.String()
}
