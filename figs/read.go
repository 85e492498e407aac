package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// fields hands out the fields of an object and remembers which the protocol names.
type fields struct {
	o     Object
	taken []bool
}

func open(o Object) *fields { return &fields{o, make([]bool, len(o))} }

func (r *fields) get(name string) jsonl.Value {
	for i := range r.o {
		if r.o[i].Key == name {
			r.taken[i] = true
			return r.o[i].Value
		}
	}
	return jsonl.Value{}
}

// text returns a field as people read it: a string's text, a number or boolean as written,
// nothing for null. Other kinds stay among the extra fields.
func (r *fields) text(name string) string {
	for i := range r.o {
		if r.o[i].Key == name {
			v := r.o[i].Value
			if v.Kind == jsonl.Array || v.Kind == jsonl.Object {
				return ""
			}
			r.taken[i] = true
			return shown(v)
		}
	}
	return ""
}

// word is text for a field whose absence has a meaning: a value that is there and has no text
// stands as it is written in JSON.
func (r *fields) word(name string) string {
	if s := r.text(name); s != "" {
		return s
	}
	return string(r.get(name).Raw)
}

// shown is a scalar as people read it.
func shown(v jsonl.Value) string {
	switch v.Kind {
	case jsonl.String:
		return v.Text()
	case jsonl.Number, jsonl.True, jsonl.False:
		return string(v.Raw)
	}
	return ""
}

// texts returns the strings of an array; a value of another shape stays among the extra
// fields.
func (r *fields) texts(name string) []string {
	v := r.o.Get(name)
	if v.Kind != jsonl.Array {
		return nil
	}
	r.get(name)
	var list []string
	for c := jsonl.Walk(v); c.Next(); {
		if c.Value.Kind == jsonl.String {
			list = append(list, c.Value.Text())
		}
	}
	return list
}

// extra returns the fields that nobody asked for.
func (r *fields) extra() Object {
	var o Object
	for i := range r.o {
		if !r.taken[i] && r.o[i].Value.Kind != jsonl.Null {
			o = append(o, r.o[i])
		}
	}
	return o
}

// object reads the members of a value; none when it is no object.
func object(v jsonl.Value) Object {
	var r merger
	for c := jsonl.Walk(v); v.Kind == jsonl.Object && c.Next(); {
		r.name = jsonl.AppendText(r.name[:0], c.Key)
		r.set(r.name, c.Value)
	}
	return r.fields
}

// pairs reads an array of labelled values.
func (r *fields) pairs(name, label string) []Pair {
	v := r.o.Get(name)
	if v.Kind != jsonl.Array {
		return nil
	}
	r.get(name)
	var list []Pair
	for c := jsonl.Walk(v); c.Next(); {
		if o := object(c.Value); o != nil {
			list = append(list, Pair{shown(o.Get(label)), shown(o.Get("v"))})
		}
	}
	return list
}

// attachments reads the names of §3, or of v1 when `attachments` is absent (§4.6).
func (r *fields) attachments() []string {
	if v := r.o.Get("attachments"); v.Kind != jsonl.None {
		return r.texts("attachments")
	}
	names := r.texts("artifacts")
	if name := r.o.Get("artifact"); name.Kind == jsonl.String {
		names = append(names, r.text("artifact"))
	}
	refs := r.o.Get("refs")
	if refs.Kind != jsonl.Array {
		return names
	}
	r.get("refs")
	for c := jsonl.Walk(refs); c.Next(); {
		if name := object(c.Value).Get("artifact"); name.Kind == jsonl.String {
			names = append(names, name.Text())
		}
	}
	return names
}

// AttachmentNames lists the names that a line or a fold attaches (§3, §4.6).
func AttachmentNames(o Object) []string { return open(o).attachments() }

func (r *fields) session() *Session {
	v := r.o.Get("session")
	if v.Kind != jsonl.Object {
		return nil
	}
	r.get("session")
	s := open(object(v))
	return &Session{
		Runtime: s.text("runtime"), Model: s.text("model"), SessionID: s.text("sessionId"), StartedAt: s.text("startedAt"),
		Commit: s.text("commit"), Trigger: s.text("trigger"), Tokens: readTokens(s.get("tokens")), Extra: s.extra(),
	}
}

