package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/testenv"
)

// TestReady: each reason has its code, says nothing of what is within, and only those that would
// keep a visitor from being served make the server not ready.
func TestReady(t *testing.T) {
	now := time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)
	disk := func(err error) func(*hosted.Host) {
		return func(h *hosted.Host) { h.Writable = func(context.Context) error { return err } }
	}
	at := func(op string, err error) error { return &fs.PathError{Op: op, Path: "/secret/path", Err: err} }
	for _, test := range []struct {
		name   string
		set    func(*hosted.Host)
		status int
		codes  string
	}{
		{"fine", func(*hosted.Host) {}, 200, ""},
		{"disk_takes_bytes", disk(nil), 200, ""},
		{"database_down", func(h *hosted.Host) { h.Store = keeper{err: errors.New("/secret/path: gone")} }, 503, "database_down"},
		{"migrated_by_another", func(h *hosted.Host) { h.Store, h.Health.Schema = keeper{step: 11, needs: 11}, 10 }, 503, "migrations"},
		{"migrated_for_both", func(h *hosted.Host) { h.Store, h.Health.Schema = keeper{step: 11, needs: 10}, 10 }, 200, ""},
		{"attachments_reached", func(h *hosted.Host) { h.Reach = func(context.Context) error { return nil } }, 200, ""},
		{"attachments_down", func(h *hosted.Host) { h.Reach = func(context.Context) error { return errors.New("https://secret") } }, 200, "attachments_down"},
		{"stopping", func(h *hosted.Host) { h.Stopping = ended() }, 503, "stopping"},
		{"disk_full", disk(at("write", syscall.ENOSPC)), 503, "disk_full"},
		{"quota", disk(at("write", syscall.EDQUOT)), 503, "disk_full"},
		{"disk_readonly", disk(at("open", syscall.EROFS)), 503, "disk_readonly"},
		{"folder_of_another", disk(at("open", fs.ErrPermission)), 503, "disk_readonly"},
		{"disk_broken", disk(at("write", syscall.EIO)), 503, "disk_failed"},
		{"disk_low", func(h *hosted.Host) { h.Free, h.MinFree = func() (int64, error) { return 10, nil }, 11 }, 200, "disk_low"},
		{"room_enough", func(h *hosted.Host) { h.Free, h.MinFree = func() (int64, error) { return 11, nil }, 11 }, 200, ""},
		{"room_unknown", func(h *hosted.Host) { h.Free, h.MinFree = func() (int64, error) { return 0, errors.New("x") }, 11 }, 200, ""},
		{"clock_back_a_little", func(h *hosted.Host) { h.Health.Started = now.Add(4 * time.Minute) }, 200, ""},
		{"clock_back", func(h *hosted.Host) { h.Health.Started = now.Add(6 * time.Minute) }, 503, "clock_skewed"},
		{"clock_forward", func(h *hosted.Host) { h.Health.Started = now.Add(-time.Hour) }, 200, ""},
		{"rows_ahead", func(h *hosted.Host) { h.Store = keeper{last: now.Add(6 * time.Minute).UnixMicro()} }, 200, "clock_behind"},
		{"several", func(h *hosted.Host) { disk(at("write", syscall.ENOSPC))(h); h.Health.Started = now.Add(time.Hour) }, 503, "disk_full, clock_skewed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, e := fronted(t, "https://figs.example", web.Serving{}, nil)
			h.Now = func() time.Time { return now }
			h.Health.Started, h.Health.Passed = now, func() time.Duration { return 0 }
			test.set(h)
			r := httptest.NewRequest("GET", "https://figs.example/readyz", nil)
			r.Header.Set("Accept", "application/json")
			answer := httptest.NewRecorder()
			e.ServeHTTP(answer, r)
			var got struct {
				Ready   bool
				Reasons []hosted.HealthReason
			}
			if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if answer.Code != test.status || got.Ready != (test.status == 200) || hosted.ReasonCodes(got.Reasons) != test.codes || strings.Contains(answer.Body.String(), "secret") {
				t.Errorf("readyz = %d %s, want %d with %q", answer.Code, answer.Body, test.status, test.codes)
			}
			for _, method := range []string{"GET", "HEAD"} {
				plain := httptest.NewRecorder()
				e.ServeHTTP(plain, httptest.NewRequest(method, "https://figs.example/readyz", nil))
				if plain.Code != test.status || plain.Header().Get("Cache-Control") != "no-store" {
					t.Errorf("%s readyz = %d %v, want %d, kept by nobody", method, plain.Code, plain.Header(), test.status)
				}
				for _, reason := range got.Reasons {
					if method == "GET" && !strings.Contains(plain.Body.String(), "\n"+reason.Code+": "+reason.Says+"\n") {
						t.Errorf("readyz says %q, want %s in it", plain.Body, reason.Code)
					}
				}
			}
		})
	}
}

