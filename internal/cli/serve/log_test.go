package serve

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/words"
)

// TestLogTranslations says one line for each language with a problem.
func TestLogTranslations(t *testing.T) {
	var b strings.Builder
	log := slog.New(slog.NewTextHandler(&b, nil))
	logTranslations(log, []words.Problem{{Code: "it", Entries: 2, First: "line 10 can't be read:\nmsgid"}, {Code: "nl", First: "the header"}})
	if lines := strings.Split(strings.TrimSpace(b.String()), "\n"); len(lines) != 2 || !strings.Contains(lines[0], "level=WARN") || !strings.Contains(lines[0], "language=it entries=2 first=") {
		t.Errorf("the log says %q", lines)
	}
	logTranslations(log, nil)
	if strings.Count(b.String(), "\n") != 2 {
		t.Errorf("the log says %q, though nothing is wrong", b.String())
	}
}
