package wire

// Compression codecs, by their number in a batch's attributes.
const (
	None = iota
	Gzip
	Snappy
	LZ4
	Zstd
)

// CodecNames are the names of the codecs in a configuration, by number.
var CodecNames = [...]string{"none", "gzip", "snappy", "lz4", "zstd"}

// CodecOf is the number of a name.
func CodecOf(name string) int16 {
	for i, known := range CodecNames {
		if name == known {
			return int16(i)
		}
	}
	panic("kafka: unknown codec " + name) // Validate has checked it
}
