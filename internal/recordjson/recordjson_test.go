package recordjson_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
	"github.com/figs-web/figs-web/internal/recordjson/recordjsontest"
)

// TestEveryField holds that a record's JSON has every field that figs reads. It fails with the name of a field that
// figs does not read under the name that recordjsontest gives it.
func TestEveryField(t *testing.T) {
	lines := map[figs.File][]byte{}
	for _, file := range []figs.File{figs.Runs, figs.Asks, figs.Messages} {
		lines[file] = recordjsontest.Line(file)
	}
	object := func(file figs.File) figs.Object { return figs.Fold([][]byte{lines[file]}) }
	run, ask, message := figs.ReadRun(object(figs.Runs)), figs.ReadAsk(object(figs.Asks)), figs.ReadMessage(object(figs.Messages))
	for _, read := range []any{run, ask, message, *run.Session, *ask.Resolution} {
		v := reflect.ValueOf(read)
		for _, f := range reflect.VisibleFields(v.Type()) {
			if f.Name != "Extra" && v.FieldByIndex(f.Index).IsZero() {
				t.Errorf("figs reads no %T.%s: recordjsontest writes it under another name", read, f.Name)
			}
		}
		if extra := v.FieldByName("Extra"); extra.Len() > 0 {
			t.Errorf("%T has the fields %v, which figs does not know: recordjsontest names them wrongly", read, extra)
		}
	}
	var c recordjson.Converter
	for _, missing := range [][]string{
		recordjsontest.Missing("recordjson.Job", figs.Runs, c.Job(&journal.Job{Run: run, Raw: lines[figs.Runs]}).Record),
		recordjsontest.Missing("recordjson.Ask", figs.Asks, c.Ask(&journal.Ask{Ask: ask, Raw: lines[figs.Asks]}).Record),
		recordjsontest.Missing("recordjson.Message", figs.Messages, c.Message(&journal.Message{Message: message, Raw: lines[figs.Messages]}).Record),
	} {
		for _, m := range missing {
			t.Error(m)
		}
	}
}

// TestOptionalFields holds which fields are left out for readers that have no such thing, and that all others are
// always there, as null when they are unknown.
func TestOptionalFields(t *testing.T) {
	var optional []string
	for _, x := range []any{recordjson.Person{}, recordjson.Counts{}, recordjson.Erasure{}, recordjson.Job{}, recordjson.JobDetail{}, recordjson.State{}, recordjson.Ask{}, recordjson.AskDetail{},
		recordjson.Message{}, recordjson.Note{}, recordjson.Delivery{}, recordjson.TrailEntry{}, recordjson.Position{}, recordjson.File{}, recordjson.FileDetail{}, recordjson.Mention{}, recordjson.FileOwner{}} {
		typ := reflect.TypeOf(x)
		for i := range typ.NumField() {
			f := typ.Field(i)
			tag := f.Tag.Get("json")
			if tag == "" && !f.Anonymous {
				t.Errorf("%s.%s has no name in JSON", typ, f.Name)
			}
			if strings.Contains(tag, ",omit") {
				optional = append(optional, typ.Name()+"."+f.Name)
			}
		}
	}
	want := []string{"Job.Page", "Ask.Page", "Note.Summary", "Note.Resolved", "Note.Remarks", "TrailEntry.Place", "TrailEntry.Round", "TrailEntry.Files", "File.Page", "File.Mentions"}
	if diff := cmp.Diff(want, optional); diff != "" {
		t.Errorf("fields that may be left out (-want +got):\n%s", diff)
	}
	c := recordjson.Converter{Page: func(section, key string) string { return "/" + section + "/" + key }}
	for _, test := range []struct {
		value any
		want  string
	}{
		{c.Job(&journal.Job{Key: "1"}), `{"key":"1","id":"","page":"/jobs/1","title":"","outcome":"ok","ts":null,"versions":0,"record":null}`},
		{c.Moment(&journal.TrailEntry{}), `{"ts":null,"at":null,"received":null,"pushed_by":null,"changed":[],"files":[],"lines":1,"line":null}`},
		{c.Message(&journal.Message{}), `{"key":"","id":"","ask":null,"ask_title":null,"round":null,"earlier":false,"verified":false,"at":null,"pushed_by":null,"delivery":null,"erased":null,"record":null}`},
		{c.File(&journal.File{Size: -1}), `{"key":"","name":"","page":"/files/","size":null,"sha256":null,"mentions":[],"owner":null}`},
		{recordjson.TrailEntry{}, `{"ts":null,"at":null,"received":null,"pushed_by":null,"changed":null,"lines":0,"line":null}`},
	} {
		if got, err := json.Marshal(test.value); err != nil || string(got) != test.want {
			t.Errorf("%T is %s, %v; want %s", test.value, got, err, test.want)
		}
	}
}
