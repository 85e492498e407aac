package receipt

import (
	"slices"

	"github.com/figs-web/figs-web/figs"
)

// Copy is a copy of an agent's folder, against which receipts are checked.
type Copy struct {
	folder *figs.Folder
	digest func(name string) (sha256 string, ok bool)
}

// NewCopy takes a folder that was read with its bytes kept, and what tells the SHA-256, in hex,
// of a file in its artifacts; ok is false when the copy has no such file.
func NewCopy(f *figs.Folder, digest func(name string) (sha256 string, ok bool)) *Copy {
	return &Copy{f, digest}
}

// Agent is the id of the agent whose folder it is; "" when config.json does not say (§2).
func (c *Copy) Agent() string {
	config, _ := figs.ReadConfig(c.folder.Small(figs.ConfigJSON))
	return config.AgentID
}

// message compares the event of a decision with the one of that id in messages.jsonl, of which
// the first counts (§4.5). A copy may add fields of its own, and its source is display only (§3).
func (c *Copy) message(minted figs.Object) Match {
	n := c.folder.Find(figs.Messages, minted.Get("id").Text())
	if n < 0 {
		return MatchMissing
	}
	here := figs.Fold([][]byte{c.folder.Bytes(figs.Messages, c.folder.Trail(figs.Messages, n)[0])})
	if !figs.SameMessage(minted, here) {
		return MatchDiffers
	}
	has := fieldsOf(here)
	for _, f := range minted {
		if f.Key != "source" && !same(f.Value.Raw, has[f.Key]) {
			return MatchDiffers
		}
	}
	return MatchSame
}

// mostWork bounds how many bytes of folds one check compares: a trail may have millions of lines.
const mostWork = 64 << 20

// ask looks for a state in the trail of an ask that is the fold of a receipt: the fold of its
// first lines, up to some line (§4.3). Without one it says which fields differ from the state
// that comes nearest.
func (c *Copy) ask(r *Receipt) (found Match, line, lines int, fields []string) {
	n := c.folder.Find(figs.Asks, r.Ask.ID)
	if n < 0 {
		return MatchMissing, 0, 0, nil
	}
	want := fieldsOf(figs.Fold([][]byte{r.Ask.Fold}))
	trail := c.folder.Trail(figs.Asks, n)
	var now []byte
	work := 0
	for i, ref := range trail {
		text := c.folder.Bytes(figs.Asks, ref)
		if work += len(now) + len(text); work > mostWork {
			return MatchNotCompared, 0, len(trail), nil
		}
		fold := figs.Fold([][]byte{now, text})
		now = figs.AppendObject(nil, fold)
		odd := differing(want, fold)
		if len(odd) == 0 {
			return MatchSame, i + 1, len(trail), nil
		}
		if i == 0 || len(odd) <= len(fields) {
			fields = odd
		}
	}
	return MatchDiffers, 0, len(trail), fields
}

// differing lists the keys under which two records hold other values, in order.
func differing(a map[string][]byte, b figs.Object) (keys []string) {
	both := 0
	for _, f := range b {
		was, ok := a[f.Key]
		if ok {
			both++
		}
		if !ok || !same(was, f.Value.Raw) {
			keys = append(keys, f.Key)
		}
	}
	if both < len(a) {
		has := fieldsOf(b)
		for key := range a {
			if _, ok := has[key]; !ok {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// fieldsOf are the values of a record by their keys: a record may have very many.
func fieldsOf(o figs.Object) map[string][]byte {
	fields := make(map[string][]byte, len(o))
	for _, f := range o {
		fields[f.Key] = f.Value.Raw
	}
	return fields
}

// file compares one attachment.
func (c *Copy) file(a *Attachment) Match {
	if a.SHA256 == "" {
		return MatchNotCompared
	}
	sum, ok := c.digest(a.Name)
	switch {
	case !ok:
		return MatchMissing
	case sum != a.SHA256:
		return MatchDiffers
	}
	return MatchSame
}
