package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// applications is a file of loan applications as CSV, with its lines in a given order.
func applications() (header string, lines []string) {
	for i := range 600 {
		sex, purpose := []string{"male", "female"}[i%2], []string{"car", "house", "other"}[i/2%3]
		lines = append(lines, fmt.Sprintf("%s,%d,%d,%s,%s", sex, 20+i*7%50, 500+i*13%900*4, purpose, []string{"yes", "no", "no"}[(i*i+i/7)%3]))
	}
	return "sex,age,income,purpose,repaid", lines
}

const applicationsByHand = `record: {label: {field: repaid, positive: "yes"}}
constraints: [{name: sex, attribute: sex, group: male, versus: female, tau: 0.1}]
`

// inUTF16 is a text as Windows programs save it.
func inUTF16(text string) string {
	var out bytes.Buffer
	for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		out.Write([]byte{byte(unit), byte(unit >> 8)})
	}
	return out.String()
}

func inGzip(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestOtherMistakes provokes mistakes that nobody had listed when the checks of TestMistakes were written: files in another
// format than their name says, labels and groups written in several ways, features that hold the label.
func TestOtherMistakes(t *testing.T) {
	filesAlone(t)
	header, lines := applications()
	join := func(lines []string) string { return header + "\n" + strings.Join(lines, "\n") + "\n" }
	good := join(lines)
	change := func(one func(i int, cells []string) []string) string {
		changed := make([]string, len(lines))
		for i, line := range lines {
			changed[i] = strings.Join(one(i, strings.Split(line, ",")), ",")
		}
		return join(changed)
	}
	sorted := slices.Clone(lines)
	slices.SortFunc(sorted, func(a, b string) int {
		return strings.Compare(a[strings.LastIndexByte(a, ','):], b[strings.LastIndexByte(b, ','):])
	})
	objects := func(format string) string {
		var text strings.Builder
		for _, line := range lines {
			cells := strings.Split(line, ",")
			fmt.Fprintf(&text, format+"\n", cells[0], cells[1], cells[4])
		}
		return text.String()
	}
	configured := func(from, to string) string { return strings.Replace(applicationsByHand, from, to, 1) }
	inDirectory(t, map[string]string{
		"good.yaml": applicationsByHand, "good.csv": good,
		"tabs.csv": strings.ReplaceAll(good, ",", "\t"), "utf16.csv": inUTF16(good), "returns.csv": strings.ReplaceAll(good, "\n", "\r"),
		"packed.csv": inGzip(t, good), "plain.csv.gz": good, "archive.csv": "PK\x03\x04" + good, "header.csv": header + "\n", "page.csv": "<!DOCTYPE html>\n<html>Sign in</html>\n", "cut.csv.gz": inGzip(t, good)[:len(inGzip(t, good))/2],
		"quoted.csv": "\"" + strings.ReplaceAll(strings.TrimSpace(good), "\n", "\"\n\"") + "\"\n", "objects.csv": objects(`{"sex":%q,"age":%s,"repaid":%q}`),
		"csv.jsonl": good, "python.jsonl": objects(`{'sex':'%s','age':%s,'repaid':'%s'}`), "nan.jsonl": objects(`{"sex":%q,"age":%s,"income":NaN,"repaid":%q}`),
		"pretty.jsonl": objects("{\n\"sex\":%q,\n\"age\":%s,\n\"repaid\":%q}"), "texts.jsonl": objects(`"{\"sex\":\"%s\",\"age\":%s,\"repaid\":\"%s\"}"`),
		"wrapped.jsonl": objects(`{"schema":{},"payload":{"sex":%q,"age":%s,"repaid":%q}}`), "twice.jsonl": objects(`{"sex":%q,"age":%s,"age":1,"repaid":%q}`),
		"boolean.jsonl": strings.NewReplacer(`"yes"`, "true", `"no"`, "false").Replace(objects(`{"sex":%q,"age":%s,"repaid":%q}`)),
		"numbers.jsonl": strings.NewReplacer(`"yes"`, "1", `"no"`, "0").Replace(objects(`{"sex":%q,"age":%s,"repaid":%q}`)),
		"leak.csv": change(func(_ int, c []string) []string {
			return append(c[:3:3], map[string]string{"yes": "paid", "no": "dunned"}[c[4]], c[4])
		}),
		"labels.csv": change(func(i int, c []string) []string { return append(c[:4:4], []string{c[4], strings.ToUpper(c[4])}[i/9%2]) }),
		"spaces.csv": change(func(_ int, c []string) []string { return append(c[:4:4], " "+c[4]) }),
		"groups.csv": change(func(i int, c []string) []string {
			return append([]string{[]string{c[0], strings.ToUpper(c[0])}[i/9%2]}, c[1:]...)
		}),
		"again.csv":  join(slices.Insert(slices.Clone(lines), 300, header)),
		"sorted.csv": join(sorted),
		"True.yaml":  configured(`"yes"`, `"True"`), "1.0.yaml": configured(`"yes"`, `"1.0"`), "percent.yaml": configured("tau: 0.1", "tau: 5"), "wide.yaml": configured("tau: 0.1", "tau: 0.8"),
		"ratio.yaml": configured("tau: 0.1", "tau: 0.1, criterion: impact-ratio"), "same.yaml": configured("versus: female", "versus: male"),
		"weight.yaml": configured("record: {", "record: {weight: purpose, "), "empty.yaml": "", "confidence.yaml": applicationsByHand + "learner: {confidence: 95}\n",
		"commas.jsonl": objects(`{"sex":%q,"age":%s,"repaid":%q},`), "trailing.jsonl": objects(`{"sex":%q,"age":%s,"repaid":%q,}`),
		"joined.jsonl": strings.ReplaceAll(objects(`{"sex":%q,"age":%s,"repaid":%q}`), "\n", ""),
		"ignored.yaml": configured("record: {", "record: {ignore: [age, income, purpose], "),
		"number.yaml":  configured(`{field: repaid, positive: "yes"}`, "{field: repaid}") + "learner: {task: regression}\n",
	})
	tests := []struct {
		what, args string
		code       int
		says       []string
	}{
		{"46 tabs", "replay -c good.yaml -i tabs.csv", failed, []string{"tabs.csv", "separated by tabs", `record.csv.separator: "\t"`}},
		{"47 UTF-16", "replay -c good.yaml -i utf16.csv", failed, []string{"utf16.csv", "UTF-16: set record.csv.encoding: utf-16"}},
		{"48 carriage returns alone", "replay -c good.yaml -i returns.csv", failed, []string{"returns.csv", `tr '\r' '\n'`}},
		{"49 compressed, and not named so", "replay -c good.yaml -i packed.csv", failed, []string{"packed.csv", "compressed with gzip: let its name end in .gz"}},
		{"49 named so, and not compressed", "replay -c good.yaml -i plain.csv.gz", failed, []string{"plain.csv.gz", "its name may not end in .gz"}},
		{"50 an archive", "replay -c good.yaml -i archive.csv", failed, []string{"archive.csv", "ZIP archive or a spreadsheet", "save it as CSV"}},
		{"50 a page that was saved as CSV", "replay -c good.yaml -i page.csv", failed, []string{"page.csv", "HTML or XML", "get the file again"}},
		{"50 a file that was cut off", "replay -c good.yaml -i cut.csv.gz", failed, []string{"cut.csv.gz", "cut off, so get it again"}},
		{"51 a broker with a scheme", "run -c good.yaml --set topics.input=a --set kafka.brokers=http://a:9092", misuse, []string{`write "a:9092" without http://`}},
		{"51 a header alone", "replay -c good.yaml -i header.csv", failed, []string{"header.csv holds no records"}},
		{"52 lines in quotes", "replay -c good.yaml -i quoted.csv", failed, []string{"quoted.csv", "quotes around each whole line"}},
		{"53 JSON named CSV", "replay -c good.yaml -i objects.csv", failed, []string{"objects.csv", "let its name end in .jsonl"}},
		{"53 CSV named JSON", "replay -c good.yaml -i csv.jsonl", failed, []string{"csv.jsonl", "let the name of a CSV file end in .csv"}},
		{"54 single quotes", "replay -c good.yaml -i python.jsonl", failed, []string{"line 1", "json.dumps"}},
		{"55 NaN in JSON", "replay -c good.yaml -i nan.jsonl", failed, []string{"line 1", "write null for NaN"}},
		{"56 an object over several lines", "replay -c good.yaml -i pretty.jsonl", failed, []string{"line 1", "jq -c ."}},
		{"57 JSON in a text", "replay -c good.yaml -i texts.jsonl", failed, []string{"line 1", "encoded twice"}},
		{"58 records in an envelope", "replay -c good.yaml -i wrapped.jsonl", failed, []string{"record.label.field", `did you mean "payload.repaid"?`}},
		{"59 a key twice", "replay -c good.yaml -i twice.jsonl", failed, []string{`duplicate_field in field "age": the record has it twice`}},
		{"60 True for a boolean", "replay -c True.yaml -i boolean.jsonl", failed, []string{"record.label.positive", `values of "repaid" are false (`, "true ("}},
		{"61 1.0 for 1", "replay -c 1.0.yaml -i numbers.jsonl", failed, []string{"record.label.positive", `values of "repaid" are 0 (`, "1 ("}},
		{"62 a feature that holds the label", "replay -c good.yaml -i leak.csv", done, []string{`record.ignore: add "purpose" unless it is known before the label`}},
		{"63 labels in two cases", "replay -c good.yaml -i labels.csv", done, []string{"record.label.positive: YES (", "write the label in one way"}},
		{"64 labels with a space", "replay -c good.yaml -i spaces.csv", failed, []string{"record.label.positive", `" no" (`, `" yes" (`}},
		{"65 groups in two cases", "replay -c good.yaml -i groups.csv", done, []string{"constraints[0].attribute: FEMALE (", "MALE (", "write each value in one way"}},
		{"66 a header line again", "replay -c good.yaml -i again.csv", done, []string{"the header line is repeated", "Remove these lines"}},
		{"67 sorted by the label", "replay -c good.yaml -i sorted.csv", done, []string{"record.label.field: the records are sorted by the label", "replay --shuffle 1"}},
		{"68 tau in per cent", "config check -c percent.yaml", misuse, []string{"constraints[0].tau: 5 is outside (0, 1)", "such as 0.05"}},
		{"69 the tau of a ratio", "replay -c wide.yaml -i good.csv", done, []string{"constraints[0].tau: 0.8 allows nearly every difference", "impact-ratio"}},
		{"69 the tau of a difference", "check -c ratio.yaml -i good.csv", done, nil},
		{"70 group and versus the same", "config check -c same.yaml", misuse, []string{"constraints[0].versus: is the same as group"}},
		{"71 a text as weight", "replay -c weight.yaml -i good.csv", failed, []string{`bad_weight in field "purpose": not a number`}},
		{"72 a text as number", "replay -c number.yaml -i good.csv", failed, []string{`bad_label in field "repaid": not a number`}},
		{"73 an empty configuration", "config check -c empty.yaml", misuse, []string{"empty.yaml"}},
		{"74 confidence in per cent", "config check -c confidence.yaml", misuse, []string{"learner.confidence: 95 is outside [0.5, 0.999]"}},
		{"75 a configuration named twice", "replay -c good.yaml -c good.yaml -i good.csv", misuse, []string{"good.yaml: the file is named twice: remove one"}},
		{"76 files swapped", "replay -c good.csv -i good.yaml", misuse, []string{"good.csv:1", "good.yaml: cannot tell the format"}},
		{"77 a file without its flag", "replay -c good.yaml good.csv", misuse, []string{"good.csv is not a flag", "--input FILE"}},
		{"78 a holdout that is learnt from", "replay -c good.yaml -i good.csv --holdout good.csv", done, []string{"--holdout good.csv is the --input too", "--folds 5"}},
		{"81 an input twice", "replay -c good.yaml -i good.csv -i good.csv", misuse, []string{"--input good.csv is given twice: its records would be counted twice"}},
		{"82 an input twice to look at", "check -c good.yaml -i good.csv -i good.csv", misuse, []string{"--input good.csv is given twice: its records would be counted twice"}},
		{"81 a model twice", "score --model a.json --model b.json -i good.csv", misuse, []string{"--model is given twice"}},
		{"82 taus with a space", "replay -c good.yaml -i good.csv --tau 0.02 0.05", misuse, []string{"0.05 is not a flag", "as --tau 0.02,0.05"}},
		{"82 taus with comma and space", "replay -c good.yaml -i good.csv --tau 0.02, 0.05 0.1", misuse, []string{"as --tau 0.02,0.05,0.1"}},
		{"83 a seed that is a word", "replay -c good.yaml -i good.csv --shuffle abc", misuse, []string{"--shuffle abc: give a whole number from 0"}},
		{"83 a number that is a word", "plan --rate-a much", misuse, []string{"--rate-a much: give a number with a point, such as 0.05"}},
		{"84 a directory", "replay -c good.yaml -i .", misuse, []string{". is a directory: name a file of records"}},
		{"84 an address", "replay -c good.yaml -i https://example.com/a.csv", misuse, []string{"an address on the web cannot be read: download the file first"}},
		{"85 a comma behind each object", "replay -c good.yaml -i commas.jsonl", failed, []string{"line 1", "a comma follows the object", `sed 's/,$//' OLD > NEW`}},
		{"85 a comma in each object", "replay -c good.yaml -i trailing.jsonl", failed, []string{"line 1", "remove the comma before it"}},
		{"85 objects in one line", "replay -c good.yaml -i joined.jsonl", failed, []string{"line 1", "another object begins here", "jq -c ."}},
		{"86 a colon for the equals sign", "config check -c good.yaml --set kafka.sasl.password:hush", misuse, []string{"--set kafka.sasl.password: write KEY=VALUE, with an equals sign"}},
		{"86 a secret alone", "config check -c good.yaml --set hush", misuse, []string{"--set: write KEY=VALUE, with an equals sign"}},
		{"87 every feature ignored", "replay -c ignored.yaml -i good.csv", done, []string{"record: there is no feature: every field is the label, an attribute, in record.ignore. All records get the same decision"}},
		{"87 every feature ignored, check", "check -c ignored.yaml -i good.csv", failed, []string{"run would learn nothing useful from good.csv"}},
		{"79 records as model", "score --model good.csv -i good.csv", failed, []string{"good.csv", "not a weight document"}},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			code, out, stderr := fairstream(t, strings.Fields(test.args)...)
			if code != test.code {
				t.Errorf("exit code %d, want %d\n%s", code, test.code, stderr)
			}
			if strings.Contains(stderr, "hush") {
				t.Errorf("shows what may be a secret:\n%s", stderr)
			}
			for _, want := range test.says {
				if !strings.Contains(stderr, want) {
					t.Errorf("does not say %q:\n%s", want, stderr)
				}
			}
			if test.says == nil && !strings.Contains(out, "constraints[0].tau: 0.1 is the least ratio") {
				t.Errorf("%s", out)
			}
		})
	}
	t.Run("good records", func(t *testing.T) {
		if _, _, stderr := fairstream(t, "replay", "-c", "good.yaml", "-i", "good.csv"); strings.Contains(stderr, "Warning") {
			t.Error(stderr)
		}
	})
	t.Run("80 Windows line ends", func(t *testing.T) {
		if err := os.WriteFile("windows.csv", []byte("\xef\xbb\xbf"+strings.ReplaceAll(good, "\n", "\r\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		if object := replayed(t, "-c", "good.yaml", "-i", "windows.csv"); object["records"] != 600.0 {
			t.Errorf("%v", object)
		}
	})
}
