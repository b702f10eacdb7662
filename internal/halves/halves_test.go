package halves

import "testing"

func TestBothHalvesAreDone(t *testing.T) {
	for _, items := range []int{0, worthHalving - 1, worthHalving, 1 << 20} {
		numbers := make([]int, items)
		work := New(func(half int) {
			from, to := 0, items/2
			if half == 1 {
				from, to = items/2, items
			}
			for i := from; i < to; i++ {
				numbers[i]++
			}
		})
		for times := 1; times <= 3; times++ {
			work.Run(items)
			for i, n := range numbers {
				if n != times {
					t.Fatalf("%d items: item %d was done %d times of %d", items, i, n, times)
				}
			}
		}
	}
}

func TestRunDoesNotAllocate(t *testing.T) {
	sum := [2]int{}
	work := New(func(half int) { sum[half]++ })
	if n := testing.AllocsPerRun(1000, func() { work.Run(worthHalving) }); n > 0 {
		t.Errorf("a run allocates %v times", n)
	}
	if sum[0] != sum[1] || sum[0] < 1000 {
		t.Errorf("the halves were done %v times", sum)
	}
}
