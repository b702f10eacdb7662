package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/engine/internal/storage"
)

// bucket is one of an S3 service, which AWS_ENDPOINT_URL names.
func bucket(t *testing.T) (address string) {
	t.Helper()
	if address = os.Getenv("FAIRSTREAM_TEST_S3"); address == "" {
		t.Skip("make s3 starts a service, and sets FAIRSTREAM_TEST_S3")
	}
	return address
}

// put copies the files of a folder that match a pattern to a folder in a bucket.
func put(t *testing.T, pattern, folder string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := storage.WriteBytes(t.Context(), storage.Join(folder, filepath.Base(name)), data); err != nil {
			t.Fatal(err)
		}
	}
}

// TestS3: states, decisions and audits of objects are those of the same files on a disk, bit for bit, also of names that a URL would have escaped; what workers
// were told and have returned through a bucket is gone at the end.
func TestS3(t *testing.T) {
	at := bucket(t)
	folder, configured := records(t, 3, 1000)
	if err := os.Rename(filepath.Join(folder, "part-1.csv"), filepath.Join(folder, "part-1 of 2?#%20.csv")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "part-9.jsonl"), "{\"age\": 1}\n"+strings.Repeat("{\"age\": \"40\", \"sex\": \"Male\", \"income\": \">50K\"}\n", 20))
	put(t, filepath.Join(folder, "part-*"), at+"/history/may")
	if err := storage.WriteBytes(t.Context(), at+"/history/may/", nil); err != nil { // as consoles make folders
		t.Log(err)
	}
	want := here(t, configured, filepath.Join(folder, "part-*"))
	output, model, temp := filepath.Join(t.TempDir(), "there.state"), filepath.Join(t.TempDir(), "weights.json"), at+"/temp"
	said, code := fairstreamEngine(t, "backfill", "-c", configured, "-i", at+"/history/may/part-[0-9]*", "-o", output, "--save", model, "--sample", "4000", "--temp", temp)
	if code != done {
		t.Fatal(said)
	}
	got := stateOf(t, output)
	if !bytes.Equal(got.Learner, want.Learner) {
		t.Error("objects leave another state than files")
	}
	for i, file := range got.Files {
		if of := want.Files[i]; file.SHA256 != of.SHA256 || file.Records != of.Records || file.Name != at+"/history/may/"+filepath.Base(of.Name) {
			t.Errorf("%+v, and on the disk %+v", file, of)
		}
	}

	decided := at + "/decisions"
	score := []string{"score", "--model", model, "-i", at + "/history/may/part-?*.csv", "-o", decided, "--temp", temp}
	if said, code := fairstreamEngine(t, score...); code != done {
		t.Fatal(said)
	}
	for _, name := range []string{"part-0.csv", "part-1 of 2?#%20.csv", "part-2.csv"} {
		lines, _ := scoredHere(t, filepath.Join(folder, name), model, false, nil)
		if got, err := storage.Read(t.Context(), decided+"/"+name+".00000.csv"); err != nil || !bytes.Equal(got, lines) {
			t.Errorf("%s: other decisions, %v", name, err)
		}
	}
	if said, code := fairstreamEngine(t, score...); code != misuse || !strings.Contains(said, "is not empty") {
		t.Errorf("old decisions may be among new ones: %d, %s", code, said)
	}

	audited := t.TempDir()
	monitor := filepath.Join(audited, "monitor.yaml")
	counted := func(from string) string {
		var table, said bytes.Buffer
		if code := run(t.Context(), []string{"audit", "-c", monitor, "-i", from, "--temp", temp}, strings.NewReader(""), &table, &said); code != done {
			t.Fatal(said.String())
		}
		return table.String()
	}
	write(t, monitor, monitoring)
	decisions(t, audited, 3, 500)
	put(t, filepath.Join(audited, "decisions-*"), at+"/decided")
	if here, there := counted(filepath.Join(audited, "decisions-*")), counted(at+"/decided/decisions-*"); here != there {
		t.Errorf("objects are counted otherwise than files:\n%s\n%s", there, here)
	}
	if empty, err := storage.IsEmpty(t.Context(), temp); err != nil || !empty {
		t.Errorf("something was left in %s, or %v", temp, err)
	}
}

