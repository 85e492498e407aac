package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/cli"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/testenv"
)

// TestFindings holds that the findings of a folder are the same bytes on the page, in the engine under Node and on the
// command line, judged by the same time.
func TestFindings(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	for _, name := range []string{"reconciliation", "payables", "onboarding", "mistakes"} {
		t.Run(name, func(t *testing.T) {
			p := p.in(t)
			folder := filepath.Join(sample(t, name), ".figs")
			p.give(folder)
			p.follow("/1/findings")
			page := p.download(func() { p.click(`#view [data-export="json"]`) })
			var report struct {
				Valid    bool
				Now      string
				Findings []struct{ Code string }
			}
			if err := json.Unmarshal(page, &report); err != nil {
				t.Fatalf("%v in %s", err, page)
			}
			if at, err := time.Parse(time.RFC3339, report.Now); err != nil || time.Since(at).Abs() > time.Minute {
				t.Errorf("the page judged by the time %q, want the present", report.Now)
			}
			if report.Valid != (name != "mistakes") || name == "mistakes" && len(report.Findings) < 10 {
				t.Errorf("valid %t with %d findings", report.Valid, len(report.Findings))
			}
			same(t, "doctor --json", doctor(t, folder, report.Now), page)
			same(t, "the engine under Node", underNode(t, folder, report.Now), page)
			p.quiet()
		})
	}
}

// TestFindingsOfOneLedger holds the same for a ledger without its folder, which is judged alone.
func TestFindingsOfOneLedger(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	runs := filepath.Join(lay(t, map[string]string{"runs.jsonl": oneRun + "no JSON at all\n"}), "runs.jsonl")
	p.give(runs)
	p.sees("1 error")
	p.follow("/1/findings")
	page := p.download(func() { p.click(`#view [data-export="json"]`) })
	var report struct{ Now string }
	if err := json.Unmarshal(page, &report); err != nil {
		t.Fatalf("%v in %s", err, page)
	}
	same(t, "doctor --json", doctor(t, runs, report.Now), page)
}

// TestSARIF exports the findings of the sample with mistakes from the page as doctor --sarif writes them.
func TestSARIF(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	p.give(filepath.Join(sample(t, "mistakes"), ".figs"))
	p.follow("/1/findings")
	page := p.download(func() { p.click(`#view [data-export="sarif"]`) })
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct{ RuleID string }
		}
	}
	if err := json.Unmarshal(page, &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) < 10 || len(log.Runs[0].Tool.Driver.Rules) < 10 {
		t.Errorf("the log is not whole: %.400s", page)
	}
}

func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s gives other findings than the page:\n%s\npage:\n%s", what, got, want)
	}
}

// doctor runs the command.
func doctor(t *testing.T, folder, now string) []byte {
	t.Helper()
	var out, problems bytes.Buffer
	code := cli.Main(context.Background(), cmd.Env{Args: []string{"doctor", folder, "--json", "--now", now}, Stdout: &out, Stderr: &problems,
		Terminals: func() (bool, bool) { return false, false }, Now: time.Now})
	if code > 1 {
		t.Fatalf("doctor: exit %d, %s", code, problems.String())
	}
	return out.Bytes()
}

func underNode(t *testing.T, folder, now string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, testenv.Node(t), "engine.mjs", testenv.Wasm(t), folder, now)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// in is the same tab for another test.
func (p *tab) in(t testing.TB) *tab { return &tab{t: t, ctx: p.ctx, hearing: p.hearing} }

// download does something that saves a file and returns its bytes.
func (p *tab) download(act func()) []byte {
	p.t.Helper()
	dir := p.t.TempDir()
	call(p, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow,
		BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID, DownloadPath: dir})
	act()
	var files []string
	testenv.Eventually(p.t, patience, "the file to be saved", func() bool {
		var err error
		if files, err = filepath.Glob(filepath.Join(dir, "[^.]*")); err != nil {
			p.t.Fatal(err)
		}
		return len(files) == 1 && filepath.Ext(files[0]) != ".crdownload"
	})
	data, err := os.ReadFile(files[0])
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Logf("saved %s, %d bytes", filepath.Base(files[0]), len(data))
	return data
}
