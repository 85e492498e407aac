package agentpages

import (
	"context"
	"reflect"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// namedByKey are fields whose change a page names by their key in the ledger.
var namedByKey = map[string]bool{"ID": true, "TS": true, "EventID": true, "Resolution": true, "Session": true, "Extra": true}

// TestFieldWord: a field of the protocol that has no word of ours fails here by its name.
func TestFieldWord(t *testing.T) {
	for _, record := range []any{figs.Run{}, figs.Ask{}} {
		kind := reflect.TypeOf(record)
		for i := range kind.NumField() {
			name := kind.Field(i).Name
			if word := fieldWord(context.Background(), string(name[0]|0x20)+name[1:]); (word == "") != namedByKey[name] {
				t.Errorf("the word for %s of a %s is %q", name, kind, word)
			}
		}
	}
}
