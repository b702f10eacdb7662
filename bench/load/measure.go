package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// result is what one reader needed for the topic.
type result struct {
	Records     int64         `json:"records"`
	Elapsed     time.Duration `json:"elapsed_ns"`
	CPU         time.Duration `json:"cpu_ns"`
	Allocations uint64        `json:"allocations"`
	PeakMemory  int64         `json:"peak_bytes"`     // of the process
	Learner     time.Duration `json:"learner_cpu_ns"` // of the goroutine that learns; 0: it was not measured
}

func (r result) rate() float64      { return float64(r.Records) / r.Elapsed.Seconds() }
func (r result) cpuMicros() float64 { return float64(r.CPU.Nanoseconds()) / 1e3 / float64(r.Records) }
func (r result) learnerMicros() float64 {
	return float64(r.Learner.Nanoseconds()) / 1e3 / float64(r.Records)
}
func (r result) allocations() float64 { return float64(r.Allocations) / float64(r.Records) }
func (r result) peakMiB() float64     { return float64(r.PeakMemory) / (1 << 20) }

// one is the process of a single reader.
func (l *load) one(ctx context.Context) error {
	all := allReaders()
	at := slices.IndexFunc(all, func(r reader) bool { return r.name == l.only })
	if at < 0 {
		return fmt.Errorf("-only %s: there is %v", l.only, readerNames())
	}
	if l.profile != "" {
		file, err := os.Create(l.profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer func() { pprof.StopCPUProfile(); _ = file.Close() }()
	}
	found, err := l.take(ctx, all[at])
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}

// take measures a reader. The topics of a job are there before.
func (l *load) take(ctx context.Context, r reader) (found result, err error) {
	if l = l.of(r); l.format != "" {
		if err := l.describe(); err != nil {
			return found, err
		}
	}
	if r.learns {
		end, failed := l.beginJob(ctx)
		defer func() { err = errors.Join(err, end()) }()
		if failed != nil {
			return found, failed
		}
	}
	found, err = measure(func() (int64, error) { return r.read(l, ctx) })
	found.Learner = l.learner
	return found, err
}

func measure(work func() (int64, error)) (result, error) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	used, begun := processCPU(), time.Now()
	records, err := work()
	r := result{Records: records, Elapsed: time.Since(begun)}
	r.CPU = processCPU() - used
	runtime.ReadMemStats(&after)
	r.Allocations = after.Mallocs - before.Mallocs
	if err == nil {
		r.PeakMemory, err = peakMemory()
	}
	return r, err
}

func processCPU() time.Duration { return usedBy(syscall.RUSAGE_SELF) }

// threadCPU is that of the calling thread.
func threadCPU() time.Duration {
	const thisThread = 1 // RUSAGE_THREAD
	return usedBy(thisThread)
}

func usedBy(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		panic("load: " + err.Error()) // it cannot fail for these
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory is the most that was ever resident. It is not getrusage's, which a process inherits from the
// one that started it.
func peakMemory() (bytes int64, err error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("memory is measured on Linux only: %w", err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmHWM:"); found {
			_, err = fmt.Sscanf(rest, "%d kB", &bytes)
			return bytes << 10, err
		}
	}
	return 0, errors.New("/proc/self/status has no VmHWM")
}

// compare runs every reader once a round and prints medians.
func (l *load) compare(ctx context.Context, chosen []reader) error {
	found := make([][]result, len(chosen))
	for round := range l.rounds {
		fmt.Printf("round %d of %d:", round+1, l.rounds)
		for i := range chosen {
			at := (i + round) % len(chosen)
			r, err := l.start(ctx, chosen[at].name, round == l.rounds-1)
			if err != nil {
				return fmt.Errorf("%s: %w", chosen[at].name, err)
			}
			found[at] = append(found[at], r)
			fmt.Printf("  %s %.0f/s", chosen[at].name, r.rate())
		}
		fmt.Println()
	}
	l.report(chosen, found)
	return nil
}

// chosen are the readers to measure, all by default. The first is what the others are held against.
func (l *load) chosen() (some []reader, err error) {
	if l.readers == "" {
		return readers, nil
	}
	all := allReaders()
	for name := range strings.SplitSeq(l.readers, ",") {
		at := slices.IndexFunc(all, func(r reader) bool { return r.name == name })
		if at < 0 {
			return nil, fmt.Errorf("-readers %s: there is %v", name, readerNames())
		}
		some = append(some, all[at])
	}
	return some, nil
}

// start is a reader in a process of its own.
func (l *load) start(ctx context.Context, name string, last bool) (r result, err error) {
	program, err := os.Executable()
	if err != nil {
		return r, err
	}
	arguments := []string{"-only", name, "-brokers", l.brokers, "-partitions", strconv.Itoa(l.partitions), "-compression", l.compression}
	if last && (name == "fairstream" || name == "score") && l.profile != "" {
		arguments = append(arguments, "-profile", l.profile)
	}
	command := exec.CommandContext(ctx, program, arguments...)
	command.Stderr = os.Stderr
	var out bytes.Buffer
	command.Stdout = &out
	if err := command.Run(); err != nil {
		return r, err
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return r, err
	}
	if r.Records == 0 {
		return r, errors.New("no record was read")
	}
	return r, nil
}

// report prints the medians over the rounds. A ratio is to the first reader in the same round.
func (l *load) report(chosen []reader, found [][]result) {
	fmt.Printf("\n%d records, %d partitions, compression %s, %d processors; medians of %d rounds\n",
		found[0][0].Records, l.partitions, l.compression, runtime.NumCPU(), l.rounds)
	fmt.Printf("%-13s %12s %22s %12s %12s %10s\n", "", "records/s", "ratio (least, most)", "CPU us/rec", "allocs/rec", "peak MiB")
	base := found[0]
	for i, r := range chosen {
		over := func(f func(int) float64) []float64 {
			values := make([]float64, l.rounds)
			for round := range values {
				values[round] = f(round)
			}
			slices.Sort(values)
			return values
		}
		each := func(f func(result) float64) float64 {
			return median(over(func(round int) float64 { return f(found[i][round]) }))
		}
		ratios := over(func(round int) float64 { return found[i][round].rate() / base[round].rate() })
		fmt.Printf("%-13s %12.0f %8.2f (%.2f, %.2f)    %12.3f %12.4f %10.0f", r.name, each(result.rate),
			median(ratios), ratios[0], ratios[len(ratios)-1], each(result.cpuMicros), each(result.allocations), each(result.peakMiB))
		if found[i][0].Learner > 0 {
			fmt.Printf("   %.3f us/rec on the goroutine that learns", each(result.learnerMicros))
		}
		fmt.Println()
	}
}

// median is that of sorted values.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
