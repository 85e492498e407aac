package api_test

import (
	"context"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

// TestErased erases a job, an ask, a reply and a file: each says who did it, when and why, and what it
// was by its hash; what stays says nothing of the kind.
func TestErased(t *testing.T) {
	d := newDesk(t)
	ctx := context.Background()
	hash := d.attach(d.odd, "nowhere.md", "a name of a customer")
	at := d.agent(d.odd)
	wants := map[string]store.Erasure{
		"/jobs/plain":       {Kind: store.EraseRun, ID: "plain"},
		"/asks/~YS9i":       {Kind: store.EraseAsk, ID: "a/b"},
		"/files/nowhere.md": {Kind: store.EraseAttachment, ID: "nowhere.md"},
		"":                  {Kind: store.EraseReply, ID: "m 1"},
	}
	for path, e := range wants {
		if path != "" && d.get(at + path)["erased"] != nil {
			t.Errorf("%s is erased already", path)
		}
		e.Workspace, e.Agent, e.Why = d.acme.ID, d.odd, "it named a customer"
		e, err := d.s.Erase(ctx, store.Act{By: d.ana.ID, At: d.now.UnixMicro()}, e)
		d.ok(err)
		wants[path] = e
	}
	d.ok(d.s.MarkPushedAgain(ctx, d.odd, "nowhere.md", d.now.UnixMicro()+1_000_000))
	doc := d.document()
	check := func(at string, v any, sha256 string, came any) {
		t.Helper()
		e, _ := v.(map[string]any)
		if by, _ := e["by"].(map[string]any); e["why"] != "it named a customer" || e["at"] != "2026-11-20T19:00:00Z" || by["name"] != "ana" || e["sha256"] != sha256 || e["came_again"] != came {
			t.Errorf("%s says %v, want the hash %s", at, v, sha256)
		}
		for _, wrong := range doc.judge(map[string]any{"$ref": "#/components/schemas/Erased"}, "", v) {
			t.Errorf("%s: %s", at, wrong)
		}
	}
	for _, path := range []string{"/jobs/plain", "/asks/~YS9i"} {
		check(path, d.get(at + path)["erased"], wants[path].SHA256, nil)
	}
	check("the file", d.get(at + "/files/nowhere.md")["erased"], hash, "2026-11-20T19:00:01Z")
	for address, list := range map[string]string{"/messages": "items", "/asks/~YS9i": "thread"} {
		for _, item := range d.get(at + address)[list].([]any) {
			check("a reply of "+address, item.(map[string]any)["erased"], wants[""].SHA256, nil)
		}
	}
	if other := d.get(at + "/asks/~Pw"); other["erased"] != nil {
		t.Errorf("another ask says %v", other["erased"])
	}
}

// TestArchived: an agent says since when it is archived, alone and in the list, until it is brought back.
func TestArchived(t *testing.T) {
	d := newDesk(t)
	says := func(want any) {
		t.Helper()
		listed := map[string]any{}
		for _, item := range d.get(acme + "/agents")["items"].([]any) {
			a := item.(map[string]any)
			listed[a["id"].(string)] = a["archived"]
		}
		if alone := d.get(d.agent(d.odd))["archived"]; alone != want || listed[d.odd] != want || listed[d.recon] != nil {
			t.Errorf("it says %v, the list %v, want %v", alone, listed, want)
		}
	}
	says(nil)
	act := store.Act{By: d.ana.ID, At: d.now.UnixMicro()}
	d.ok(d.s.Archive(context.Background(), act, d.odd, true))
	says("2026-11-20T19:00:00Z")
	d.ok(d.s.Archive(context.Background(), act, d.odd, false))
	says(nil)
}
