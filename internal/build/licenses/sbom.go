package main

import (
	"encoding/json"
	"strings"

	"github.com/figs-web/figs-web/internal/version"
)

// bill is a software bill of materials: CycloneDX 1.6, without what differs from build to build (a time, a serial number).
type bill struct {
	Schema      string `json:"$schema"`
	Format      string `json:"bomFormat"`
	SpecVersion string `json:"specVersion"`
	Version     int    `json:"version"`
	Metadata    struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components []component `json:"components"`
}

type component struct {
	Type     string      `json:"type"`
	Ref      string      `json:"bom-ref"`
	Name     string      `json:"name"`
	Version  string      `json:"version"`
	Licenses [1]licensed `json:"licenses"`
	PURL     string      `json:"purl"`
}

// licensed is an SPDX expression.
type licensed struct {
	Expression string `json:"expression"`
}

func newComponent(kind, module, version, license string) component {
	url := "pkg:golang/" + module + "@" + version
	return component{kind, url, module, version, [1]licensed{{spdx(license)}}, url}
}

// spdx turns a license of docs/licenses.md into an SPDX expression.
func spdx(license string) string {
	return strings.NewReplacer(" (new parts) and ", " AND ", " and ", " AND ", ", with parts under ", " AND ").Replace(license)
}

// materials lists what a release is linked with. goVersion is that of the Go that builds it, like go1.26.0.
func materials(all []part, goVersion string) ([]byte, error) {
	b := bill{Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1}
	b.Metadata.Component = newComponent("application", "github.com/figs-web/figs-web", version.Version, "MIT")
	for _, p := range all {
		if p.name == standardLibrary {
			p.name, p.version = "std", "v"+strings.TrimPrefix(goVersion, "go")
		}
		b.Components = append(b.Components, newComponent("library", p.name, p.version, p.licence))
	}
	out, err := json.MarshalIndent(b, "", "  ")
	return append(out, '\n'), err
}
