package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// attachments are the names that lines give and the files that artifacts/ holds.
type attachments struct {
	ids      symbols
	files    []attachment // by sym - 1
	given    bool         // at least one file was attached
	mentions pages[mention]
}

// firstMention is where a name was first attached.
type firstMention struct {
	file           File
	line, col, end uint32
	rec            uint32
	off            int64
	key            key   // of the field that has the name
	item           int32 // of a list, from 1; 0: not in one
}

// pointer is the JSON pointer to the name in its line.
func (m *firstMention) pointer() string {
	w := within{item: int(m.item)}
	if m.key == keyRefs {
		w.tail = "/artifact"
	}
	return "/" + keyNames[m.key] + w.pointer()
}

// mention is one line that attaches a name.
type mention struct {
	name sym
	at   uint32 // index of the line, times four, and number of the file
}

func mentionOf(name sym, file File, line uint32) mention {
	return mention{name, line<<2 | uint32(file)}
}

func (m *mention) file() File { return File(m.at & 3) }

func (m *mention) line() int { return int(m.at >> 2) }

type attachment struct {
	size    int64 // bytes; -1: not in this copy
	at      firstMention
	named   bool
	present bool
}

// intern numbers a name; its file is a.files[s-1].
func (a *attachments) intern(name []byte) sym {
	s := a.ids.intern(name)
	for len(a.files) < int(s) {
		a.files = append(a.files, attachment{size: -1})
	}
	return s
}

func (a *attachments) attach(name string, size int64) {
	file := &a.files[a.intern([]byte(name))-1]
	file.present, file.size, a.given = true, size, true
}

// judgeAttachments collects the names that a line attaches: `attachments`, else the fields of
// v1 (§4.6).
func (f *Folder) judgeAttachments(t *taken) {
	const any = 1<<keyAttachments | 1<<keyArtifact | 1<<keyArtifacts | 1<<keyRefs
	if t.seen&any == 0 {
		return
	}
	current := t.seen>>keyAttachments&1 != 0
	if current {
		f.judgeNames(t, keyAttachments, AttachmentsMalformed, true)
	}
	if t.seen>>keyArtifacts&1 != 0 {
		f.judgeNames(t, keyArtifacts, ArtifactsMalformed, !current)
		f.legacy(t, keyArtifacts)
	}
	if t.seen>>keyArtifact&1 != 0 {
		v := t.value(&t.ms[f.at[keyArtifact]])
		if v.Kind != jsonl.String {
			f.on(t, ArtifactMalformed, keyArtifact)
		} else if !current {
			f.name(t, keyArtifact, within{}, v)
		}
		f.legacy(t, keyArtifact)
	}
	if t.seen>>keyRefs&1 != 0 && t.l.file == Asks {
		f.judgeRefs(t, !current)
		f.legacy(t, keyRefs)
	}
}

//go:noinline
func (f *Folder) legacy(t *taken, k key) {
	f.atMember(t, AttachmentLegacyField, &t.ms[f.at[k]], "/"+keyNames[k]).value = keyNames[k]
}

func (f *Folder) judgeNames(t *taken, k key, code Code, count bool) {
	var s textWalk
	f.walkTexts(t, code, k, &s)
	for f.nextText(t, code, k, &s) {
		if count {
			f.name(t, k, s.within, s.Value)
		}
	}
}

// judgeRefs checks refs[] of v1: {label, artifact?}.
func (f *Folder) judgeRefs(t *taken, count bool) {
	v := t.value(&t.ms[f.at[keyRefs]])
	if v.Kind != jsonl.Array {
		f.on(t, RefsMalformed, keyRefs)
		return
	}
	c := jsonl.Walk(v)
	for i := 0; c.Next(); i++ {
		labelled := false
		if c.Value.Kind == jsonl.Object {
			for m := jsonl.Walk(c.Value); m.Next(); {
				switch string(m.Key) {
				case `"label"`:
					labelled = m.Value.Kind == jsonl.String
				case `"artifact"`:
					if m.Value.Kind == jsonl.String && count {
						f.name(t, keyRefs, within{c.Offset + m.Offset, i + 1, "/artifact"}, m.Value)
					}
				}
			}
		}
		if !labelled {
			f.inside(t, RefsMalformed, keyRefs, within{offset: c.Offset, item: i + 1}, c.Value)
		}
	}
}

