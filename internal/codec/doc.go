// Package codec writes state as bytes and reads it back. A type names each of its fields once, in one function that
// serves both directions:
//
//	func (p *part) fields(c *codec.Coder) {
//		c.Section(func() {
//			c.Float(&p.sum)
//			c.Count(&p.records)
//			codec.Slice(c, &p.items, 9, func(i *item) { i.fields(c) })
//			if c.More() { // added later: an older state ends before it
//				c.Bool(&p.added)
//			}
//		})
//	}
//
// Whole numbers are varints, all others little-endian. The same values always give the same bytes. Bytes that are read
// are not trusted: every length is held against what is left before anything is allocated, and after the first error
// nothing is read any more.
//
// It may import internal/halves.
//
// The files:
//
//	codec.go   numbers, sections and errors of saved state: damaged, of a newer program
//	lists.go   texts and lists
//	hold.go    what is coded later, while the values go on to change
//	stream.go  to and from a stream, without holding all of it in memory
package codec
