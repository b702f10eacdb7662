package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/output"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/devbroker"
)

func newBroker(s *program.Streams) *cobra.Command {
	b := embedded{Streams: s}
	cmd := &cobra.Command{
		Use:   "broker",
		Short: "Run an embedded Kafka broker, for trying things out",
		Long: `Run an embedded Kafka broker on this machine's loopback interface until Ctrl-C, for trying fairstream run
without Docker. It is not for production: one process, no replication, no authentication. Its records
stay in the data directory, beside a configuration for the bundled records.`,
		Example: `  fairstream broker
  fairstream broker --port 19092 --data /tmp/broker`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if b.port < 0 || b.port > 65535 {
				return fmt.Errorf("--port %d: give a port from 1 to 65535, or 0 for any free one", b.port)
			}
			return inWork(b.run(cmd.Context()))
		},
	}
	cmd.Flags().IntVar(&b.port, "port", 9092, "port on 127.0.0.1; 0 is any free one")
	cmd.Flags().StringVar(&b.data, "data", "fairstream-broker", "`DIRECTORY` that keeps topics")
	mustComplete(cmd.MarkFlagDirname("data"))
	return cmd
}

// embedded is one run of the command.
type embedded struct {
	*program.Streams
	port int
	data string
}

func (b *embedded) run(ctx context.Context) error {
	if err := os.MkdirAll(b.data, 0o755); err != nil {
		return err
	}
	running, err := devbroker.Start(devbroker.Options{Port: b.port, DataDir: b.data})
	switch {
	case errors.Is(err, devbroker.ErrInUse):
		return fmt.Errorf("%w: stop it, or choose another directory with --data", err)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w: --port chooses another port, 0 any free one", err)
	case err != nil:
		return err
	}
	defer running.Close()
	address := running.Addresses()[0]
	file, err := writeBundledYAML(b.data, address)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(b.Out, `A Kafka broker listens on %s and keeps its records in %s.
It is for trying things out, not for production. Ctrl-C stops it.

In another terminal:
  fairstream topics create --config %[3]s
  fairstream run --config %[3]s
and in a third:
  fairstream produce --config %[3]s --input adult --rate 2000
  fairstream models show --config %[3]s
`, address, b.data, file); err != nil {
		return err
	}
	<-ctx.Done()
	_, err = fmt.Fprintf(b.Out, "\nStopped. The records stay in %s.\n", b.data)
	return err
}

// bundledYAML is replay.BundledConfig in the words of a user, with a topic.
// brokerHeading is the first line of bundledYAML.
const brokerHeading = "# Every start overwrites this file: copy it before you change it.\n"

const bundledYAML = brokerHeading + `job: adult
record:
  label: {field: income, positive: ">50K"}
  ignore: [fnlwgt]
constraints:
  - name: sex
    attribute: sex
    group: Male
    versus: Female
    criterion: demographic-parity
    tau: 0.05
kafka:
  brokers: ["ADDRESS"]
topics:
  input: adult
log:
  format: console
`

var brokerConfig = output.Kind{Words: "a configuration by fairstream broker", Ours: regexp.MustCompile(`^` + regexp.QuoteMeta(brokerHeading))}

// writeBundledYAML writes a configuration for the bundled records and a broker into a directory.
func writeBundledYAML(directory, address string) (file string, err error) {
	file = filepath.Join(directory, "adult.yaml")
	out := output.File{Flag: "--data " + directory, Name: file, Kind: brokerConfig}
	if err := out.Check(); err != nil {
		return file, err
	}
	return file, out.Write([]byte(strings.ReplaceAll(bundledYAML, "ADDRESS", address)))
}
