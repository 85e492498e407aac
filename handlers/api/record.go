package api

import (
	"context"
	"encoding/json"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

type job struct {
	Key     string          `json:"key"`
	ID      string          `json:"id"`
	Page    string          `json:"page"`
	Title   string          `json:"title"`
	Outcome string          `json:"outcome"`
	TS      *string         `json:"ts"`
	Lines   int             `json:"versions"`
	Record  json.RawMessage `json:"record"`
}

func jobOf(r *request, j *journal.Job) job {
	return job{j.Key, j.Run.ID, r.page(r.c.Param("agent"), "jobs", j.Key), j.Run.Headline(), j.Run.Outcome().String(), words(j.Run.TS), j.Lines, raw(j.Raw)}
}

func listJobs(r *request) (any, error) { return records(r, r.journal.Jobs, jobOf) }

func listAsks(r *request) (any, error) { return records(r, r.journal.Asks, askOf) }

func listMessages(r *request) (any, error) { return records(r, r.journal.Messages, messageOf) }

func listFiles(r *request) (any, error) { return records(r, r.journal.Files, fileOf) }

// records answers a list of an agent.
func records[T, S any](r *request, ask func(context.Context, string, journal.Query) (*journal.Page[S], error), of func(*request, *S) T) (any, error) {
	key, err := r.key("agent")
	if err != nil {
		return nil, err
	}
	page, err := ask(r.c.Request().Context(), key, journal.ParseQuery(r.query))
	if err != nil {
		return nil, err
	}
	return listOf(r, page, of), nil
}

// record asks for one record of an agent.
func record[S any](r *request, ask func(ctx context.Context, agent, key string) (*S, error)) (*S, error) {
	agent, err := r.key("agent")
	if err != nil {
		return nil, err
	}
	key, err := r.key("id")
	if err != nil {
		return nil, err
	}
	return ask(r.c.Request().Context(), agent, key)
}

type jobAlone struct {
	job
	Erased   *erased           `json:"erased"`
	Trail    []moment          `json:"trail"`
	Asks     []ask             `json:"asks"`
	Findings []json.RawMessage `json:"findings"`
}

func showJob(r *request) (any, error) {
	j, err := record(r, r.journal.Job)
	if err != nil {
		return nil, err
	}
	out := jobAlone{jobOf(r, j), erasedOf(j.Erased), each(r, j.Trail, momentOf), each(r, j.Asks, askOf), each(r, j.Findings, finding)}
	return out, nil
}

// state is where an ask stands (§6).
type state struct {
	Phase    string  `json:"phase"`
	Tab      string  `json:"tab"`
	Round    int     `json:"round"`
	Reported bool    `json:"reported"`
	Since    *string `json:"since"`
}

func stateOf(s figs.AskState) state {
	tab := journal.TabNeeds
	switch {
	case s.Phase.Closed():
		tab = journal.TabClosed
	case s.Phase.Waiting():
		tab = journal.TabWaiting
	}
	return state{s.Phase.Word(), string(tab), s.Round, s.Reported, when(s.Since)}
}

type ask struct {
	Key    string          `json:"key"`
	ID     string          `json:"id"`
	Page   string          `json:"page"`
	Title  string          `json:"title"`
	Type   *string         `json:"type"`
	To     *string         `json:"to"`
	Job    *string         `json:"job"`
	TS     *string         `json:"ts"`
	State  state           `json:"state"`
	Asked  []person        `json:"asked_of"`
	Lines  int             `json:"versions"`
	Record json.RawMessage `json:"record"`
}

func askOf(r *request, a *journal.Ask) ask { return askBy(r, r.c.Param("agent"), a) }

func askBy(r *request, agent string, a *journal.Ask) ask {
	title := a.Ask.Title
	if title == "" {
		title = a.Ask.ID
	}
	return ask{a.Key, a.Ask.ID, r.page(agent, "asks", a.Key), title, words(a.Ask.Type), words(a.Ask.To), words(a.JobKey), words(a.Ask.TS), stateOf(a.State), askedOf(r, a), a.Lines, raw(a.Raw)}
}

// askedOf lists who is asked now.
func askedOf(r *request, a *journal.Ask) []person {
	return each(r, a.AskedOf, func(_ *request, p *journal.Person) person { return person{p.ID, p.Name} })
}

type askAlone struct {
	ask
	Erased   *erased           `json:"erased"`
	Reply    *message          `json:"reply"`
	Files    []file            `json:"files"`
	Earlier  []file            `json:"earlier_files"`
	Trail    []moment          `json:"trail"`
	Thread   []message         `json:"thread"`
	Findings []json.RawMessage `json:"findings"`
}

func showAsk(r *request) (any, error) {
	a, err := record(r, r.journal.Ask)
	if err != nil {
		return nil, err
	}
	out := askAlone{ask: askOf(r, a), Erased: erasedOf(a.Erased), Files: each(r, a.Files, fileOf), Earlier: each(r, a.Earlier, fileOf), Trail: each(r, a.Trail, momentOf), Thread: each(r, a.Thread, messageOf), Findings: each(r, a.Findings, finding)}
	if at := a.State.Reply; at >= 0 && at < len(out.Thread) {
		out.Reply = &out.Thread[at]
	}
	return out, nil
}

type message struct {
	Key      string          `json:"key"`
	ID       string          `json:"id"`
	Ask      *string         `json:"ask"`
	AskTitle *string         `json:"ask_title"`
	Round    *int            `json:"round"`
	Earlier  bool            `json:"earlier"`
	Verified bool            `json:"verified"`
	At       *string         `json:"at"`
	PushedBy *person         `json:"pushed_by"`
	Delivery *delivery       `json:"delivery"`
	Erased   *erased         `json:"erased"`
	Record   json.RawMessage `json:"record"`
}

type delivery struct {
	Recorded  *string `json:"recorded"`
	Handed    *string `json:"handed"`
	Confirmed *string `json:"confirmed"`
	Closed    *string `json:"closed"`
}

func messageOf(_ *request, m *journal.Message) message {
	out := message{m.Key, m.Message.ID, words(m.AskKey), words(m.AskTitle), nil, m.Earlier, m.Verified, when(m.At), personOf(m.PushedBy), nil, erasedOf(m.Erased), raw(m.Raw)}
	if d := m.Delivery; d != nil {
		out.Delivery = &delivery{when(d.Recorded), when(d.Handed), when(d.Confirmed), when(d.Closed)}
	}
	if m.Round > 0 {
		out.Round = &m.Round
	}
	return out
}

type file struct {
	Key      string     `json:"key"`
	Name     string     `json:"name"`
	Page     string     `json:"page"`
	Size     *int64     `json:"size"`
	SHA256   *string    `json:"sha256"`
	Mentions []mention  `json:"mentions"`
	Owner    *fileOwner `json:"owner"`
}

type mention struct {
	File string  `json:"file"`
	TS   *string `json:"ts"`
}

type fileOwner struct {
	Kind  string `json:"kind"`
	Key   string `json:"key"`
	Title string `json:"title"`
}

func fileOf(r *request, f *journal.File) file {
	out := file{Key: f.Key, Name: f.Name, Page: r.page(r.c.Param("agent"), "files", f.Key)}
	out.Mentions = each(r, f.Named, func(_ *request, p *journal.Place) mention { return mention{p.File.String(), words(p.TS)} })
	if f.Present() {
		out.Size, out.SHA256 = &f.Size, words(f.SHA256)
	}
	if kind, key := owner(f.Owner); kind != "" {
		out.Owner = &fileOwner{kind, key, f.OwnerTitle}
	}
	return out
}

type fileAlone struct {
	file
	Erased *erased `json:"erased"`
}

func showFile(r *request) (any, error) {
	f, err := record(r, r.journal.File)
	if err != nil {
		return nil, err
	}
	return fileAlone{fileOf(r, f), erasedOf(f.Erased)}, nil
}
