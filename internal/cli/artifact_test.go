package cli

import (
	"maps"
)

func init() { // what succeeds is in testdata/script/artifact_*.txtar
	maps.Copy(conformance, map[string]struct {
		good, bad []string
		code      int
	}{
		"artifact publish": {nil, []string{"artifact", "publish", "nowhere", "--channel", "design", "--work", "w"}, 100},
		"artifact get":     {nil, []string{"artifact", "get", "art_1"}, 100},
		"artifact list":    {nil, []string{"artifact", "list", "--since", "lately"}, 2},
	})
}
