package recordviews

import (
	"reflect"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// ofTheLine are the fields of an ask that say something of one line alone: a later line does not take them over.
var ofTheLine = map[string]bool{"ID": true, "TS": true, "Status": true, "Resolution": true, "Session": true, "Extra": true}

// TestOverlay: a field that a line has is what the ask has from then on, one that it leaves out stays, and one that it
// empties is empty. A field of the protocol that overlay does not know fails here by its name.
func TestOverlay(t *testing.T) {
	kind := reflect.TypeFor[figs.Ask]()
	for i := range kind.NumField() {
		field := kind.Field(i)
		if ofTheLine[field.Name] {
			continue
		}
		t.Run(field.Name, func(t *testing.T) {
			var ask, line figs.Ask
			value := reflect.ValueOf(&line).Elem().Field(i)
			switch value.Kind() {
			case reflect.String:
				value.SetString("new")
			case reflect.Slice:
				value.Set(reflect.MakeSlice(field.Type, 1, 1))
			default:
				t.Fatalf("figs.Ask.%s is a %s: say here how to fill it", field.Name, field.Type)
			}
			overlay(&ask, &line, nil)
			if got := reflect.ValueOf(ask).Field(i); !reflect.DeepEqual(got.Interface(), value.Interface()) {
				t.Errorf("after a line with %s the ask has %v", field.Name, got)
			}
			overlay(&ask, &figs.Ask{}, nil)
			if got := reflect.ValueOf(ask).Field(i); got.IsZero() {
				t.Errorf("a line without %s empties it", field.Name)
			}
			overlay(&ask, &figs.Ask{}, []string{keyOf(field.Name)})
			if got := reflect.ValueOf(ask).Field(i); !got.IsZero() {
				t.Errorf("a line that empties %s leaves %v", field.Name, got)
			}
		})
	}
}

// keyOf is a field's name in a ledger.
func keyOf(field string) string { return string(field[0]|0x20) + field[1:] }
