module example.com/learn

go 1.26.0

require github.com/fairstream/fairstream v0.0.0

require (
	github.com/agnivade/levenshtein v1.2.2 // indirect
	github.com/go-faster/errors v0.7.1 // indirect
	github.com/go-faster/jx v1.2.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/segmentio/asm v1.2.1 // indirect
	github.com/twmb/murmur3 v1.2.2 // indirect
	golang.org/x/sys v0.49.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace github.com/fairstream/fairstream => ../../..
