package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/cli/serve"
)

// The figures are served at an address of their own, and only there.
func TestServeMetrics(t *testing.T) {
	line, lines, stop := started(t, "serve", "--agent", "--data", t.TempDir()+"/data", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0")
	var first, event struct{ Address string }
	if err := json.Unmarshal([]byte(line), &first); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() && !strings.HasSuffix(event.Address, "/metrics") {
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(event.Address, "/metrics") {
			break
		}
	}
	go func() { // what is logged meanwhile has to be read
		for lines.Scan() {
		}
	}()
	read := func(address string) (int, string) {
		t.Helper()
		answer, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(text)
	}
	if status, _ := read(first.Address + "/metrics"); status != 404 {
		t.Errorf("/metrics of the reader itself = %d, want none", status)
	}
	if status, text := read(event.Address); status != 200 || !strings.Contains(text, `figs_web_http_requests_total{class="4xx",method="GET",route="none"} 1`) || !strings.Contains(text, "figs_web_schema_step ") {
		t.Errorf("%s = %d\n%s", event.Address, status, text)
	}
	if code := stop(); code != 0 {
		t.Errorf("serve ends with %d", code)
	}
}

func TestMinFree(t *testing.T) {
	for text, want := range map[string]int64{"": 200 << 20, "0": 0, "1GiB": 1 << 30, "500 MB": 500 << 20} {
		if got, err := (serve.WatchFlags{MinFree: text}).LeastFree(); err != nil || got != want {
			t.Errorf("--min-free %q = %d, %v, want %d", text, got, err, want)
		}
	}
	if _, err := (serve.WatchFlags{MinFree: "much"}).LeastFree(); err == nil {
		t.Error("--min-free much is taken")
	}
}
