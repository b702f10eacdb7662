package integration

import (
	"fmt"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kversion"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestOlderBrokers: what a broker of each age is given is read back, in the requests that it knows.
func TestOlderBrokers(t *testing.T) {
	for name, versions := range map[string]*kversion.Versions{"1.0": kversion.V1_0_0(), "2.4": kversion.V2_4_0(), "2.8": kversion.V2_8_0(), "3.0": kversion.V3_0_0(), "3.6": kversion.V3_6_0()} {
		t.Run(name, func(t *testing.T) {
			b, err := devbroker.Start(devbroker.Options{Fake: []kfake.Opt{kfake.MaxVersions(versions), kfake.SeedTopics(3, "records")}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(b.Close)
			client, err := kafka.Open(kafka.Config{Brokers: b.Addresses()}, kafka.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := client.Close(); err != nil {
					t.Error(err)
				}
			})
			want := make([][]string, 3)
			for partition := range want {
				var messages []kafka.Message
				for i := range 100 {
					value := fmt.Sprintf("v%d-%d", partition, i)
					want[partition] = append(want[partition], value)
					messages = append(messages, kafka.Message{Value: []byte(value)})
				}
				if _, err := client.Produce(t.Context(), "records", int32(partition), messages...); err != nil {
					t.Fatal(err)
				}
			}
			f, err := client.NewFetcher(kafka.FetchOptions{Topic: "records"})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			got := make([][]string, len(want))
			for read := 0; read < 300; {
				chunk, err := f.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				records, err := chunk.Records(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for i := range records {
					got[chunk.Partition] = append(got[chunk.Partition], string(records[i].Value))
				}
				read += len(records)
				chunk.Release()
			}
			if bounds, err := client.Bounds(t.Context(), "records"); err != nil || !slices.Equal(bounds, []kafka.Bounds{{End: 100}, {End: 100}, {End: 100}}) {
				t.Errorf("bounds %v, %v", bounds, err)
			}
			for partition := range want {
				if !slices.Equal(got[partition], want[partition]) {
					t.Errorf("partition %d: other records than were written", partition)
				}
			}
		})
	}
}