// TestS3Refuses: what is wrong is named.
func TestS3Refuses(t *testing.T) {
	at := bucket(t)
	folder, configured := records(t, 2, 300)
	put(t, filepath.Join(folder, "part-*"), at+"/refused")
	for name, test := range map[string]struct {
		file, text  string
		environment [2]string
		pattern     string
		words       []string
		code        int
	}{
		"no object":  {pattern: at + "/refused/x*", words: []string{"/refused/x*", "no file has such a name"}, code: misuse},
		"no bucket":  {pattern: "s3://missing/part-*", words: []string{"--input s3://missing/part-*", "NoSuchBucket"}, code: misuse},
		"no secret":  {environment: [2]string{"AWS_SECRET_ACCESS_KEY", "wrong"}, words: []string{"--input " + at + "/refused/part-*", "SignatureDoesNotMatch"}, code: misuse},
		"no user":    {environment: [2]string{"AWS_ACCESS_KEY_ID", "wrong"}, words: []string{"--input " + at + "/refused/part-*", "access key"}, code: misuse},
		"no service": {environment: [2]string{"AWS_ENDPOINT_URL", "http://127.0.0.1:9"}, words: []string{"--input " + at + "/refused/part-*", "127.0.0.1:9"}, code: misuse},
		"truncated":  {file: "part-8.csv.gz", text: "\x1f\x8b\x08\x00", words: []string{at + "/refused/part-8.csv.gz"}, code: failed},
		"columns":    {file: "part-8.csv", text: "a,b\n1,2\n", words: []string{at + "/refused/part-8.csv has other columns"}, code: failed},
		"temp":       {words: []string{"s3://missing/temp", "NoSuchBucket"}, code: failed},
	} {
		if test.file != "" {
			if err := storage.WriteBytes(t.Context(), at+"/refused/"+test.file, []byte(test.text)); err != nil {
				t.Fatal(err)
			}
		}
		if test.pattern == "" {
			test.pattern = at + "/refused/part-*"
		}
		args := []string{"backfill", "-c", configured, "-i", test.pattern, "-o", filepath.Join(t.TempDir(), "x.state")}
		if name == "temp" {
			args = append(args, "--temp", "s3://missing/temp")
		}
		t.Run(name, func(t *testing.T) {
			if test.environment[0] != "" {
				t.Setenv(test.environment[0], test.environment[1])
			}
			said, code := fairstreamEngine(t, args...)
			for _, words := range test.words {
				if !strings.Contains(said, words) {
					t.Errorf("%q is not in\n%s", words, said)
				}
			}
			if code != test.code {
				t.Errorf("exit code %d, want %d:\n%s", code, test.code, said)
			}
		})
		if test.file != "" {
			if err := storage.Remove(t.Context(), at+"/refused/"+test.file); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// failing writes half of an object.
func failing(to io.Writer) error {
	_, err := to.Write([]byte("half"))
	return errors.Join(err, errors.New("the other half cannot be made"))
}

// TestS3LeavesNothingInPart: an object that could not be written to its end is not there.
func TestS3LeavesNothingInPart(t *testing.T) {
	at := bucket(t) + "/part/object"
	if err := storage.Write(t.Context(), at, failing); err == nil || storage.Exists(t.Context(), at) {
		t.Errorf("%v; is there: %v", err, storage.Exists(t.Context(), at))
	}
	if err := storage.WriteBytes(t.Context(), at, []byte("whole")); err != nil {
		t.Fatal(err)
	}
	if err := storage.Write(t.Context(), at, failing); err == nil {
		t.Error("no error")
	}
	if data, err := storage.Read(t.Context(), at); err != nil || string(data) != "whole" {
		t.Errorf("%q, %v", data, err)
	}
}
