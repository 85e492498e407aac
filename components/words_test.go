package components

import (
	"context"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/pagetest"
	catalogue "github.com/figs-web/figs-web/components/words"
	"github.com/figs-web/figs-web/internal/journal"
)

// translated is a context whose pages are in pseudo-English: every sentence in ⟦…⟧.
func translated() context.Context {
	return i18n.WithLanguage(context.Background(), catalogue.PseudoLanguage.Code)
}

// TestEverySentenceIsSaid renders every page in another language and finds what stayed.
func TestEverySentenceIsSaid(t *testing.T) {
	for _, path := range paths {
		_, page := render(t, translated(), path)
		checkSaid(t, path, page)
	}
}

// checkSaid finds words of ours in a translated page that no translation reaches.
func checkSaid(t *testing.T, where, page string) {
	t.Helper()
	for _, text := range pagetest.Untranslated(pagetest.Parse(t, page)) {
		t.Errorf("%s: %q is not said: put it through i18n", where, text)
	}
}

// poison is put behind every string that an agent may have written.
const poison = "\u202e<b>ZQ"

// ourFields are strings of journal values that no agent writes.
var ourFields = map[string]bool{"Part": true, "Key": true, "JobKey": true, "AskKey": true, "Owner": true, "Kind": true, "Code": true, "Now": true,
	"Sanitizer": true, "SHA256": true, "Asked": true, "View": true, "What": true, "Way": true, "Frame": true, "Download": true,
	"Point": true, "Prev": true, "Next": true, "Sight": true, "With": true, "Slug": true, "How": true, "Keeping": true, "Mark": true, "Unknown": true}

func poisonAll(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			poisonAll(v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if v.Len() > 0 {
				v.SetBytes(append(append([]byte{}, v.Bytes()...), poison...))
			}
			return
		}
		for i := range v.Len() {
			poisonAll(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !ourFields[v.Type().Field(i).Name] && v.Type().Field(i).IsExported() {
				poisonAll(v.Field(i))
			}
		}
	case reflect.String:
		if v.CanSet() && v.String() != "" && !strings.HasSuffix(v.String(), poison) {
			v.SetString(v.String() + poison)
		}
	}
}

// poisoned is the journal of the tests with every agent-written string made hostile.
func poisoned() *pagetest.Journal {
	f := pagetest.NewJournal()
	f.AllJobs[0].Run.Session = f.AllJobs[0].Trail[0].Run.Session
	for _, part := range []any{&f.AllJobs, &f.AllAsks, &f.AllMessages, &f.AllFiles, f.AllFindings, &f.AllLines, &f.Hits, &f.Overviews} {
		poisonAll(reflect.ValueOf(part))
	}
	for name, content := range f.Texts {
		f.Texts[name] = content + poison
	}
	return f
}

// TestAgentWordsAreIsolated holds every page to the rule that what an agent wrote stands in
// a <bdi>, its hidden characters visible, and never becomes an element or a link.
func TestAgentWordsAreIsolated(t *testing.T) {
	shown := 0
	for _, offline := range []bool{true, false} {
		site := pagetest.Site()
		site.Offline = offline
		for _, path := range paths {
			_, title, page, err := Render(context.Background(), site, journal.Journal(poisoned()), path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(title, "\u202e") {
				t.Errorf("%s: the title %q turns what follows it", path, title)
			}
			shown += checkIsolated(t, path, string(page))
		}
	}
	if shown < 300 {
		t.Errorf("only %d agent-written strings were seen: the fixture lost its use", shown)
	}
}

// checkIsolated finds poison that stands where it may not, and counts the pieces that it met.
func checkIsolated(t *testing.T, where, page string) (shown int) {
	t.Helper()
	for n := range pagetest.Parse(t, page).Descendants() {
		switch n.Type {
		case html.TextNode:
			if strings.Contains(n.Data, "ZQ") {
				shown++
				if !pagetest.Inside(n, "bdi", "title") && !isolated(n.Data) {
					t.Errorf("%s: %q is not isolated: use agentText or agentLine", where, n.Data)
				}
			}
			if strings.Contains(n.Data, "\u202e") && !pagetest.Inside(n, "textarea") { // there a person may take it out
				t.Errorf("%s: %q holds a raw hidden character", where, n.Data)
			}
		case html.ElementNode:
			checkAttributes(t, where, n)
		}
	}
	return shown
}

// isolated reports whether a text is agenttext.Plain(…): an <option> holds no elements.
func isolated(text string) bool {
	return strings.HasPrefix(text, "\u2068") && strings.HasSuffix(text, "\u2069") && strings.Count(text, "\u2068") == 1 && strings.Count(text, "\u2069") == 1
}

// rawAttributes carry data for the page's script and are shown to nobody.
var rawAttributes = map[string]bool{"data-copy": true, "data-show": true, "data-with": true, "data-download": true, "data-save-line": true, "data-append-line": true, "data-look": true}

// ourAddress are the addresses of the inspector's pages, of a workspace and of what stands beside it.
var ourAddress = regexp.MustCompile(`^(#/|/w/(acme|globex)(/|\?|$)|/inspect$|/settings$|/rules|#view$|#deciding$|#remarks$|#remark-new$|/manifest.webmanifest$|icon-maskable-192.png$|icon.svg$|figs.css$)`)

func checkAttributes(t *testing.T, path string, n *html.Node) {
	for _, a := range n.Attr {
		switch {
		case strings.Contains(a.Val, "\u202e") && !rawAttributes[a.Key] && (n.Data != "option" && n.Data != "input" || a.Key != "value"):
			t.Errorf("%s: <%s %s=%q> holds a raw hidden character: use plain", path, n.Data, a.Key, a.Val)
		case strings.Contains(a.Val, "ZQ") && a.Key == "href":
			t.Errorf("%s: an address holds agent text: %q", path, a.Val)
		case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
			t.Errorf("%s: <%s> has the attribute %s, which the policy forbids", path, n.Data, a.Key)
		case a.Key == "href" && !ourAddress.MatchString(a.Val):
			t.Errorf("%s: %q leads out of the page", path, a.Val)
		}
	}
}
