package emails

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/components/i18n"
)

const evil = `</p><script>alert(1)</script><img src="https://evil.example/x.png" onerror="x()">&amp;"'<a href="https://evil.example">Click</a>`

var sample = Message{
	Workspace: evil, Headline: evil, Quote: evil, Text: []string{evil}, Items: []Item{{evil, evil, "https://figs.example/1"}, {evil, "", "https://figs.example/2"}},
	Button: "Open", Link: "https://figs.example/?a=1&b=2", Footer: "A note.", Settings: "https://figs.example/settings",
}

// TestRenderEscapes checks that what agents wrote adds no elements, and that the email loads nothing.
func TestRenderEscapes(t *testing.T) {
	text, page, err := sample.Render(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var links []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "html", "head", "meta", "title", "body", "table", "tbody", "tr", "td", "h1", "p", "a", "br", "span", "bdi":
		default:
			t.Errorf("the email has an element %s", n.Data)
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "href":
				links = append(links, a.Val)
			case "style":
				if strings.Contains(a.Val, "url(") {
					t.Errorf("a style loads something: %s", a.Val)
				}
			case "src", "background", "srcset":
				t.Errorf("an element %s has the attribute %s", n.Data, a.Key)
			}
		}
	}
	want := "https://figs.example/1 https://figs.example/2 " + sample.Link + " " + sample.Settings
	if got := strings.Join(links, " "); got != want {
		t.Errorf("links %q, want %q", got, want)
	}
	for _, link := range strings.Fields(want) {
		if !strings.Contains(text, link+"\n") {
			t.Errorf("the plain text lacks %s at the end of a line", link)
		}
	}
}

func TestLanguage(t *testing.T) {
	ctx := i18n.WithLanguage(context.Background(), "de")
	subject, m := Invite{Link: "https://figs.example/invite?key=k", Host: "figs.example", Workspace: "Acme", By: "Ada", Role: "Mitglied", Days: 7}.Message(ctx)
	text, page, err := m.Render(ctx)
	if err != nil || subject != "Ada lädt Sie in den Arbeitsbereich Acme ein" || !strings.Contains(text, "läuft nach 7 Tagen ab") || !strings.Contains(page, `<html lang="de">`) || !strings.Contains(page, "Einladung annehmen") {
		t.Errorf("%v: %s\n%s\n%s", err, subject, text, page)
	}
}
