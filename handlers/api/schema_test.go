package api_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/recordjson"
	"github.com/figs-web/figs-web/internal/recordjson/recordjsontest"
)

// TestSchemasOfRecords holds that the description has the fields of the structs that are sent, and no others.
func TestSchemasOfRecords(t *testing.T) {
	doc := newDesk(t).document()
	for name, sent := range map[string]any{
		"Person": recordjson.Person{}, "Counts": recordjson.Counts{}, "Erased": recordjson.Erasure{}, "Job": recordjson.Job{}, "JobAlone": recordjson.JobDetail{}, "State": recordjson.State{},
		"Ask": recordjson.Ask{}, "AskAlone": recordjson.AskDetail{}, "Message": recordjson.Message{}, "Remark": recordjson.Remark{}, "Moment": recordjson.TrailEntry{}, "File": recordjson.File{},
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

// TestEveryField holds that the API sends a record with every field of the protocol.
func TestEveryField(t *testing.T) {
	d := newDesk(t)
	line := func(file figs.File) []string { return []string{string(recordjsontest.Line(file))} }
	d.push(d.acme, d.odd, "", line(figs.Runs), line(figs.Asks), line(figs.Messages))
	at := d.agent(d.odd)
	var job recordjson.JobDetail
	var ask recordjson.AskDetail
	d.ok(json.Unmarshal([]byte(body(t, d.ask("GET", at+"/jobs/every-field", "ana"))), &job))
	d.ok(json.Unmarshal([]byte(body(t, d.ask("GET", at+"/asks/every-field", "ana"))), &ask))
	if len(job.Asks) != 1 || len(ask.Thread) != 1 {
		t.Fatalf("the job has %d asks, the ask %d replies; want one each", len(job.Asks), len(ask.Thread))
	}
	for _, missing := range slices.Concat(
		recordjsontest.Missing("JobAlone", figs.Runs, job.Record), recordjsontest.Missing("Job.asks", figs.Asks, job.Asks[0].Record),
		recordjsontest.Missing("AskAlone", figs.Asks, ask.Record), recordjsontest.Missing("AskAlone.thread", figs.Messages, ask.Thread[0].Record),
	) {
		t.Error(missing)
	}
}
