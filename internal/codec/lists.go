package codec

import "math"

// Text codes a string.
func Text[T ~string](c *Coder, x *T) {
	n := c.Length(len(*x), 1)
	if !c.reading {
		c.data = append(c.data, *x...)
		c.wrote()
		return
	}
	*x = T(c.cut(n))
}

// Index codes a whole number in [0, limit).
func Index[T ~int | ~int32 | ~int64](c *Coder, x *T, limit int) {
	number := uint64(*x)
	c.Uint(&number)
	if !c.reading {
		return
	}
	if number >= uint64(limit) {
		c.fail(ErrDamaged)
		number = 0
	}
	*x = T(number)
}

// Length codes how many items follow: length of them when writing. Each takes least bytes at least, so that a length
// that cannot be is found out before anything is allocated. It returns the number to go through.
func (c *Coder) Length(length, least int) int {
	n := uint64(length)
	c.Uint(&n)
	if c.reading && n > uint64(len(c.data)/least) {
		c.fail(ErrDamaged)
		return 0
	}
	return int(n)
}

// Slice codes a list. Each item takes least bytes at least. What is read replaces the list, and ends with the first
// error.
func Slice[T any](c *Coder, items *[]T, least int, item func(*T)) {
	n := c.Length(len(*items), least)
	if !c.reading {
		for i := range *items {
			item(&(*items)[i])
		}
		return
	}
	*items = nil
	for range n {
		var one T
		item(&one)
		if c.err != nil {
			return
		}
		*items = append(*items, one)
	}
}

// Floats codes a list of any numbers.
func (c *Coder) Floats(x *[]float64) {
	if c.hold != nil && len(*x) >= copiedFrom {
		n, now := uint64(len(*x)), copyOf(*x)
		c.hold.later(c, func(c *Coder) {
			c.Uint(&n)
			c.floats(now[0])
			c.floats(now[1])
		})
		return
	}
	n := c.Length(len(*x), 8)
	if c.reading {
		*x = nil
		if n > 0 {
			*x = make([]float64, n)
		}
	}
	c.floats(*x)
}

// floats codes so many numbers.
func (c *Coder) floats(x []float64) {
	for i := range x {
		c.Float(&x[i])
	}
}

// Ascending codes a list of finite numbers, each above the one before.
func (c *Coder) Ascending(x *[]float64) {
	c.Floats(x)
	last := math.Inf(-1)
	for _, v := range *x {
		c.Check(v > last && v <= math.MaxFloat64)
		last = v
	}
}
