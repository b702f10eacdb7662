package licences

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNotice: NOTICE names what is linked, under licences that are permitted.
func TestNotice(t *testing.T) {
	modules, err := Of("../..", "./cmd/fairstream")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	if Notice(modules) != string(text) {
		t.Error("NOTICE is not current: run make notice")
	}
	texts := Texts(modules)
	for _, m := range modules {
		if !strings.Contains(texts, m.Path+" "+m.Version+"\n") || len(m.Text) < 300 {
			t.Errorf("%s: no text of its licence", m.Path)
		}
	}
}

func TestRecognise(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n  Version 2.0, January 2004":                                                       "Apache-2.0",
		"Permission is hereby granted, free of charge, to any\nperson obtaining a copy":                     "MIT",
		"Redistribution and use in source and binary forms ... Neither the name of X":                       "BSD-3-Clause",
		"Redistribution and use in source and binary forms":                                                 "BSD-2-Clause",
		"GNU GENERAL PUBLIC LICENSE":                                                                        "GPL-3.0",
		"Permission to use, copy, modify, and distribute this software for any purpose with or without fee": "ISC",
		"All rights reserved": "",
	} {
		if got := recognise(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestRefusedLicences: a module without a licence, or under one that binds what links it, is an error that names it.
func TestRefusedLicences(t *testing.T) {
	for text, want := range map[string]string{
		"GNU General Public License": "example.com/x v1: its licence GPL-3.0 is not permitted",
		"ask me":                     "example.com/x v1: no licence was recognised",
	} {
		directory := t.TempDir()
		if err := os.WriteFile(filepath.Join(directory, "LICENSE.txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m := Module{Path: "example.com/x", Version: "v1"}
		if err := m.read(directory); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