func readTokens(v jsonl.Value) Tokens {
	o := object(v)
	count := func(name string) int64 {
		n := o.Get(name)
		if n.Kind != jsonl.Number {
			return -1
		}
		var total int64
		for _, c := range n.Raw {
			if c-'0' > 9 || total > 1<<53 {
				return -1
			}
			total = total*10 + int64(c-'0')
		}
		return total
	}
	return Tokens{count("input"), count("output"), count("cacheRead"), count("cacheWrite")}
}

// ReadRun reads a job from one line's object or from a fold. Fields of another type than the
// protocol's stay in Extra.
func ReadRun(o Object) Run {
	r := open(o)
	run := Run{
		ID: r.text("id"), TS: r.text("ts"), Title: r.text("title"), EventID: r.text("eventId"), Unit: r.text("unit"), Period: r.text("period"),
		Result: r.text("result"), Status: r.word("status"), State: r.text("state"), Attachments: r.attachments(), Session: r.session(),
	}
	run.Extra = r.extra()
	return run
}

// ReadAsk reads an ask from one line's object or from a fold.
func ReadAsk(o Object) Ask {
	r := open(o)
	ask := Ask{
		ID: r.text("id"), TS: r.text("ts"), Type: r.text("type"), Status: r.text("status"), To: r.text("to"), Title: r.text("title"),
		Unit: r.text("unit"), Run: r.text("run"), Found: r.text("found"), Need: r.text("need"), Options: r.texts("options"),
		OnApprove: r.texts("onApprove"), Details: r.pairs("details", "l"), Attachments: r.attachments(), Session: r.session(),
	}
	ask.Resolution = readResolution(r)
	ask.Extra = r.extra()
	return ask
}

func readResolution(r *fields) *Resolution {
	v := r.o.Get("resolution")
	switch v.Kind {
	case jsonl.String:
		r.get("resolution")
		return &Resolution{Note: v.Text()}
	case jsonl.Object:
		r.get("resolution")
		s := open(object(v))
		res := Resolution{Note: s.text("note"), Chosen: s.text("chosen"), Run: s.text("run"), Via: s.text("via"), Answer: s.text("answer"), By: s.text("by"), TS: s.text("ts")}
		res.Extra = s.extra()
		return &res
	}
	return nil
}

// ReadMessage reads one reply.
func ReadMessage(o Object) Message {
	r := open(o)
	m := Message{
		ID: r.text("id"), Kind: r.text("kind"), Ask: r.text("ask"), By: r.text("by"), TS: r.text("ts"), Source: r.text("source"),
		Chosen: r.text("chosen"), Text: r.text("text"), Verdict: r.text("verdict"), Session: r.session(),
	}
	m.Extra = r.extra()
	return m
}

// ReadCharter reads agent.json; ok is false when it is no object.
func ReadCharter(b []byte) (c Charter, ok bool) {
	v, _, ok := jsonl.Parse(trimBOM(b))
	if !ok || v.Kind != jsonl.Object {
		return Charter{}, false
	}
	r := open(object(v))
	c = Charter{
		ID: r.text("id"), Name: r.text("name"), Key: r.text("key"), Role: r.text("role"), Status: r.text("status"), Runtime: r.text("runtime"),
		Cadence: r.text("cadence"), Mandate: r.text("mandate"), Steps: r.texts("steps"), Responsibilities: r.texts("responsibilities"),
		Properties: r.pairs("properties", "k"),
	}
	c.AvatarSeed = shown(object(r.get("avatar")).Get("seed"))
	c.Department = shown(object(r.get("org")).Get("department"))
	if units := r.o.Get("units"); units.Kind == jsonl.Array {
		r.get("units")
		for i := jsonl.Walk(units); i.Next(); {
			c.Units = append(c.Units, readUnit(i.Value))
		}
	}
	c.Extra = r.extra()
	return c, true
}

func readUnit(v jsonl.Value) Unit {
	r := open(object(v))
	u := Unit{ID: r.text("id"), Name: r.text("name"), Subtitle: r.text("subtitle"), Status: r.text("status"), Period: r.text("period"),
		Detail: r.text("detail"), Stats: r.pairs("stats", "l")}
	u.Extra = r.extra()
	return u
}

// ReadConfig reads config.json; ok is false when it is no object.
func ReadConfig(b []byte) (c Config, ok bool) {
	v, _, ok := jsonl.Parse(trimBOM(b))
	if !ok || v.Kind != jsonl.Object {
		return Config{}, false
	}
	r := open(object(v))
	c = Config{AgentID: r.text("agentId"), Endpoint: r.text("endpoint"), WorkspaceID: r.text("workspaceId")}
	c.Extra = r.extra()
	return c, true
}