// ended is a context that has.
func ended() context.Context {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	return ctx
}

// TestReadyCost: however often it is asked, the store is asked once a second and the disk written
// to every ten; one that took nothing is asked again as soon as that.
func TestReadyCost(t *testing.T) {
	h, e := fronted(t, "https://figs.example", web.Serving{}, nil)
	passed, wrote := time.Duration(0), 0
	var fails error
	h.Now = func() time.Time { return h.Health.Started.Add(passed) }
	h.Health.Passed = func() time.Duration { return passed }
	h.Writable = func(context.Context) error { wrote++; return fails }
	for _, step := range []struct {
		at    time.Duration
		fails bool
		wrote int
		want  int
	}{
		{0, false, 1, 200}, {0, false, 1, 200}, {2 * time.Second, false, 1, 200}, {9 * time.Second, true, 1, 200},
		{11 * time.Second, true, 2, 503}, {11500 * time.Millisecond, true, 2, 503}, {13 * time.Second, true, 3, 503},
		{15 * time.Second, false, 4, 200}, {17 * time.Second, false, 4, 200},
	} {
		passed, fails = step.at, nil
		if step.fails {
			fails = fmt.Errorf("no")
		}
		if r := request(e, "GET", "x", "/readyz"); r.StatusCode != step.want || wrote != step.wrote {
			t.Errorf("at %s: readyz = %d after %d writes, want %d after %d", step.at, r.StatusCode, wrote, step.want, step.wrote)
		}
	}
}

// TestReadyKnowsOfFullDisk holds that a request that met a full disk makes the server not ready at once, though the disk took
// bytes a moment ago, until it takes some again.
func TestReadyKnowsOfFullDisk(t *testing.T) {
	w := newTown(t)
	h, passed, wrote := w.h, time.Duration(0), 0
	var fails error
	h.Health.Passed = func() time.Duration { return passed }
	h.Writable = func(context.Context) error { wrote++; return fails }
	w.routes.GET("/full", func(echo.Context) error { return fmt.Errorf("insert: %w", syscall.ENOSPC) })
	ready := func(when string, status int, says string, writes int) {
		t.Helper()
		r := w.ask("GET", "/readyz", "", "")
		if page := text(t, r); r.StatusCode != status || !strings.Contains(page, says) || wrote != writes {
			t.Errorf("%s: readyz = %d %q after %d writes, want %d %q after %d", when, r.StatusCode, page, wrote, status, says, writes)
		}
	}
	ready("before", 200, "ready", 1)
	if r := w.ask("GET", "/full", "", ""); r.StatusCode != http.StatusInsufficientStorage {
		t.Fatalf("a full disk is %d", r.StatusCode)
	}
	ready("at once", 503, "disk_full", 1)
	passed, fails = 2*time.Second, syscall.ENOSPC
	ready("while it is full", 503, "disk_full", 2)
	passed, fails = 4*time.Second, nil
	ready("with room again", 200, "ready", 3)
}

// A folder that nobody may write to is found out by writing.
func TestReadyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	h, e := fronted(t, "https://figs.example", web.Serving{Writable: func(context.Context) error {
		return os.WriteFile(filepath.Join(dir, "x"), nil, 0o600)
	}}, nil)
	if r := request(e, "GET", "x", "/readyz"); r.StatusCode != 503 || !strings.Contains(text(t, r), "disk_readonly") {
		t.Errorf("readyz = %d in a folder that cannot be written to (%v)", r.StatusCode, h.Health.Reasons)
	}
}

// A bucket that takes its time holds no probe up: what it said before is told meanwhile.
func TestReadyWaitsForNoBucket(t *testing.T) {
	h, e := fronted(t, "https://figs.example", web.Serving{}, nil)
	passed := time.Duration(0)
	h.Health.Passed = func() time.Duration { return passed }
	asked, answers := make(chan struct{}, 9), make(chan error)
	h.Reach = func(context.Context) error { asked <- struct{}{}; return <-answers }
	probe := func() string {
		passed += 2 * hosted.Judged // the answer before is no good any more
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, httptest.NewRequest("GET", "https://figs.example/readyz", nil))
		if answer.Code != 200 {
			t.Errorf("%d %s", answer.Code, answer.Body)
		}
		return answer.Body.String()
	}
	for range 3 {
		if got := probe(); got != "ready\n" {
			t.Errorf("while nothing is known: %q", got)
		}
	}
	answers <- errors.New("gone")
	testenv.Eventually(t, time.Minute, "a probe to be told that the bucket is down", func() bool { return strings.Contains(probe(), "attachments_down") })
	if n := len(asked); n > 2 {
		t.Errorf("%d ask at once", n)
	}
	close(answers) // every answer from now on is that all is well
	testenv.Eventually(t, time.Minute, "a probe to be told that the bucket is back", func() bool { return !strings.Contains(probe(), "attachments_down") })
}
