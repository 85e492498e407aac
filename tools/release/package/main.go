// Command package builds the deb or rpm package of this machine's architecture from .goreleaser.yaml, as GoReleaser does, with
// the same library (nfpm). The file's extension says which. It needs bin/figs-web and what the hooks before a release make.
//
//	go -C tools/release run ./package ROOT VERSION FILE
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: package ROOT VERSION FILE")
		os.Exit(2)
	}
	if err := build(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func build(root, version, file string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil { // the configuration names files from there
		return err
	}
	project, err := config.Load(".goreleaser.yaml")
	if err != nil {
		return err
	}
	if len(project.NFPMs) != 1 {
		return fmt.Errorf("there are %d packages, want one", len(project.NFPMs))
	}
	p := project.NFPMs[0]
	format := strings.TrimPrefix(filepath.Ext(file), ".")
	if !slices.Contains(p.Formats, format) {
		return fmt.Errorf("%s: a release has packages of the formats %q", file, p.Formats)
	}
	contents := files.Contents{{Source: "bin/figs-web", Destination: "/usr/bin/figs-web", FileInfo: &files.ContentFileInfo{Mode: 0o755}}}
	for _, c := range p.Contents {
		contents = append(contents, &files.Content{
			Source: c.Source, Destination: c.Destination, Type: c.Type, Packager: c.Packager, FileInfo: &files.ContentFileInfo{Mode: c.FileInfo.Mode},
		})
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: p.PackageName, Arch: runtime.GOARCH, Platform: "linux", Version: version, Section: p.Section,
		Maintainer: p.Maintainer, Vendor: p.Vendor, Homepage: p.Homepage, Description: p.Description, License: p.License,
		MTime: time.Unix(1, 0),
		Overridables: nfpm.Overridables{
			Contents: contents, Depends: p.Overrides[format].Dependencies, RPM: nfpm.RPM{BuildHost: p.RPM.BuildHost},
			Scripts: nfpm.Scripts{
				PreInstall: p.Scripts.PreInstall, PostInstall: p.Scripts.PostInstall,
				PreRemove: p.Scripts.PreRemove, PostRemove: p.Scripts.PostRemove,
			},
		},
	})
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return err
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	w, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := packager.Package(info, w); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}
