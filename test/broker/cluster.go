package broker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// StartCluster brings up a cluster of the test's own, without security. Topics are replicated three times, or as often as
// there are brokers. The brokers are stopped at the test's end.
func StartCluster(t *testing.T, count int) []*Broker {
	t.Helper()
	skipShort(t)
	brokers, err := tryPorts(t.TempDir(), func(directory string) ([]*Broker, error) { return startCluster(directory, count) })
	skipOrFail(t, err)
	t.Cleanup(func() {
		for _, b := range brokers {
			b.end()
		}
	})
	return brokers
}

func startCluster(directory string, count int) ([]*Broker, error) {
	ports, err := freePorts(2 * count)
	if err != nil {
		return nil, err
	}
	var voters []string
	for i := range count {
		voters = append(voters, fmt.Sprintf("%d@127.0.0.1:%s", i+1, ports[2*i+1]))
	}
	brokers, problems := make([]*Broker, count), make([]error, count)
	var group sync.WaitGroup
	for i := range brokers {
		b := &Broker{directory: filepath.Join(directory, fmt.Sprint(i+1)), ports: ports[2*i : 2*i+2],
			cluster: "ZmFpcnN0cmVhbS10ZXN0cw", heap: "-Xms256m -Xmx256m"}
		brokers[i] = b
		if err := os.MkdirAll(b.directory, 0o755); err != nil {
			return nil, err
		}
		b.Security.properties = filepath.Join(b.directory, "cluster.properties")
		copies := min(count, 3)
		text := fmt.Sprintf("node.id=%d\ncontroller.quorum.voters=%s\ndefault.replication.factor=%d\nmin.insync.replicas=%d\n"+
			"offsets.topic.replication.factor=%d\n", i+1, strings.Join(voters, ","), copies, max(1, copies-1), copies)
		// No test kills a controller. Where brokers wait for a processor, the defaults of 1 s to 2 s let one election follow the other.
		text += "controller.quorum.election.timeout.ms=3000\ncontroller.quorum.fetch.timeout.ms=10000\ncontroller.quorum.request.timeout.ms=10000\n"
		if err := os.WriteFile(b.Security.properties, []byte(text), 0o600); err != nil {
			return nil, err
		}
		group.Go(func() { problems[i] = b.Restart() }) // together: a controller is ready with a majority
	}
	group.Wait()
	if err := errors.Join(problems...); err != nil {
		for i, b := range brokers {
			if problems[i] == nil {
				b.end()
			}
		}
		return nil, err
	}
	return brokers, nil
}
