package cli

import (
	"maps"
)

func init() { // what succeeds is in testdata/script/finding_*.txtar
	maps.Copy(conformance, map[string]struct {
		good, bad []string
		code      int
	}{
		"finding add":       {nil, []string{"finding", "add", "nowhere"}, 100},
		"finding merge":     {nil, []string{"finding", "merge", "nowhere"}, 100},
		"finding retire":    {nil, []string{"finding", "retire", "f-1"}, 100},
		"finding supersede": {nil, []string{"finding", "supersede", "f-1", "--by", "f-1"}, 2},
		"finding rank":      {nil, []string{"finding", "rank", "--when", "plan"}, 2},
		"finding list":      {nil, []string{"finding", "list", "--root", "nowhere"}, 100},
		"finding check":     {nil, []string{"finding", "check", "--root", "nowhere"}, 100},
	})
}