// name notes one attached name. The rules on names speak once of each name, at its first
// mention.
func (f *Folder) name(t *taken, k key, w within, v jsonl.Value) {
	t.at.flags |= lineNamesFile
	name := v.Raw[1 : len(v.Raw)-1]
	if !t.plain && !jsonl.Plain(name) {
		f.scratch = jsonl.AppendText(f.scratch[:0], v.Raw)
		name = f.scratch
	}
	id := f.names.intern(name)
	a := &f.names.files[id-1]
	f.names.mentions.add(mentionOf(id, t.l.file, t.n))
	if f.past != nil {
		at := t.spot(&t.ms[f.at[k]]).col + uint32(w.offset)
		f.past.spots = append(f.past.spots, mentionSpot{at, at + uint32(len(v.Raw)), int32(w.item), k})
	}
	if a.named && t.l.file >= a.at.file { // the order of feeding must not matter
		return
	}
	a.named = true
	m := &t.ms[f.at[k]]
	s := t.spot(m)
	s.col += uint32(w.offset)
	a.at = firstMention{t.l.file, t.at.no, s.col, s.col + uint32(len(v.Raw)), t.recNo + 1, t.off + int64(m.ValueStart) + int64(w.offset), k, int32(w.item)}
}

// judgeFiles judges every name and every file, once all are known.
func (f *Folder) judgeFiles() {
	known, odd := false, false // some file has its name; some name or file has no other half
	for i := range f.names.files {
		a := &f.names.files[i]
		known, odd = known || a.present, odd || a.present != a.named
	}
	var here, named symbols // names as alike has them: files of artifacts/, and names without a file
	for i := 0; known && odd && i < len(f.names.files); i++ {
		switch a := &f.names.files[i]; {
		case a.present:
			here.intern(alike(f.names.ids.bytes(sym(i + 1))))
		case a.named:
			named.intern(alike(f.names.ids.bytes(sym(i + 1))))
		}
	}
	texts := f.names.ids.texts()
	for i := range f.names.files {
		a := &f.names.files[i]
		name := texts.at(sym(i + 1))
		code := AttachmentMissing
		switch {
		case !a.named && !a.present:
			continue // of a later point of the folder's life
		case !a.named && named.find(alike([]byte(name))) != 0:
			continue // AttachmentCaseDiffers speaks of it
		case !a.named:
			p := f.note(AttachmentUnnamed, NoFile)
			p.name, p.value = "artifacts/"+name, cut([]byte(name), 60)
			continue
		case !IsBareName(name):
			code = AttachmentNameInvalid
		case ClassOf(name) == Unsupported:
			code = AttachmentTypeUnsupported
		case a.present && a.size > MaxAttachment:
			code = AttachmentTooLarge
		case a.present:
			continue
		case here.find(alike([]byte(name))) != 0:
			code = AttachmentCaseDiffers
		}
		at := a.at
		if f.whole != nil {
			at = f.mentioned(int(at.line))
		}
		p := f.note(code, at.file)
		p.line, p.col, p.end, p.rec, p.off, p.pointer = at.line, at.col, at.end, at.rec, at.off, at.pointer()
		p.value = cut([]byte(name), 60)
		if code == AttachmentTypeUnsupported {
			p.value = extension(name)
		}
	}
}

// IsBareName reports whether a name can stand for a file under artifacts/ on every system: 1 to
// 200 bytes, no separators, no drive, no control or hidden characters, not `.` or `..`, no
// name that a system reserves, no dot or space at the end (§5).
func IsBareName(name string) bool {
	if name == "" || len(name) > 200 || name == "." || name == ".." {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; c == '/' || c == '\\' || c == ':' || c < 0x20 || c == 0x7F {
			return false
		}
	}
	if last := name[len(name)-1]; last == '.' || last == ' ' {
		return false
	}
	if jsonl.InvalidUTF8([]byte(name)) >= 0 || HiddenCharacter([]byte(name)) >= 0 {
		return false
	}
	return !reserved(name)
}

// reserved reports whether some system takes the name for a device.
func reserved(name string) bool {
	for i := 0; i < len(name); i++ {
		if name[i] == '.' {
			name = name[:i]
			break
		}
	}
	name = lower(name)
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && (name[:3] == "com" || name[:3] == "lpt") && name[3] >= '1' && name[3] <= '9'
}
