package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/jobs"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

func newHealth(s *program.Streams) *cobra.Command {
	var flags command.Config
	var live bool
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "health [--config FILE]",
		Short: "Ask a running process whether it is ready, for a container's health check",
		Long: `Ask the process at server.address whether it is ready: it learns, and every operation of Kafka works. The exit
code is 0 if it is, and 1 with the reasons if it is not, or does not answer. The configuration may be the
process's own; of it only server.address is used.`,
		Example: `  fairstream health
  fairstream health --live --set server.address=127.0.0.1:8469`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			url, err := serverURL(cmd, &flags)
			if err != nil {
				return err
			}
			path := "/readyz"
			if live {
				path = "/livez"
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), timeout)
			defer cancel()
			return command.InWork(health(ctx, s, url+path))
		},
	}
	flags.Register(cmd)
	cmd.Flags().BoolVar(&live, "live", false, "ask only whether the process answers")
	cmd.Flags().DurationVar(&timeout, "timeout", 3*time.Second, "how long to wait for the answer")
	return cmd
}

// serverURL is where server.address is, for one who asks from the same machine.
func serverURL(cmd *cobra.Command, flags *command.Config) (string, error) {
	load := func(files []string) (*config.Loaded, error) {
		return flags.LoadFiles(cmd, nil, files, config.Serving)
	}
	loaded, err := jobs.Settings(flags.Files(), load)
	if err != nil {
		return "", err
	}
	host, port, err := net.SplitHostPort(loaded.Server.Address)
	if err != nil {
		return "", fmt.Errorf("server.address is %q: nothing is served that could be asked", loaded.Server.Address)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme := "http://"
	if loaded.Server.TLS.CertificateFile != "" {
		scheme = "https://"
	}
	return scheme + net.JoinHostPort(host, port), nil
}

// largestAnswer bounds what is shown of an answer.
const largestAnswer = 4 << 10

func health(ctx context.Context, s *program.Streams, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	// The certificate names the machine as others know it, not 127.0.0.1. Nothing secret is sent.
	anyCertificate := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true}
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: anyCertificate}}).Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }() // it was read
	text, err := io.ReadAll(io.LimitReader(response.Body, largestAnswer))
	if err != nil {
		return err
	}
	answer := strings.TrimSpace(string(text))
	if response.StatusCode != http.StatusOK {
		return errors.New(answer)
	}
	_, err = fmt.Fprintln(s.Out, answer)
	return err
}
