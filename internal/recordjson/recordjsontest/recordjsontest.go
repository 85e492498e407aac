// Package recordjsontest has a record of each ledger with every field that the protocol names, to test that an output
// carries all of them.
package recordjsontest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/figs-web/figs-web/figs"
)

// Line is a line of runs.jsonl, asks.jsonl or messages.jsonl with every field that figs reads from it. The record has
// the id "every-field"; the message replies to the ask.
func Line(file figs.File) []byte {
	line := object(reflect.TypeOf(records[file]))
	line["id"], line["ts"] = "every-field", "2026-11-20T10:00:00Z"
	switch file {
	case figs.Runs:
		line["status"], line["state"] = "ok", "settled"
	case figs.Asks:
		line["type"], line["status"], line["to"], line["run"] = "sign-off", "open", "manager", "every-field"
	case figs.Messages:
		line["kind"], line["ask"], line["verdict"], line["source"] = "verdict", "every-field", "approved", "chat"
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err) // texts, numbers, lists and objects
	}
	return text
}

var records = map[figs.File]any{figs.Runs: figs.Run{}, figs.Asks: figs.Ask{}, figs.Messages: figs.Message{}}

// object has a value for every field of a struct of figs.
func object(t reflect.Type) map[string]any {
	o := map[string]any{}
	for _, f := range reflect.VisibleFields(t) {
		if f.Name != "Extra" {
			o[name(f.Name)] = value(f.Type, f.Name)
		}
	}
	return o
}

func value(t reflect.Type, name string) any {
	switch {
	case t == reflect.TypeFor[[]figs.Pair]():
		return []any{map[string]any{"l": "label", "v": "value"}}
	case t == reflect.TypeFor[figs.Tokens]():
		return map[string]any{"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4}
	case t.Kind() == reflect.Pointer:
		return object(t.Elem())
	case t.Kind() == reflect.Slice:
		return []any{name + ".md"}
	}
	return "the " + name
}

// name is the name in JSON of a field in Go: ID is id, OnApprove is onApprove.
func name(field string) string {
	if strings.ToUpper(field) == field {
		return strings.ToLower(field)
	}
	runes := []rune(strings.ReplaceAll(field, "ID", "Id"))
	runes[0] = unicode.ToLower(runes[0])
	return string(runes)
}

// Missing says which fields of the record of a ledger are not in JSON that some output gives of it, or are there with
// another value, each as "the place that misses it: the field".
func Missing(place string, file figs.File, record []byte) (missing []string) {
	var want, got map[string]any
	if err := json.Unmarshal(Line(file), &want); err != nil {
		panic(err)
	}
	if err := json.Unmarshal(record, &got); err != nil {
		return []string{fmt.Sprintf("%s gives %s, which is no object: %v", place, record, err)}
	}
	for field := range want {
		if !reflect.DeepEqual(want[field], got[field]) {
			missing = append(missing, fmt.Sprintf("%s: the field %s of %s is %v, want %v", place, field, file, got[field], want[field]))
		}
	}
	slices.Sort(missing)
	return missing
}
