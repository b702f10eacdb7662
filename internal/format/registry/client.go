package registry

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/twmb/franz-go/pkg/sr"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/fairstream/fairstream/internal/format"
)

// Schema is what the registry has under an id.
type Schema struct {
	Text string
	Type sr.SchemaType
	// References are the schemas that Text names; one that another needs comes before it.
	References []Reference
}

// Reference is a schema that another names.
type Reference struct {
	Name string // as the other names it
	Text string
}

// Bounds on what a registry may answer.
const (
	maxAnswer     = 4 << 20
	maxReferences = 100
)

// refusal says why a schema can never be used, however often it is asked for.
type refusal string

func (r refusal) Error() string { return string(r) }

const errReferences, errLong refusal = "it refers to more than 100 schemas", "it has more than 2 MiB, with the schemas that it refers to"

// What a registry may answer.
var (
	errUnknown  = errors.New("the registry answers that it does not know the id")
	errNotFound = errors.New("the registry answers 404, and not as a schema registry does: check registry.urls, of Apicurio with /apis/ccompat/v7")
	errNoGUIDs  = errors.New("the registry answers 404 to a request by GUID, and not as a schema registry does: check registry.urls. " +
		"Registries without GUIDs are Apicurio 2 and Confluent's before 8.0; let the producers write the id before the value then, by PrefixSchemaIdSerializer")
	errForeign = fmt.Errorf("the registry answers, but with no schema, or with more than %d MiB: check registry.urls", maxAnswer>>20)
)

// client asks a registry at one of its addresses.
type client struct{ addresses []*sr.Client }

func newClient(c Config) (*client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	var err error
	if transport.TLSClientConfig, err = c.tls(); err != nil {
		return nil, err
	}
	plain := &http.Client{Transport: bounded{transport}, Timeout: c.Timeout, CheckRedirect: stayHere}
	options := []sr.ClientOpt{sr.UserAgent("fairstream"), sr.HTTPClient(plain)}
	password := string(c.Password)
	if c.PasswordFile != "" {
		if password, err = secretOf("password_file", c.PasswordFile); err != nil {
			return nil, err
		}
	}
	switch {
	case c.TokenEndpoint != "":
		credentials := clientcredentials.Config{ClientID: c.Username, ClientSecret: password, TokenURL: c.TokenEndpoint, Scopes: strings.Fields(c.TokenScope)}
		tokens := credentials.TokenSource(context.WithValue(context.Background(), oauth2.HTTPClient, plain))
		options = append(options, sr.PreReq(func(r *http.Request) error {
			token, err := tokens.Token()
			if err != nil {
				return errors.New("registry.token_endpoint gives no token: check it, registry.username and the secret")
			}
			token.SetAuthHeader(r)
			return nil
		}))
	case c.TokenFile != "":
		options = append(options, sr.PreReq(func(r *http.Request) error {
			token, err := secretOf("token_file", c.TokenFile)
			r.Header.Set("Authorization", "Bearer "+token)
			return err
		}))
	case c.Username != "":
		options = append(options, sr.BasicAuth(c.Username, password))
	}
	all := &client{}
	for _, address := range c.URLs {
		one, err := sr.NewClient(append(options, sr.URLs(address))...)
		if err != nil {
			return nil, err
		}
		all.addresses = append(all.addresses, one)
	}
	return all, nil
}

// ask goes from address to address until one answers for the registry: it is up, and not too busy.
func (c *client) ask(question func(*sr.Client) error) (err error) {
	for _, one := range c.addresses {
		if err = question(one); err == nil {
			return nil
		}
		if answer, answered := errors.AsType[*sr.ResponseError](err); answered && answer.StatusCode < 500 && answer.StatusCode != http.StatusTooManyRequests {
			break
		}
	}
	return explain(err)
}

// stayHere follows no redirection: secrets go to the configured hosts alone.
func stayHere(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// bounded cuts answers off.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(response.Body, maxAnswer), response.Body}
	}
	return response, err
}

