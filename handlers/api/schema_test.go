package api_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/internal/recordjson"
)

// TestSchemasOfRecords holds that the description has the fields of the structs that are sent, and no others.
func TestSchemasOfRecords(t *testing.T) {
	doc := newDesk(t).document()
	for name, sent := range map[string]any{
		"Person": recordjson.Person{}, "Erased": recordjson.Erased{}, "Job": recordjson.Job{}, "JobAlone": recordjson.JobDetail{}, "State": recordjson.State{},
		"Ask": recordjson.Ask{}, "AskAlone": recordjson.AskDetail{}, "Message": recordjson.Message{}, "Moment": recordjson.Moment{}, "File": recordjson.File{},
		"FileAlone": recordjson.FileDetail{},
	} {
		schema, ok := doc.Components.Schemas[name].(map[string]any)
		if !ok {
			t.Errorf("the description has no schema %s", name)
			continue
		}
		described := slices.Sorted(maps.Keys(schema["properties"].(map[string]any)))
		if diff := cmp.Diff(described, fieldsOf(sent)); diff != "" {
			t.Errorf("the schema %s differs from recordjson (-schema +struct):\n%s", name, diff)
		}
	}
}

// fieldsOf are the names in JSON of the fields of a struct. A server has no ledgers, so it never sends a place.
func fieldsOf(sent any) (names []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeOf(sent)) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "place" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
