package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
)

// regions is a world of regions that differ in their base rates and in how large the minority is in them: 2 to 24 %, 8 % of
// all records. Two of six numbers stand for the minority, as far as that is known from them.
type regions struct{}

const (
	regionCount   = 24
	regionRecords = 25_000
)

// open writes the records, which are the same each time, as CSV.
func (regions) open() io.Reader {
	var text bytes.Buffer
	text.WriteString("label,minority,region,x0,x1,x2,x3,x4,x5\n")
	random := rand.New(rand.NewPCG(2, 24))
	for range regionRecords {
		at := int(regionCount * math.Pow(random.Float64(), 1.5)) // the first regions are the largest
		share := 0.02 + 0.22*float64((at*7)%regionCount)/regionCount
		share *= share / 0.14
		if share = max(0.02, share); at == regionCount-1 {
			share = 0.9
		}
		minority := random.Float64() < share
		var x [6]float64
		for k := range x {
			x[k] = random.NormFloat64()
		}
		lean, answer := 0.0, "no"
		if minority {
			lean, answer = -0.7, "yes"
		}
		x[0], x[1] = x[0]+lean, x[1]+lean/2
		margin := -0.6 + 1.4*float64((at*5)%regionCount)/regionCount + 0.8*x[0] + 0.5*x[2] + 0.5*x[3] - 0.3*x[4]
		label := 0
		if random.Float64() < 1/(1+math.Exp(-1.3*margin)) {
			label = 1
		}
		fmt.Fprintf(&text, "%d,%s,r%d", label, answer, at)
		for _, value := range x {
			fmt.Fprintf(&text, ",%.4f", value)
		}
		text.WriteString("\n")
	}
	return &text
}