func (c Config) tls() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.CAFile != "" {
		content, err := os.ReadFile(c.CAFile)
		if err != nil {
			return nil, fmt.Errorf("registry.ca_file: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(content) {
			return nil, fmt.Errorf("registry.ca_file: %s contains no certificate in PEM", c.CAFile)
		}
	}
	if c.CertificateFile != "" {
		certificate, err := os.ReadFile(c.CertificateFile)
		if err != nil {
			return nil, fmt.Errorf("registry.certificate_file: %w", err)
		}
		key, err := os.ReadFile(c.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("registry.key_file: %w", err)
		}
		pair, err := tls.X509KeyPair(certificate, key)
		if err != nil {
			return nil, fmt.Errorf("registry.certificate_file %s and registry.key_file %s: %w", c.CertificateFile, c.KeyFile, err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// secretOf is the content of a file without its line end.
func secretOf(key, path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("registry.%s: %w", key, err)
	}
	secret := strings.TrimRight(string(content), "\r\n")
	if secret == "" || strings.ContainsAny(secret, "\r\n") {
		return "", fmt.Errorf("registry.%s: %s must contain only the secret", key, path)
	}
	return secret, nil
}

// schema asks for a schema and those that it names.
func (c *client) schema(ctx context.Context, id format.ID) (s Schema, err error) {
	var answer sr.Schema
	number, is := id.Number()
	err = c.ask(func(r *sr.Client) (err error) {
		if is {
			answer, err = r.SchemaByID(ctx, int(number))
		} else {
			var of sr.SubjectSchema
			of, err = r.SchemaByGUID(ctx, id.String())
			answer = of.Schema
		}
		return foreign(err, answer.Schema == "")
	})
	switch {
	case errors.Is(err, errNotFound) && !is:
		return s, errNoGUIDs
	case err != nil:
		return s, err
	}
	if s.Text, s.Type = answer.Schema, answer.Type; s.tooLong() {
		return s, errLong
	}
	return s, c.references(ctx, answer.References, map[string]bool{}, &s)
}

// tooLong says whether a schema is longer than format.MaxSchema, with those that it refers to.
func (s *Schema) tooLong() bool {
	length := len(s.Text)
	for _, reference := range s.References {
		length += len(reference.Text)
	}
	return length > format.MaxSchema
}

// references appends the schemas that are named, after those that they name, to those of s.
func (c *client) references(ctx context.Context, named []sr.SchemaReference, seen map[string]bool, s *Schema) error {
	for _, reference := range named {
		if seen[reference.Name] {
			continue
		}
		if seen[reference.Name] = true; len(seen) > maxReferences {
			return errReferences
		}
		var answer sr.SubjectSchema
		err := c.ask(func(r *sr.Client) (err error) {
			answer, err = r.SchemaByVersion(ctx, reference.Subject, reference.Version)
			return foreign(err, answer.Schema.Schema == "")
		})
		if errors.Is(err, errUnknown) {
			return errors.New("the registry has the schema, but not one of those that it refers to") // it may come
		}
		if err == nil {
			err = c.references(ctx, answer.References, seen, s)
		}
		if err != nil {
			return err
		}
		if s.References = append(s.References, Reference{reference.Name, answer.Schema.Schema}); s.tooLong() {
			return errLong
		}
	}
	return nil
}

// foreign is the error of a question whose answer may be that of another server than a registry: no JSON of it, or without what was asked for.
func foreign(err error, lacks bool) error {
	_, syntax := errors.AsType[*json.SyntaxError](err)
	_, kind := errors.AsType[*json.UnmarshalTypeError](err)
	if syntax || kind || err == nil && lacks {
		return errForeign
	}
	return err
}

// longestWords is how much of an answer is shown.
const longestWords = 200

// explain says what an answer means, and what helps.
func explain(err error) error {
	answer, answered := errors.AsType[*sr.ResponseError](err)
	if !answered {
		if errors.Is(err, errForeign) {
			return err
		}
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err // without the address, which the configuration has
		}
		return fmt.Errorf("the registry does not answer: %w%s", err, remedy(err))
	}
	words := strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, answer.Message)
	words = words[:min(len(words), longestWords)]
	switch code := answer.StatusCode; {
	case code == http.StatusNotFound && answer.ErrorCode/100 == 404:
		return errUnknown
	case code == http.StatusNotFound:
		return errNotFound
	case code == http.StatusUnauthorized:
		return errors.New("the registry answers 401: check registry.username and registry.password_file, or registry.token_file")
	case code == http.StatusForbidden:
		return errors.New("the registry answers 403: give the user the right to read schemas")
	case code >= 300 && code < 400:
		return fmt.Errorf("the registry answers %d, a redirection, which is not followed: name its target in registry.urls", code)
	case words != "":
		return fmt.Errorf("the registry answers %d: %s", code, words)
	default:
		return fmt.Errorf("the registry answers %d", code)
	}
}

// remedy names the key behind a handshake of TLS that fails.
func remedy(err error) string {
	if op, is := errors.AsType[*net.OpError](err); is && op.Op == "remote error" && strings.Contains(op.Err.Error(), "certificate") { // an alert of TLS
		return ": it wants another certificate from this client: check registry.certificate_file"
	}
	if _, is := errors.AsType[*tls.CertificateVerificationError](err); is {
		return ": check registry.ca_file, and the host name in registry.urls"
	}
	return ""
}
