package decimals

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

func mustEqual(t *testing.T, x float64) {
	t.Helper()
	want := strconv.AppendFloat([]byte("x="), x, 'g', -1, 64)
	if got := Append([]byte("x="), x); string(got) != string(want) {
		t.Fatalf("%x is written as %s, by strconv as %s", x, got, want)
	}
}

func TestEdges(t *testing.T) {
	for _, x := range []float64{0, 1, 1e-5, 1e-4, 1e-3, .5, .1, .3, 1.0 / 3, 10, 100, 1e5, 1e6, 1e7, 123456, 999999, 100000.5, least, most, math.MaxFloat64,
		math.SmallestNonzeroFloat64, math.Inf(1), math.NaN(), 5e-324, 9007199254740993, 2.5, .25, 1 - 0x1p-53, 1 + 0x1p-52} {
		for _, y := range []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1))} {
			mustEqual(t, y)
			mustEqual(t, -y)
		}
	}
	mustEqual(t, math.Copysign(0, -1))
}

func TestBesideStrconv(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300_000 {
		mustEqual(t, math.Float64frombits(random.Uint64()))                                 // of any size
		mustEqual(t, math.Ldexp(random.Float64(), random.IntN(60)-37))                      // everyday
		mustEqual(t, math.Ldexp(1+float64(random.IntN(1<<12))/(1<<12), random.IntN(58)-37)) // of few bits
		mustEqual(t, float64(random.IntN(1_000_000))/math.Pow10(random.IntN(10)))           // of few digits
		mustEqual(t, 1/(1+math.Exp(4*random.NormFloat64())))
	}
}

// Numbers of few bits lie halfway between two numbers of so many places, and next to powers of two and of ten bounds are uneven.
func TestNeighbours(t *testing.T) {
	for power := -40; power <= 24; power++ {
		for bit := range 53 {
			x := math.Ldexp(1, power) + math.Ldexp(1, power-bit)
			mustEqual(t, x)
			mustEqual(t, math.Nextafter(x, 0))
			mustEqual(t, math.Nextafter(x, 2*x))
		}
	}
	for power := -12; power <= 7; power++ {
		x := math.Pow10(power)
		for range 1000 {
			mustEqual(t, x)
			x = math.Nextafter(x, 0)
		}
	}
}

func FuzzAppend(f *testing.F) {
	f.Add(.75)
	f.Add(-1e-5)
	f.Fuzz(mustEqual)
}

func TestAllocatesNothing(t *testing.T) {
	line := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { line = Append(line[:0], .8312345678901234) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkAppend(b *testing.B) {
	numbers := make([]float64, 1024)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range numbers {
		numbers[i] = 1 / (1 + math.Exp(2*random.NormFloat64()))
	}
	line := make([]byte, 0, 64)
	b.Run("fairstream", func(b *testing.B) {
		for i := range b.N {
			line = Append(line[:0], numbers[i%len(numbers)])
		}
	})
	b.Run("strconv", func(b *testing.B) {
		for i := range b.N {
			line = strconv.AppendFloat(line[:0], numbers[i%len(numbers)], 'g', -1, 64)
		}
	})
}

// TestFloorOf against big integers, at carries too.
func TestFloorOf(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for range 20_000 {
		shift := 24 + random.IntN(39)
		low, add := random.Uint64(), random.Uint64()>>(2+random.IntN(60))
		high := random.Uint64() >> (64 - shift + 1) // so that the result has 64 bits
		if random.IntN(2) == 0 {
			add = -add
		}
		if random.IntN(2) == 0 {
			low = uint64(random.IntN(3)-1) - add // next to a carry
		}
		sum := new(big.Int).Add(new(big.Int).Lsh(new(big.Int).SetUint64(high), 64), new(big.Int).SetUint64(low))
		sum.Add(sum, big.NewInt(int64(add)))
		if sum.Sign() < 0 {
			continue
		}
		want := sum.Rsh(sum, uint(shift))
		if got := floorOf(high, low, add, shift); !want.IsUint64() || got != want.Uint64() {
			t.Fatalf("%x %x and %d, without %d bits: %d, want %v", high, low, int64(add), shift, got, want)
		}
	}
}
