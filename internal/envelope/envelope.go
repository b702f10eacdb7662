// Package envelope frames bytes that are stored for long: a magic text and a format version before them, and a checksum
// behind.
//
//	magic | format version (uint16) | content | CRC-32C of all before (uint32)
//
// Numbers are little-endian.
//
// It imports nothing of the project.
//
// The files:
//
//	envelope.go  magic text, version and checksum; "has format version 5, and this program reads version 4"
//	section.go   pieces with their length before them
package envelope

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Format is one kind of envelope.
type Format struct {
	// Magic is the text at the beginning. Its length is part of the format.
	Magic string
	// Version is the one that is written. Those from Oldest on are read, only Version if it is 0; any other is refused.
	Version, Oldest uint16
	// What the envelope holds, for messages, such as "a snapshot".
	What string
}

const (
	versionSize  = 2
	checksumSize = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Overhead is how many bytes an envelope has beside its content.
func (f Format) Overhead() int { return len(f.Magic) + versionSize + checksumSize }

// Begin appends the magic text and the version to dst. The content follows, and then Seal.
func (f Format) Begin(dst []byte) []byte {
	return binary.LittleEndian.AppendUint16(append(dst, f.Magic...), f.Version)
}

// Seal appends the checksum of the envelope that begins at dst[start].
func Seal(dst []byte, start int) []byte { return append(dst, Checksum(dst[start:])...) }

// Checksum is what ends the envelope that these pieces are all of, in their order.
func Checksum(pieces ...[]byte) []byte {
	sum := uint32(0)
	for _, piece := range pieces {
		sum = crc32.Update(sum, castagnoli, piece)
	}
	return binary.LittleEndian.AppendUint32(nil, sum)
}

// Open checks an envelope and returns its content, which is part of sealed. The error says whether it is of another
// kind, of another version, or damaged, and what helps.
func (f Format) Open(sealed []byte) (content []byte, err error) {
	if len(sealed) < f.Overhead() || string(sealed[:len(f.Magic)]) != f.Magic {
		return nil, fmt.Errorf("not %s", f.What)
	}
	head := len(f.Magic) + versionSize
	if version := binary.LittleEndian.Uint16(sealed[len(f.Magic):]); version > f.Version || version < cmp.Or(f.Oldest, f.Version) {
		return nil, &OtherVersion{f.What, version, f.Version}
	}
	checked := sealed[:len(sealed)-checksumSize]
	if crc32.Checksum(checked, castagnoli) != binary.LittleEndian.Uint32(sealed[len(checked):]) {
		return nil, fmt.Errorf("%s is damaged: its checksum is wrong", f.What)
	}
	return checked[head:], nil
}

// OtherVersion is an envelope of a version that this program does not read. It may be whole.
type OtherVersion struct {
	What          string
	Version, Ours uint16
}

func (e *OtherVersion) Error() string {
	help := "use the program that wrote it, or a newer one"
	if e.Version < e.Ours {
		help = "start over with `fairstream state reset`, or use the program that wrote it"
	}
	return fmt.Sprintf("%s has format version %d, and this program reads version %d: %s", e.What, e.Version, e.Ours, help)
}
