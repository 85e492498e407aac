package sqlstore

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// TestFactsHaveColumns tests that every field of facts has a column.
func TestFactsHaveColumns(t *testing.T) {
	none := new(facts).values()
	for i := range reflect.TypeFor[facts]().NumField() {
		var f facts
		field := reflect.ValueOf(&f).Elem().Field(i)
		field = reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
		if field.Kind() == reflect.String {
			field.SetString("x")
		} else {
			field.SetInt(1)
		}
		if slices.Equal(f.values(), none) {
			t.Errorf("facts.%s has no column: add it to factFields", reflect.TypeFor[facts]().Field(i).Name)
		}
	}
}
