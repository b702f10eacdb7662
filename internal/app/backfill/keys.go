package backfill

import (
	"path/filepath"
	"strconv"
	"strings"
)

// wildcards have a meaning in a pattern.
const wildcards = `*?[\`

// keyOf is the name of a file that a pattern names, without the folders that the pattern names in full: it stays when a history is moved.
func keyOf(pattern, name string) string {
	fixed := 0
	folders := elements(pattern)
	for _, folder := range folders[:len(folders)-1] {
		if strings.ContainsAny(folder, wildcards) {
			break
		}
		fixed++
	}
	of := elements(name)
	return strings.Join(of[min(fixed, len(of)-1):], "/")
}

// elements are the folders of a name, and its last part. Of an address, the scheme and the bucket are one folder.
func elements(name string) []string {
	if scheme, rest, is := strings.Cut(name, "://"); is {
		of := strings.Split(rest, "/")
		of[0] = scheme + "://" + of[0]
		return of
	}
	return strings.Split(filepath.ToSlash(filepath.Clean(name)), "/")
}

// tellApart numbers files of the same name, which different patterns name, in their order.
func tellApart(times map[string]int, name string) string {
	times[name]++
	if n := times[name]; n > 1 {
		return name + "\x00" + strconv.Itoa(n)
	}
	return name
}
