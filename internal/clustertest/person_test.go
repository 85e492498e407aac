package clustertest

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/testenv"
)

// Person is somebody who is signed in, with a browser that sends forms and runs no scripts.
type Person struct {
	name   string // of the cookie
	cookie string
	http   *http.Client
}

// Refused is an answer that is neither the one that was hoped for nor a reason to try again.
type Refused struct {
	Status int
	Page   string
}

func (e *Refused) Error() string { return fmt.Sprintf("%d:\n%.800s", e.Status, e.Page) }

// SignIn signs in by password at a server, "http://127.0.0.1:4000".
func SignIn(ctx context.Context, at, email, password string) (*Person, error) {
	p := &Person{http: &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	answer, page, err := p.send(ctx, "POST", at+"/sign-in", url.Values{"email": {email}, "password": {password}})
	if err != nil {
		return nil, err
	}
	for _, c := range answer.Cookies() {
		if strings.HasPrefix(c.Name, "figs-web-") && !strings.HasSuffix(c.Name, "-kept") && !strings.HasSuffix(c.Name, "-device") {
			p.name, p.cookie = c.Name, c.Value
		}
	}
	if answer.StatusCode != http.StatusSeeOther || p.cookie == "" {
		return nil, &Refused{answer.StatusCode, page}
	}
	return p, nil
}

// send sends a request as a browser that stands on a page of the same server.
func (p *Person) send(ctx context.Context, method, to string, form url.Values) (*http.Response, string, error) {
	r, err := http.NewRequestWithContext(ctx, method, to, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, "", err
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if p.cookie != "" {
		r.AddCookie(&http.Cookie{Name: p.name, Value: p.cookie})
	}
	answer, err := p.http.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer, string(text), err
}

// Get asks for a page until a node answers.
func (p *Person) Get(ctx context.Context, at string) (page string, err error) {
	err = insist(ctx, func() (retry bool, err error) {
		answer, text, err := p.send(ctx, "GET", at, nil)
		if err != nil || answer.StatusCode >= 500 {
			return true, failed(answer, text, err)
		}
		page = text
		if answer.StatusCode != http.StatusOK {
			err = &Refused{answer.StatusCode, text}
		}
		return false, err
	})
	return page, err
}

// Form reads the form of an ask's page and fills it in.
func (p *Person) Form(ctx context.Context, ask, text string) (url.Values, error) {
	page, err := p.Get(ctx, ask)
	if err != nil {
		return nil, err
	}
	form := url.Values{reply.FieldVerdict: {"answer"}, reply.FieldText: {text}}
	for _, field := range []string{reply.FieldKey, reply.FieldRevision} {
		value := fieldOf(page, field)
		if value == "" {
			return nil, &Refused{http.StatusOK, "no form takes a reply: " + page}
		}
		form.Set(field, value)
	}
	form[reply.FieldFile] = slices.Compact(fieldsOf(page, reply.FieldFile))
	return form, nil
}

// Send sends a form, the same again as long as no node answers. What comes back is nil when the decision is kept.
func (p *Person) Send(ctx context.Context, to string, form url.Values) error {
	return insist(ctx, func() (retry bool, err error) {
		answer, text, err := p.send(ctx, "POST", to, form)
		switch {
		case err != nil || answer.StatusCode >= 500:
			return true, failed(answer, text, err)
		case answer.StatusCode != http.StatusSeeOther || strings.Contains(answer.Header.Get("Location"), "/sign-in"):
			return false, &Refused{answer.StatusCode, text}
		}
		return false, nil
	})
}

// Answer answers a question on its page: "http://127.0.0.1:4000/w/acme/agents/ID/asks/q".
func (p *Person) Answer(ctx context.Context, ask, text string) error {
	form, err := p.Form(ctx, ask, text)
	if err != nil {
		return err
	}
	return p.Send(ctx, ask+"/decide", form)
}

// Undo takes back what the person has just answered.
func (p *Person) Undo(ctx context.Context, ask string) error {
	page, err := p.Get(ctx, ask)
	if err != nil {
		return err
	}
	at, err := url.Parse(ask)
	if err != nil {
		return err
	}
	if !strings.Contains(page, `action="`+at.Path+`/undo"`) {
		return &Refused{http.StatusConflict, page} // its ten seconds were over before the page was there: what else is pending is another ask's
	}
	return p.Send(ctx, ask+"/undo", url.Values{"id": {fieldOf(page, "id")}})
}

func failed(answer *http.Response, page string, err error) error {
	if err != nil {
		return err
	}
	return &Refused{answer.StatusCode, page}
}

// insist tries again as long as the answer is one that says "later".
func insist(ctx context.Context, do func() (retry bool, err error)) (err error) {
	if !testenv.Poll(2*Patience, func() (done bool) {
		var retry bool
		retry, err = do()
		return err == nil || !retry || ctx.Err() != nil
	}) {
		return fmt.Errorf("nothing works for %s: %w", 2*Patience, err)
	}
	return err
}

var (
	inputs = regexp.MustCompile(`<input[^>]*>`)
	values = regexp.MustCompile(`value="([^"]*)"`)
)

// fieldOf is the value of a field of the page's last form that has it: what is pending on other asks stands before the
// ask's own.
func fieldOf(page, name string) string {
	if all := fieldsOf(page, name); len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// fieldsOf are the values of all fields of a name.
func fieldsOf(page, name string) (all []string) {
	for _, input := range inputs.FindAllString(page, -1) {
		if strings.Contains(input, `name="`+name+`"`) {
			if m := values.FindStringSubmatch(input); m != nil {
				all = append(all, html.UnescapeString(m[1]))
			}
		}
	}
	return all
}
