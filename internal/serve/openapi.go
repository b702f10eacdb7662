package serve

import (
	_ "embed" // the description
	"net/http"
)

//go:embed openapi.yaml
var openAPI []byte

// serveOpenAPI answers GET /v1/openapi.yaml.
func serveOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/yaml")
	_, _ = w.Write(openAPI) // whoever asked has gone
}
