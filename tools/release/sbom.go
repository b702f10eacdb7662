package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"strings"
	"time"

	"github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdx/v2/common"
	"github.com/spdx/tools-golang/spdx/v2/v2_3"

	"github.com/fairstream/fairstream/tools/licences"
)

// bill lists what a program is linked from, as SPDX 2.3. The modules are those that Go wrote into the program itself.
func bill(name string, program []byte, modules []licences.Module, c *checkout) (file, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return file{}, err
	}
	licence := map[string]string{}
	for _, m := range modules {
		licence[m.Path] = m.Identifier
	}
	document := &v2_3.Document{
		SPDXVersion: v2_3.Version, DataLicense: v2_3.DataLicense, SPDXIdentifier: "DOCUMENT", DocumentName: name,
		DocumentNamespace: "https://github.com/fairstream/fairstream/spdx/" + name + "/" + c.revision,
		CreationInfo: &v2_3.CreationInfo{Created: c.date.Format(time.RFC3339),
			Creators: []common.Creator{{CreatorType: "Organization", Creator: "fairstream"}, {CreatorType: "Tool", Creator: "fairstream-release"}}},
	}
	add := func(identifier, path, version, licence string) *v2_3.Package {
		p := &v2_3.Package{PackageName: path, PackageSPDXIdentifier: common.ElementID(identifier), PackageVersion: version,
			PackageDownloadLocation: "NOASSERTION", PackageLicenseConcluded: licence, PackageLicenseDeclared: licence, PackageCopyrightText: "NOASSERTION",
			PackageExternalReferences: []*v2_3.PackageExternalReference{{Category: common.CategoryPackageManager, RefType: common.TypePackageManagerPURL,
				Locator: "pkg:golang/" + path + "@" + version}}}
		document.Packages = append(document.Packages, p)
		return p
	}
	relate := func(from, kind, to string) {
		document.Relationships = append(document.Relationships, &v2_3.Relationship{
			RefA: common.MakeDocElementID("", from), RefB: common.MakeDocElementID("", to), Relationship: kind})
	}
	product := add("fairstream", info.Main.Path, c.version, "Apache-2.0")
	product.PrimaryPackagePurpose, product.PackageSourceInfo = "APPLICATION", "revision "+c.revision
	product.PackageCopyrightText = "The authors of fairstream"
	relate("DOCUMENT", "DESCRIBES", "fairstream")
	add("go-stdlib", "stdlib", strings.TrimPrefix(info.GoVersion, "go"), "BSD-3-Clause")
	relate("fairstream", "DEPENDS_ON", "go-stdlib")
	for i, dependency := range info.Deps {
		if licence[dependency.Path] == "" {
			return file{}, fmt.Errorf("%s is linked, and its licence is not known", dependency.Path)
		}
		identifier := fmt.Sprintf("module-%d", i+1)
		add(identifier, dependency.Path, dependency.Version, licence[dependency.Path]).PackageComment = "go.sum " + dependency.Sum
		relate("fairstream", "DEPENDS_ON", identifier)
	}
	var b bytes.Buffer
	err = json.Write(document, &b, json.Indent("  "))
	return file{name + ".spdx.json", 0o644, b.Bytes()}, err
}
