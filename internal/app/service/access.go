package service

import (
	"fmt"
	"net"
	"strconv"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/server"
)

// Access is who may read what is served.
func Access(s config.Server) (a server.Access, err error) {
	if a.Token, err = s.Token(); err != nil {
		return a, fmt.Errorf("server.token_file: %w", err)
	}
	if s.TLS.CertificateFile != "" {
		a.TLS, err = server.NewTLS(s.TLS.CertificateFile, s.TLS.KeyFile)
	}
	return a, err
}

// URL is where a browser on this machine finds what is served at an address.
func URL(s config.Server, address net.Addr) string {
	scheme, host := "http", address.String()
	if s.TLS.CertificateFile != "" {
		scheme = "https"
	}
	if at, ok := address.(*net.TCPAddr); ok && at.IP.IsUnspecified() {
		host = net.JoinHostPort("127.0.0.1", strconv.Itoa(at.Port))
	}
	return scheme + "://" + host + "/"
}
