package artifacts

import (
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/kind"
)

// field numbers the members of a record.
type field uint8

const (
	fieldVersion field = iota
	fieldID
	fieldChannel
	fieldKind
	fieldPath
	fieldRecordPath
	fieldAvailable
	fieldCreated
	fieldUpdated
	fieldProducer
	fieldStatus
	required // how many fields every record has; those below may be left out
)

const (
	fieldIsDirectory field = required + iota
	fieldIsLink
	fieldTitle
	fieldSummary
	fieldMediaType
	fieldSize
	fieldDigest
	fieldReplaces
	fieldParents
	fieldTags
	fieldMetadata
	fieldCount
)

var fieldNames = [fieldCount]string{"version", "id", "channel", "kind", "path", "recordPath", "targetAvailable", "createdAt", "updatedAt",
	"producer", "status", "isDirectory", "isSymbolicLink", "title", "summary", "mediaType", "sizeBytes", "digest", "replaces",
	"parentArtifactIds", "tags", "metadata"}

// at begins a finding about a value of the record.
func (e *entry) at(code figs.Code, pointer string, v kind.Value) figs.Finding {
	f := e.doc.At(code, pointer, v)
	f.Record = e.ID
	return f
}

// readRecord reads the members of a record, and judges each by itself.
func (r *Reader) readRecord(e *entry) {
	for c := jsonl.Walk(e.doc.Root.Value); c.Next(); {
		if string(c.Key) == `"id"` {
			e.ID = c.Value.Text() // first, because findings name it
		}
	}
	r.fields = [fieldCount]kind.Value{}
	e.Extra = r.members(e, e.doc.Root, "", fieldNames[:], r.fields[:])
	e.places = places{id: r.fields[fieldID], path: r.fields[fieldPath], replaces: r.fields[fieldReplaces], size: r.fields[fieldSize]}
	for f := range required {
		if r.fields[f].Kind == jsonl.None {
			r.log.Add(figs.Finding{Code: figs.RecordFieldMissing, File: e.File, Pointer: "/" + fieldNames[f], Record: e.ID}, fieldNames[f])
		}
	}
	r.judgeVersion(e)
	e.ID = r.text(e, fieldID)
	if e.ID != "" && e.File != Dir+"/"+e.ID+".json" {
		r.log.Add(e.at(figs.RecordNameDiffers, "/id", r.fields[fieldID]), e.ID, e.File[len(Dir)+1:])
	}
	r.readWords(e)
	r.readTarget(e)
	if r.fields[fieldProducer].Kind != jsonl.None {
		r.readProducer(e)
	}
	e.Replaces = r.text(e, fieldReplaces)
	ids, places := r.texts(e, fieldParents)
	for _, id := range ids {
		e.Parents = append(e.Parents, Ref{ID: id})
	}
	e.parents = places
	e.Tags, _ = r.texts(e, fieldTags)
	if v := r.fields[fieldMetadata]; v.Kind == jsonl.Object {
		e.Metadata = v.Raw
	} else if v.Kind != jsonl.None {
		r.wrong(e, fieldMetadata, v, "an object")
	}
	e.Path = r.text(e, fieldPath)
	e.place()
	for f, v := range r.fields {
		if v.Kind == jsonl.String {
			r.judgeText(e, v, "/"+fieldNames[f], fieldNames[f])
		}
	}
}

// members sorts the members of an object by name into values; null is as good as absent. It notes keys that stand
// twice, of which the last one counts, and returns what has no name here.
func (r *Reader) members(e *entry, object kind.Value, pointer string, names []string, values []kind.Value) (extra figs.Object) {
	var others map[string]int
	seen := uint32(0)
	for _, m := range object.Members() {
		n := 0
		for n < len(names) && names[n] != m.Key {
			n++
		}
		again := false
		if n < len(names) {
			again = seen&(1<<n) != 0
			seen |= 1 << n
			if values[n] = m.Value; m.Value.Kind == jsonl.Null {
				values[n] = kind.Value{}
			}
		} else {
			var i int
			if i, again = others[m.Key]; again {
				extra[i].Value = m.Value.Value
			} else {
				if others == nil {
					others = map[string]int{}
				}
				others[m.Key] = len(extra)
				extra = append(extra, figs.Field{Key: m.Key, Value: m.Value.Value})
			}
		}
		if again {
			key := kind.Value{Offset: m.KeyOffset}
			key.Raw = e.doc.Content[m.KeyOffset:keyEnd(e.doc.Content, m)]
			r.log.Add(e.at(figs.RecordKeyDuplicate, pointer+"/"+escaped(m.Key), key), m.Key)
		}
	}
	return extra
}

// keyEnd is where a member's key ends in its content, behind its quote.
func keyEnd(content []byte, m kind.Member) int {
	end := m.Value.Offset
	for content[end-1] != '"' {
		end--
	}
	return end
}

