package main

import (
	"math"
	"slices"
	"strconv"
)

// The reference: the fair Bayes classifier for demographic parity that sees no attribute when it decides, with estimates in the
// place of probabilities (Menon and Williamson, The cost of fairness in binary classification, 2018, section 4). It is
// positive where P(y|x) − 1/2 > m (P(group|x)/P(group) − P(versus|x)/P(versus)). Both estimates are batch logistic regressions.

// rows are records as sparse vectors.
type rows struct {
	index [][]int
	value [][]float64
	size  int
}

// encode standardizes numbers and gives each category a column, by the training records alone. A column is one of numbers if 95 % of its
// values are. Place 0 is the intercept.
func encode(columns [][]string, train []int, count int) rows {
	r := rows{index: make([][]int, count), value: make([][]float64, count), size: 1}
	for i := range count {
		r.index[i], r.value[i] = []int{0}, []float64{1}
	}
	for _, column := range columns {
		if numbers, ok := parse(column, train); ok {
			r.addNumbers(numbers, train)
			r.addBins(numbers, train)
		} else {
			r.addCategories(column, train)
		}
	}
	return r
}

func parse(column []string, train []int) (numbers []float64, ok bool) {
	there, good := 0, 0
	numbers = make([]float64, len(column))
	for i, text := range column {
		x, err := strconv.ParseFloat(text, 64)
		if numbers[i] = x; err != nil {
			numbers[i] = math.NaN()
		}
	}
	for _, i := range train {
		if column[i] != "" && column[i] != "?" {
			there++
			if !math.IsNaN(numbers[i]) {
				good++
			}
		}
	}
	return numbers, float64(good) >= .95*float64(there)
}

func (r *rows) addNumbers(numbers []float64, train []int) {
	n, sum, square := 0.0, 0.0, 0.0
	for _, i := range train {
		if x := numbers[i]; !math.IsNaN(x) {
			n, sum, square = n+1, sum+x, square+x*x
		}
	}
	mean := sum / n
	deviation := math.Sqrt(max(square/n-mean*mean, 1e-12))
	for i, x := range numbers {
		if !math.IsNaN(x) {
			r.index[i], r.value[i] = append(r.index[i], r.size), append(r.value[i], (x-mean)/deviation)
		}
	}
	r.size++
}

// bins is how many bins of equally many training records a column of numbers has, beside its slope.
const bins = 32

func (r *rows) addBins(numbers []float64, train []int) {
	var known []float64
	for _, i := range train {
		if !math.IsNaN(numbers[i]) {
			known = append(known, numbers[i])
		}
	}
	slices.Sort(known)
	var edges []float64
	for b := 1; b < bins; b++ {
		edges = append(edges, known[b*len(known)/bins])
	}
	edges = slices.Compact(edges)
	for i, x := range numbers {
		if !math.IsNaN(x) {
			bin, _ := slices.BinarySearchFunc(edges, x, func(edge, x float64) int {
				if edge <= x {
					return -1
				}
				return 1
			})
			r.index[i], r.value[i] = append(r.index[i], r.size+bin), append(r.value[i], 1)
		}
	}
	r.size += len(edges) + 1
}

func (r *rows) addCategories(column []string, train []int) {
	places := map[string]int{}
	for _, i := range train {
		if _, known := places[column[i]]; !known {
			places[column[i]] = r.size
			r.size++
		}
	}
	for i, text := range column {
		if place, known := places[text]; known {
			r.index[i], r.value[i] = append(r.index[i], place), append(r.value[i], 1)
		}
	}
}

func (r *rows) margin(w []float64, i int) (sum float64) {
	for at, j := range r.index[i] {
		sum += w[j] * r.value[i][at]
	}
	return sum
}

func (r *rows) addTo(w []float64, i int, scale float64) {
	for at, j := range r.index[i] {
		w[j] += scale * r.value[i][at]
	}
}

// penalty is that of half the squared weights, as in scikit-learn. With 4 and 10 the reference is worse.
const penalty = 1.0

// newtonSteps are enough for weights of some hundred columns.
const newtonSteps = 10

// fit minimises the log loss and the penalty by Newton's method with conjugate gradients, and returns the probabilities of all records.
func (r *rows) fit(train []int, positive []bool) (probability []float64) {
	w := make([]float64, r.size)
	gradient, step := make([]float64, r.size), make([]float64, r.size)
	curvature := make([]float64, len(train))
	for range newtonSteps {
		for j, x := range w {
			gradient[j] = penalty * x
		}
		gradient[0] = 0 // the intercept is free
		for n, i := range train {
			p := 1 / (1 + math.Exp(-r.margin(w, i)))
			curvature[n] = p * (1 - p)
			if positive[i] {
				p--
			}
			r.addTo(gradient, i, p)
		}
		r.solve(step, gradient, train, curvature)
		for j := range w {
			w[j] -= step[j]
		}
	}
	probability = make([]float64, len(r.index))
	for i := range probability {
		probability[i] = 1 / (1 + math.Exp(-r.margin(w, i)))
	}
	return probability
}

// solve finds the Newton step, nearly, by conjugate gradients.
func (r *rows) solve(step, gradient []float64, train []int, curvature []float64) {
	clear(step)
	residual := append([]float64{}, gradient...)
	direction, product := append([]float64{}, gradient...), make([]float64, len(gradient))
	square := dot(residual, residual)
	for first := square; square > 1e-6*first && square > 1e-16; {
		for j, x := range direction {
			product[j] = penalty * x
		}
		product[0] = 0
		for n, i := range train {
			r.addTo(product, i, curvature[n]*r.margin(direction, i))
		}
		length := square / dot(direction, product)
		for j := range step {
			step[j] += length * direction[j]
			residual[j] -= length * product[j]
		}
		next := dot(residual, residual)
		for j := range direction {
			direction[j] = residual[j] + next/square*direction[j]
		}
		square = next
	}
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// plugIn returns what is to be above m times the second for a positive decision, of every record.
func plugIn(columns [][]string, train []int, labels, members []bool) (benefit, cost []float64) {
	r := encode(columns, train, len(labels))
	share := 0.0
	for _, i := range train {
		if members[i] {
			share += 1 / float64(len(train))
		}
	}
	benefit, cost = r.fit(train, labels), r.fit(train, members)
	for i, p := range cost {
		benefit[i] -= .5
		cost[i] = p/share - (1-p)/(1-share)
	}
	return benefit, cost
}
