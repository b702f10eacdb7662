package kafka_test

import (
	"context"
	"fmt"
	"log"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

func Example() {
	broker, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer broker.Close()
	client, err := kafka.Open(kafka.Config{Brokers: broker.Addresses()}, kafka.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() {
		if err := client.Close(); err != nil {
			log.Fatal(err)
		}
	}()

	ctx := context.Background()
	if _, err := client.CreateTopics(ctx, kafka.TopicSpec{Name: "records", Kind: kafka.InputTopic}); err != nil {
		log.Fatal(err)
	}
	producer, err := client.NewProducer(ctx, "records", 0)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 3 {
		if err := producer.Send(ctx, &kafka.Message{Value: fmt.Appendf(nil, `{"age": %d}`, 30+i)}); err != nil {
			log.Fatal(err)
		}
	}
	if err := producer.Flush(ctx); err != nil {
		log.Fatal(err)
	}

	fetcher, err := client.NewFetcher(kafka.FetchOptions{Topic: "records", Offsets: map[int32]int64{0: 1}})
	if err != nil {
		log.Fatal(err)
	}
	defer fetcher.Close()
	chunk, err := fetcher.Next(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer chunk.Release()
	records, err := chunk.Records(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, record := range records {
		fmt.Printf("offset %d: %s\n", record.Offset, record.Value)
	}
	fmt.Println("save", chunk.Next)
	// Output:
	// offset 1: {"age": 31}
	// offset 2: {"age": 32}
	// save 3
}
