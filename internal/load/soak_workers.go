//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// employ makes the workers of a soak: agents, a person who decides, people who read, pages that listen.
func (s *soaking) employ() {
	for i := range soakAgents {
		a := &soakAgent{soaking: s, n: i, id: agentID(0, i), open: map[string]string{}}
		s.workers = append(s.workers, a.work)
	}
	s.workers = append(s.workers, s.decide)
	for range soakReaders {
		s.workers = append(s.workers, s.readPages)
	}
	for i := range soakListener {
		s.workers = append(s.workers, func(ctx, over context.Context) { s.listen(ctx, over, i%soakPeople) })
	}
}

// pause waits for about a time, and reports whether there is more to do.
func pause(over context.Context, about time.Duration) bool {
	select {
	case <-time.After(about/2 + time.Duration(rand.Int64N(int64(about)))):
		return over.Err() == nil
	case <-over.Done():
		return false
	}
}

// raised is an ask that waits for a person.
type raised struct{ agent, ask string }

// soakAgent is an agent that goes on from phase to phase.
type soakAgent struct {
	*soaking
	n     int
	id    string
	jobs  int
	known bool              // it has pushed
	open  map[string]string // its asks, as they were raised
	tag   string            // of the last sync that brought something
}

// reports are attachments: their contents come again and again under new names, as those of real jobs do.
const reports = 10

// work does one job after the other: begun with a question, a file attached, settled; what was answered is closed.
func (a *soakAgent) work(ctx, over context.Context) {
	for pause(over, 4*soakPause) {
		if err := a.job(ctx, over); err != nil {
			a.fail(err)
		}
	}
}

func (a *soakAgent) job(ctx, over context.Context) error {
	a.jobs++
	at := time.Now().UTC().Format(time.RFC3339)
	id, file, question := fmt.Sprintf("job-%06d", a.jobs), fmt.Sprintf("report-%06d.html", a.jobs), fmt.Sprintf("question-%06d", a.jobs)
	var asks []string
	if len(a.open) < 3 {
		asks = []string{fmt.Sprintf(`{"id":%q,"ts":%q,"type":"question","status":"open","title":"Which rule holds for customer %d?","run":%q,"found":"Two rules match","need":"One of them","options":["The first","The second"]}`, question, at, a.jobs, id)}
	}
	if !a.send(ctx, []string{fmt.Sprintf(`{"id":%q,"ts":%q,"title":"Monthly close %d","state":"in-flight"}`, id, at, a.jobs)}, asks, nil) {
		return nil
	}
	if len(asks) > 0 {
		a.open[question] = asks[0]
		a.raised <- raised{a.id, question} // it has room for all that may be open
	}
	if !pause(over, soakPause) {
		return nil
	}
	if !a.send(ctx, []string{fmt.Sprintf(`{"id":%q,"ts":%q,"state":"settled","status":"ok","result":"All %d matched","attachments":[%q]}`, id, at, a.jobs, file)}, nil, nil) {
		return nil
	}
	if !a.note("uploads", a.upload(ctx, file)) || !a.note("downloads", a.download(ctx, file)) || !pause(over, soakPause) {
		return nil
	}
	return a.sync(ctx)
}

// send pushes records and replies.
func (a *soakAgent) send(ctx context.Context, runs, asks, messages []string) bool {
	b := body(a.world.workspaces[0], a.id, a.n, runs, asks)
	b = fmt.Appendf(b[:len(b)-1], `,"messages":[%s]}`, strings.Join(messages, ","))
	if !a.note("pushes", a.push(ctx, a.node, b)) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.known {
		a.known = true
		a.there++
	}
	return true
}

// report is the attachment of the present job.
func (a *soakAgent) report() string {
	return fmt.Sprintf("<!DOCTYPE html><title>Report</title><h1>Report %d</h1><table>%s</table>", a.jobs%reports, strings.Repeat("<tr><td>Invoice<td>12,400.00", 200))
}

func (a *soakAgent) upload(ctx context.Context, name string) error {
	_, err := a.do(ctx, http.MethodPost, a.node.address+"/api/artifacts/upload", "application/json", fmt.Appendf(nil, `{"workspaceId":%q,"agentId":%q,"name":%q,"content":%q}`,
		a.world.workspaces[0].ID, a.id, name, base64.StdEncoding.EncodeToString([]byte(a.report()))), http.StatusOK)
	return err
}

// download reads an attachment as a program does.
func (a *soakAgent) download(ctx context.Context, name string) error {
	address := a.node.address + "/api/v1/workspaces/" + a.world.workspaces[0].ID + "/agents/" + a.id + "/files/" + name + "/content"
	text, err := a.do(ctx, http.MethodGet, address, "", nil, http.StatusOK)
	if err == nil && string(text) != a.report() {
		err = fmt.Errorf("%s came back as %d other bytes", name, len(text))
	}
	return err
}