// escaped writes a key as a step of a JSON pointer.
func escaped(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// wrong notes that a field should be something else.
func (r *Reader) wrong(e *entry, f field, v kind.Value, want string) {
	found := e.at(figs.RecordFieldMalformed, "/"+fieldNames[f], v)
	found.Expected = want
	r.log.Add(found, fieldNames[f], want)
}

// text reads a field that is text. A required one that is empty is missing.
func (r *Reader) text(e *entry, f field) string {
	v := r.fields[f]
	switch {
	case v.Kind == jsonl.None:
	case v.Kind != jsonl.String:
		r.wrong(e, f, v, "a text")
	case f < required && len(v.Raw) == 2:
		r.log.Add(e.at(figs.RecordFieldMissing, "/"+fieldNames[f], v), fieldNames[f])
	}
	return v.Text()
}

// texts reads a field that is a list of texts. What is none is noted once, and left out.
func (r *Reader) texts(e *entry, f field) (all []string, places []kind.Value) {
	v := r.fields[f]
	if v.Kind != jsonl.None && v.Kind != jsonl.Array {
		r.wrong(e, f, v, "a list of texts")
		return nil, nil
	}
	bad := false
	for i, item := range v.Items() {
		if item.Kind == jsonl.String {
			all, places = append(all, item.Text()), append(places, item)
		} else if !bad {
			bad = true
			found := e.at(figs.RecordFieldMalformed, "/"+fieldNames[f]+"/"+digits(i), item)
			const want = "a list of texts"
			found.Expected = want
			r.log.Add(found, fieldNames[f], want)
		}
	}
	return all, places
}

// truth reads a field that is true or false: 1, -1, and 0 when it is neither.
func (r *Reader) truth(e *entry, f field) int8 {
	v := r.fields[f]
	switch v.Kind {
	case jsonl.True:
		return 1
	case jsonl.False:
		return -1
	case jsonl.None:
	default:
		r.wrong(e, f, v, "true or false")
	}
	return 0
}

func (r *Reader) judgeVersion(e *entry) {
	v := r.fields[fieldVersion]
	if v.Kind == jsonl.None {
		return
	}
	if n, ok := whole(v); !ok || n != 1 {
		r.log.Add(e.at(figs.RecordVersionUnknown, "/version", v), written(v))
	}
}

// readWords reads what people read first, and judges words of closed and of open lists.
func (r *Reader) readWords(e *entry) {
	e.Channel, e.Kind, e.Status = r.text(e, fieldChannel), r.text(e, fieldKind), r.text(e, fieldStatus)
	if e.Channel != "" && !IsChannel(e.Channel) {
		r.log.Add(e.at(figs.RecordChannelMalformed, "/channel", r.fields[fieldChannel]), e.Channel)
	}
	if e.Kind != "" && !has(Kinds, e.Kind) {
		r.unknown(e, figs.RecordKindUnknown, fieldKind, Kinds)
	}
	if e.Status != "" && !has(Statuses, e.Status) {
		r.unknown(e, figs.RecordStatusUnknown, fieldStatus, Statuses)
	}
	e.Superseded, e.Deleted = e.Status == "superseded", e.Status == "deleted"
	e.Title, e.Summary, e.MediaType = r.text(e, fieldTitle), r.text(e, fieldSummary), r.text(e, fieldMediaType)
	if n := utf8.RuneCountInString(e.Title); n > MaxTitle {
		r.log.Add(e.at(figs.RecordTitleTooLong, "/title", r.fields[fieldTitle]), digits(n))
	}
	if n := utf8.RuneCountInString(e.Summary); n > MostSummary {
		r.log.Add(e.at(figs.RecordSummaryTooLong, "/summary", r.fields[fieldSummary]), digits(n))
	}
	for _, f := range [...]field{fieldTitle, fieldSummary} {
		if what := FindSecret(r.fields[f].Text()); what != "" {
			r.log.Add(e.at(figs.RecordSummarySecret, "/"+fieldNames[f], r.fields[f]), fieldNames[f], what)
		}
	}
	e.Created, e.At = r.time(e, fieldCreated)
	e.Updated, _ = r.time(e, fieldUpdated)
}

// judgeText notes characters that a person cannot see, or that turn the order of what she sees.
func (r *Reader) judgeText(e *entry, v kind.Value, pointer, name string) {
	if c := figs.HiddenCharacter([]byte(v.Text())); c >= 0 {
		r.log.Add(e.at(figs.RecordTextHidden, pointer, v), name, string(c))
	}
}

// unknown notes a word that is on no list.
func (r *Reader) unknown(e *entry, code figs.Code, f field, words []string) {
	found := e.at(code, "/"+fieldNames[f], r.fields[f])
	found.Suggestion = figs.Suggest(r.fields[f].Text(), words)
	r.log.Add(found, r.fields[f].Text())
}

// time reads a field that is a time.
func (r *Reader) time(e *entry, f field) (string, int64) {
	v := r.fields[f]
	at, ok := figs.ParseTime(v.Text())
	if !ok && v.Kind != jsonl.None {
		r.log.Add(e.at(figs.RecordTSMalformed, "/"+fieldNames[f], v), shown(v))
	}
	return v.Text(), at
}

// IsChannel reports whether a name is made of lower-case words with dashes between them.
func IsChannel(name string) bool {
	for word := range strings.SplitSeq(name, "-") {
		if word == "" {
			return false
		}
		for i := range len(word) {
			if c := word[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
				return false
			}
		}
	}
	return name[0] >= 'a'
}

func has(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

// shown is a value as a sentence quotes it.
func shown(v kind.Value) string {
	if v.Kind == jsonl.String {
		return v.Text()
	}
	return written(v)
}

// written is the beginning of a value as it was written.
func written(v kind.Value) string {
	return string(jsonl.AppendValid(nil, v.Raw[:min(len(v.Raw), 300)]))
}

// whole reads a number without a fraction, from 0 to what JavaScript can count; it may end in zeros of one.
func whole(v kind.Value) (n int64, ok bool) {
	if v.Kind != jsonl.Number {
		return 0, false
	}
	raw, zeros, _ := strings.Cut(string(v.Raw), ".")
	for i := range len(raw) {
		if raw[i] < '0' || raw[i] > '9' || n > 1<<53/10 {
			return 0, false
		}
		n = n*10 + int64(raw[i]-'0')
	}
	return n, strings.Trim(zeros, "0") == "" && n <= 1<<53
}
