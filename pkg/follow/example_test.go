package follow_test

import (
	"context"
	"fmt"
	"log"

	"github.com/fairstream/fairstream/pkg/follow"
)

// A service follows the stable version of the job adult and decides a record with it.
func Example() {
	follower, err := follow.Open(follow.Options{
		Kafka: follow.Kafka{Brokers: []string{"127.0.0.1:9092"}},
		Topic: "people.models",
		Job:   "adult",
		Notify: func(event follow.Event) {
			if e, is := event.(follow.Refused); is {
				log.Printf("%s at offset %d is refused: %v", e.Key, e.Offset, e.Err)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = follower.Close() }()
	if _, err := follower.Wait(context.Background()); err != nil {
		log.Fatal(err)
	}

	model := follower.Current() // for each request, or once in a while
	classifier, err := model.Document.Classifier()
	if err != nil {
		log.Fatal(err)
	}
	schema, err := model.Document.Schema()
	if err != nil {
		log.Fatal(err)
	}
	records := schema.NewDecoder()
	fmt.Println(model.Alias, model.Version, classifier != nil, records != nil)
}
