package logistic

import "math"

// logTable has, for each 64th of [1, 2), a number c near the inverse of what is there, and −ln c. With 12 bits of c, the
// product with a number of 53 bits loses little. The first c is 1, so that the logarithm of numbers near 1 keeps its digits.
var logTable = [64]struct{ inverse, logarithm float64 }{
	{0x1.0000000000000p+0, 0x0.0p+0}, {0x1.f440000000000p-1, 0x1.7c61b1cf5dee0p-6}, {0x1.ecc0000000000p-1, 0x1.39f07ba0ebd62p-5}, {0x1.e580000000000p-1, 0x1.b35dd9b58baadp-5},
	{0x1.de60000000000p-1, 0x1.163d6ef957a03p-4}, {0x1.d780000000000p-1, 0x1.518874226130ap-4}, {0x1.d0c0000000000p-1, 0x1.8c985e9b9ec84p-4}, {0x1.ca40000000000p-1, 0x1.c6494a2e418a6p-4},
	{0x1.c400000000000p-1, 0x1.fe89139dbd566p-4}, {0x1.bde0000000000p-1, 0x1.1b35ae3b81dbfp-3}, {0x1.b7e0000000000p-1, 0x1.36f4c27577593p-3}, {0x1.b200000000000p-1, 0x1.527e5e4a1b58dp-3},
	{0x1.ac60000000000p-1, 0x1.6d35fee52b83bp-3}, {0x1.a6e0000000000p-1, 0x1.87ad07c493478p-3}, {0x1.a160000000000p-1, 0x1.a27cc30640ecbp-3}, {0x1.9c20000000000p-1, 0x1.bc69684aee63ep-3},
	{0x1.9700000000000p-1, 0x1.d60a17f903515p-3}, {0x1.9200000000000p-1, 0x1.ef5ade4dcffe6p-3}, {0x1.8d40000000000p-1, 0x1.03d95a1d67686p-2}, {0x1.8860000000000p-1, 0x1.107e404ab0f81p-2},
	{0x1.83c0000000000p-1, 0x1.1ca28c64bae54p-2}, {0x1.7f40000000000p-1, 0x1.2896a13e086a4p-2}, {0x1.7ae0000000000p-1, 0x1.34585a594b8adp-2}, {0x1.7680000000000p-1, 0x1.403d086cea79cp-2},
	{0x1.7240000000000p-1, 0x1.4becf95d97913p-2}, {0x1.6e20000000000p-1, 0x1.5765f1749da6bp-2}, {0x1.6a20000000000p-1, 0x1.62a5afc06121fp-2}, {0x1.6620000000000p-1, 0x1.6e056aa4421d5p-2},
	{0x1.6240000000000p-1, 0x1.792955fdf47a2p-2}, {0x1.5e80000000000p-1, 0x1.840f1e12667f0p-2}, {0x1.5ac0000000000p-1, 0x1.8f12e873862c8p-2}, {0x1.5720000000000p-1, 0x1.99d5d8130607dp-2},
	{0x1.53a0000000000p-1, 0x1.a4558a1c9b824p-2}, {0x1.5020000000000p-1, 0x1.aef113b0bc778p-2}, {0x1.4ca0000000000p-1, 0x1.b9a90a06bcb3ep-2}, {0x1.4960000000000p-1, 0x1.c3b6fb361e301p-2},
	{0x1.4600000000000p-1, 0x1.ce42f18064743p-2}, {0x1.42e0000000000p-1, 0x1.d81ff2cce8a4ep-2}, {0x1.3fc0000000000p-1, 0x1.e21582ecdbf74p-2}, {0x1.3ca0000000000p-1, 0x1.ec241d5e2ffd0p-2},
	{0x1.39a0000000000p-1, 0x1.f5e3c0b5425c6p-2}, {0x1.36a0000000000p-1, 0x1.ffbb60ca863b3p-2}, {0x1.33a0000000000p-1, 0x1.04d5ba679ac9bp-1}, {0x1.30e0000000000p-1, 0x1.096eb58872addp-1},
	{0x1.2e00000000000p-1, 0x1.0e4898611cce1p-1}, {0x1.2b40000000000p-1, 0x1.12f799594efbcp-1}, {0x1.2880000000000p-1, 0x1.17b1ac17cbd5bp-1}, {0x1.25e0000000000p-1, 0x1.1c3f41fa97c6bp-1},
	{0x1.2340000000000p-1, 0x1.20d74d2fbafe5p-1}, {0x1.20c0000000000p-1, 0x1.25413d529caeep-1}, {0x1.1e20000000000p-1, 0x1.29ee409f15440p-1}, {0x1.1bc0000000000p-1, 0x1.2e32c3d74d58bp-1},
	{0x1.1940000000000p-1, 0x1.32bab3a7b21e8p-1}, {0x1.16e0000000000p-1, 0x1.37123b54987b6p-1}, {0x1.1480000000000p-1, 0x1.3b7344be40311p-1}, {0x1.1240000000000p-1, 0x1.3fa238ac248a5p-1},
	{0x1.0fe0000000000p-1, 0x1.44163ef7283d9p-1}, {0x1.0dc0000000000p-1, 0x1.481abdce327f6p-1}, {0x1.0b80000000000p-1, 0x1.4c649aff0ee16p-1}, {0x1.0960000000000p-1, 0x1.5079fd47366f8p-1},
	{0x1.0740000000000p-1, 0x1.5497c729233afp-1}, {0x1.0520000000000p-1, 0x1.58be1b857aebep-1}, {0x1.0300000000000p-1, 0x1.5ced1e17c35c5p-1}, {0x1.0100000000000p-1, 0x1.60e52f45788e3p-1},
}

// Loss is −ln p, or LargestLoss, with the same bits on every machine and an error below 4e−16 or four units in the last
// place. math.Log takes three times as long.
func Loss(p float64) float64 {
	if !(p >= leastProbability) {
		return LargestLoss
	}
	bits := math.Float64bits(p)
	exponent := int(bits>>52) - 1023
	at := &logTable[bits>>46&63]
	// p = 2^exponent · (1 + r)/inverse
	r := float64(math.Float64frombits(bits&(1<<52-1)|1023<<52)*at.inverse) - 1
	t := 1.0/7 - float64(r*(1.0/8))
	t = 1.0/6 - float64(r*t)
	t = 1.0/5 - float64(r*t)
	t = 1.0/4 - float64(r*t)
	t = 1.0/3 - float64(r*t)
	t = 1.0/2 - float64(r*t)
	logarithm := r - float64(float64(r*r)*t)
	return -(float64(float64(exponent)*math.Ln2) + (at.logarithm + logarithm))
}

// leastProbability is the least number with all its digits; its loss is 708.4.
const leastProbability = 0x1p-1022

// LargestLoss stands for −ln of a probability that is 0 to machine precision.
const LargestLoss = 709
