package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// bundleScript makes one classic script of a module and everything that it imports. The
// syntax is lowered far enough for the start check to run in browsers that it then refuses.
func bundleScript(dir, entry string) (string, error) {
	return bundle(api.BuildOptions{
		EntryPoints: []string{filepath.Join(dir, entry)},
		Format:      api.FormatIIFE,
		Target:      api.ES2020,
	})
}

// bundleStyles makes one style sheet of all in a folder, in the order of their names; the
// sheets say in @layer what goes before what.
func bundleStyles(dir string) (string, error) {
	sheets, err := filepath.Glob(filepath.Join(dir, "*.css"))
	if err != nil {
		return "", err
	}
	var imports strings.Builder
	for _, sheet := range sheets {
		fmt.Fprintf(&imports, "@import \"./%s\";\n", filepath.Base(sheet))
	}
	return bundle(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: imports.String(), ResolveDir: dir, Loader: api.LoaderCSS},
		Target: api.ESNext,
	})
}

// bundle runs esbuild in memory and returns its one output.
func bundle(options api.BuildOptions) (string, error) {
	options.Bundle = true
	options.MinifySyntax, options.MinifyWhitespace, options.MinifyIdentifiers = true, true, true
	options.Charset = api.CharsetUTF8
	options.LegalComments = api.LegalCommentsNone
	options.LogLevel = api.LogLevelSilent
	result := api.Build(options)
	if len(result.Errors) > 0 {
		text := api.FormatMessages(result.Errors, api.FormatMessagesOptions{})
		return "", fmt.Errorf("bundle: %s", strings.TrimSpace(strings.Join(text, "")))
	}
	return strings.TrimSpace(string(result.OutputFiles[0].Contents)), nil
}
