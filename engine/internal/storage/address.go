package storage

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

// IsAddress says whether a name is an address rather than one on a disk.
func IsAddress(name string) bool { return strings.Contains(name, "://") }

// Join adds an element to the name of a folder.
func Join(folder, name string) string {
	if IsAddress(folder) {
		return strings.TrimSuffix(folder, "/") + "/" + name
	}
	return filepath.Join(folder, name)
}

// address is what Beam's file systems take for an address. They read a URL, in which ? begins a query, # a fragment and % an escape: without this,
// another file would be read than the one that is named.
func address(name string) string {
	scheme, rest, is := strings.Cut(name, "://")
	if !is {
		return name
	}
	bucket, key, _ := strings.Cut(rest, "/")
	return (&url.URL{Scheme: scheme, Host: bucket, Path: "/" + key}).String()
}

// broad is a pattern that all names match which match the given one, and that has no wildcard but *: Beam (2.77.0) finds nothing where others come first.
func broad(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '*', '?':
			b.WriteByte('*')
		case '\\':
			if i++; i < len(pattern) && strings.IndexByte(special, pattern[i]) < 0 {
				b.WriteByte(pattern[i])
			} else {
				b.WriteByte('*')
			}
		case '[':
			for i++; i < len(pattern) && pattern[i] != ']'; i++ {
				if pattern[i] == '\\' {
					i++
				}
			}
			b.WriteByte('*')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// special begin something else than themselves in a pattern.
const special = `*?[\`

// literal is a pattern that only one name matches.
func literal(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if strings.IndexByte(special, name[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// matches says whether the name of an object matches a pattern. Names that end with a slash are those of folders that somebody has made.
func matches(pattern, name string) bool {
	is, err := path.Match(pattern, name)
	return err == nil && is && !strings.HasSuffix(name, "/")
}
