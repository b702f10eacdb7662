package embedded

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/fairstream/fairstream/internal/app/output"
)

// heading is the first line of bundledYAML.
const heading = "# Every start overwrites this file: copy it before you change it.\n"

// bundledYAML is replay.BundledConfig in the words of a user, with a topic.
const bundledYAML = heading + `job: adult
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

var kind = output.Kind{Words: "a configuration by fairstream broker", Ours: regexp.MustCompile(`^` + regexp.QuoteMeta(heading))}

// WriteYAML writes a configuration for the bundled records and a broker into a directory.
func WriteYAML(directory, address string) (file string, err error) {
	file = filepath.Join(directory, "adult.yaml")
	out := output.File{Flag: "--data " + directory, Name: file, Kind: kind}
	if err := out.Check(); err != nil {
		return file, err
	}
	return file, out.Write([]byte(strings.ReplaceAll(bundledYAML, "ADDRESS", address)))
}
