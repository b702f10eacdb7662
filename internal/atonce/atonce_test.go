package atonce_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/atonce"
)

// TestASecondSignalEndsTheProcess: the first signal ends the context and nothing else, the second the process, by its default action. The process is
// this test once more.
func TestASecondSignalEndsTheProcess(t *testing.T) {
	if os.Getenv("FAIRSTREAM_TEST_SIGNALLED") != "" {
		for {
			if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			<-atonce.Stopped().Done()
			_, _ = os.Stdout.WriteString("stopped\n")
			time.Sleep(time.Millisecond) // signals without a pause can meet while the process dies, and end it by another one
		}
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestASecondSignalEndsTheProcess$")
	again.Env = append(os.Environ(), "FAIRSTREAM_TEST_SIGNALLED=1")
	written, err := again.Output()
	status, ok := again.ProcessState.Sys().(syscall.WaitStatus)
	if err == nil || !ok || status.Signal() != syscall.SIGTERM || len(written) < len("stopped\n") {
		t.Errorf("%v after %q: want the default action of SIGTERM after the context has ended", err, written)
	}
	if err := atonce.Stopped().Err(); err != nil {
		t.Errorf("%v without a signal", err)
	}
}
