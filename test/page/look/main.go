// Command look serves the page over a made-up job, for people who work on the page: / with the state as first argument, one of
// learning, many, warming-up, standby, halted and empty.
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/test/page/fake"
)

func main() {
	state, address := "learning", "127.0.0.1:0"
	if len(os.Args) > 1 {
		state = os.Args[1]
	}
	if len(os.Args) > 2 {
		address = os.Args[2]
	}
	job := fake.New(state, fake.Plain)
	go func() {
		for range time.Tick(time.Second) {
			job.Advance()
		}
	}()
	b := board.New(job)
	mux := http.NewServeMux()
	mux.Handle("/", b.Page())
	mux.Handle("/api/", b.API())
	listener, err := net.Listen("tcp", address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("http://%s/\n", listener.Addr())
	fmt.Fprintln(os.Stderr, http.Serve(listener, mux))
	os.Exit(1)
}