// sync asks for replies and closes what they answer.
func (a *soakAgent) sync(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.node.address+"/api/messages?agent="+a.id, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if a.tag != "" {
		r.Header.Set("If-None-Match", a.tag)
	}
	answer, err := a.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusNotModified {
		err = fmt.Errorf("status %d: %.300s", answer.StatusCode, text)
	}
	if !a.note("syncs", err) || answer.StatusCode == http.StatusNotModified {
		return nil
	}
	a.tag = answer.Header.Get("ETag")
	var got struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	var closed, back []string
	for _, line := range got.Messages {
		var m struct{ ID, Ask string }
		if err := json.Unmarshal(line, &m); err != nil {
			return err
		}
		if ask := a.open[m.Ask]; ask != "" {
			delete(a.open, m.Ask)
			back = append(back, string(line))
			closed = append(closed, fmt.Sprintf(`%s,"resolution":{"via":"figs","answer":%q,"note":"Done","ts":%q}}`,
				strings.TrimSuffix(strings.Replace(ask, `"status":"open"`, `"status":"resolved"`, 1), "}"), m.ID, time.Now().UTC().Format(time.RFC3339)))
		}
	}
	if len(closed) > 0 {
		a.send(ctx, nil, closed, back)
	}
	return nil
}

// decide answers what agents ask, in the order in which they asked; each fifth answer is taken back and given again.
func (s *soaking) decide(ctx, over context.Context) {
	for n := 1; pause(over, soakPause); n++ {
		var x raised
		select {
		case x = <-s.raised:
		case <-over.Done():
			return
		}
		at := s.node.address + "/w/team-0/agents/" + x.agent + "/asks/" + x.ask
		page, err := s.page(ctx, at)
		if !s.note("pages", err) {
			continue
		}
		form := url.Values{"verdict": {"answer"}, "chosen": {"The first"}, "text": {"As last month"}, "key": {field(page, "key")}, "revision": {field(page, "revision")}}
		if !s.note("decisions", s.send(ctx, at+"/decide", form)) || n%5 != 0 {
			continue
		}
		if page, err = s.page(ctx, at); s.note("pages", err) && s.note("taken back", s.send(ctx, at+"/undo", url.Values{"id": {field(page, "id")}})) {
			s.raised <- x
		}
	}
}

// send sends a form.
func (s *soaking) send(ctx context.Context, address string, form url.Values) error {
	_, err := s.do(ctx, http.MethodPost, address, "application/x-www-form-urlencoded", []byte(form.Encode()), http.StatusSeeOther)
	return err
}

var inputs = regexp.MustCompile(`<input[^>]*>`)

// field is the value of a field of the page's last form that has it: what is pending elsewhere stands before the ask's own.
func field(page []byte, name string) (value string) {
	for _, input := range inputs.FindAllString(string(page), -1) {
		if strings.Contains(input, `name="`+name+`"`) {
			_, rest, _ := strings.Cut(input, `value="`)
			rest, _, _ = strings.Cut(rest, `"`)
			value = html.UnescapeString(rest)
		}
	}
	return value
}

// soakPages are those of the workspace that people look at, and those of an agent.
var soakPages = []string{"", "/inbox", "/inbox?everybody=1", "/inbox?tab=closed", "/activity", "/agents/", "/agents//jobs", "/agents//asks", "/agents//files", "/agents//messages"}

// soakPage is the address of one of them, for an agent.
func soakPage(page, agent int) string {
	return "/w/team-0" + strings.Replace(soakPages[page], "/agents/", "/agents/"+agentID(0, agent), 1)
}

// readPages looks at what there is.
func (s *soaking) readPages(ctx, over context.Context) {
	browser := &asker{client: s.client, packed: true}
	for pause(over, soakPause) {
		if !s.begun() {
			continue // some agents have no page yet
		}
		_, err := browser.page(ctx, s.node.address+soakPage(rand.IntN(len(soakPages)), rand.IntN(soakAgents)))
		s.note("pages", err)
	}
}

// begun reports whether every agent has pushed.
func (s *soaking) begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.there == soakAgents
}

// listen opens one stream after the other, for a few seconds each, and counts what comes.
func (s *soaking) listen(ctx, over context.Context, person int) {
	for pause(over, soakPause) {
		life, cancel := context.WithTimeout(over, time.Second+time.Duration(rand.Int64N(int64(4*time.Second))))
		updates, err := s.stream(life, person)
		cancel()
		s.note("streams", err)
		s.mu.Lock()
		s.did["updates"] += updates
		s.mu.Unlock()
	}
}

// stream listens until ctx ends.
func (s *soaking) stream(ctx context.Context, person int) (updates int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.node.address+"/w/team-0/events", nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Cookie", cookieOf(r.URL.Host, person))
	client := &http.Client{Transport: s.client.Transport} // without an end of its own
	answer, err := client.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return 0, nil
		}
		return 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("a stream has status %d", answer.StatusCode)
	}
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "event: change") {
			updates++
		}
	}
	if ctx.Err() == nil {
		return updates, errors.New("the server closed a stream")
	}
	return updates, nil
}
