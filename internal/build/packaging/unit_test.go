package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/cli"
	"github.com/figs-web/figs-web/internal/testenv"
)

// program is where packages put it.
const program = "/usr/bin/figs-web"

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.Root(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unit reads a unit file: section and name, then every value in order.
func unit(t *testing.T, text string) map[string][]string {
	t.Helper()
	found, section := map[string][]string{}, ""
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[' && strings.HasSuffix(line, "]"):
			section = strings.Trim(line, "[]")
		default:
			name, value, is := strings.Cut(line, "=")
			if !is || section == "" {
				t.Fatalf("%q is no line of a unit", line)
			}
			found[section+"."+name] = append(found[section+"."+name], value)
		}
	}
	return found
}

// Whatever a unit starts is a command line that the program understands.
func TestUnitsStartWhatThereIs(t *testing.T) {
	for _, name := range []string{"figs-web.service", "figs-web-backup.service"} {
		u := unit(t, read(t, "packaging/"+name))
		starts := u["Service.ExecStart"]
		if len(starts) != 1 {
			t.Fatalf("%s starts %q", name, starts)
		}
		words := strings.Fields(starts[0])
		if words[0] != program {
			t.Errorf("%s starts %s, which no package installs", name, words[0])
		}
		if err := cli.Understands(withoutFile(words[1:])); err != nil {
			t.Errorf("%s: figs-web %s: %v", name, strings.Join(words[1:], " "), err)
		}
	}
	if cli.Understands([]string{"serve", "--dta", "x"}) == nil || cli.Understands([]string{"probe", "a", "b"}) == nil {
		t.Error("a command line with a mistake is understood")
	}
}

// withoutFile names a file of settings that is there while the command line is read, which opens it.
func withoutFile(words []string) []string {
	words = slices.Clone(words)
	if i := slices.Index(words, "--config"); i > 0 {
		words[i+1] = os.DevNull
	}
	return words
}

// confinement are the lines that both services have.
const confinement = `NoNewPrivileges ProtectHome PrivateTmp PrivateDevices PrivateMounts PrivateUsers ProtectClock ProtectHostname ProtectKernelLogs
	ProtectKernelModules ProtectKernelTunables ProtectControlGroups RestrictNamespaces RestrictRealtime RestrictSUIDSGID RemoveIPC LockPersonality
	MemoryDenyWriteExecute`

// What the services may do is stated, and is no more than they need.
func TestServiceIsConfined(t *testing.T) {
	for _, name := range []string{"figs-web.service", "figs-web-backup.service"} {
		u := unit(t, read(t, "packaging/"+name))
		for _, line := range strings.Fields(confinement) {
			if got := u["Service."+line]; len(got) != 1 || got[0] != "yes" {
				t.Errorf("%s: %s is %q, want yes once", name, line, got)
			}
		}
		if u["Service.ProtectProc"][0] != "invisible" || u["Service.ProcSubset"][0] != "pid" {
			t.Errorf("%s sees other programs in /proc", name)
		}
	}
	u := unit(t, read(t, "packaging/figs-web.service"))
	for name, want := range map[string]string{
		"User": "figs-web", "StateDirectory": "figs-web", "StateDirectoryMode": "0700", "UMask": "0077", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes",
		"PrivateTmp": "yes", "PrivateDevices": "yes", "MemoryDenyWriteExecute": "yes", "CapabilityBoundingSet": "", "AmbientCapabilities": "", "SystemCallArchitectures": "native",
		"RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX", "RestrictNamespaces": "yes", "LockPersonality": "yes",
	} {
		if got := u["Service."+name]; len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q, want %q once", name, got, want)
		}
	}
	if calls := u["Service.SystemCallFilter"]; len(calls) == 0 || calls[0] != "@system-service" {
		t.Errorf("SystemCallFilter is %q, want a list of what is allowed", calls)
	}
	drop := unit(t, read(t, "packaging/port443.conf"))
	if got := drop["Service.CapabilityBoundingSet"]; !slices.Equal(got, []string{"CAP_NET_BIND_SERVICE"}) {
		t.Errorf("for port 443 it may %q, want to bind and nothing else", got)
	}
	if !strings.Contains(read(t, "packaging/figs-web.sysusers"), "u "+u["Service.User"][0]+" ") {
		t.Error("no account is made for the service")
	}
}

// systemd reads the units as they are meant, and has no complaint but that the program is not installed here.
func TestSystemdReadsTheUnits(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("what systemd says of the units is not tested: systemd-analyze is not installed")
	}
	folder := filepath.Join(testenv.Root(t), "packaging")
	verify := exec.Command(analyze, "verify", "--man=no", filepath.Join(folder, "figs-web.service"), filepath.Join(folder, "figs-web-backup.service"), filepath.Join(folder, "figs-web-backup.timer"))
	out, _ := verify.CombinedOutput()
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if line != "" && !strings.Contains(line, "Command "+program+" is not executable") && strings.Contains(line, "figs-web") {
			t.Error(line)
		}
	}
	for _, name := range []string{"figs-web.service", "figs-web-backup.service"} {
		rate := exec.Command(analyze, "security", "--offline=yes", "--threshold=20", filepath.Join(folder, name))
		if out, err := rate.CombinedOutput(); err != nil {
			t.Errorf("systemd-analyze security of %s, at most 2.0 of 10: %v\n%s", name, err, tail(string(out), 400))
		}
	}
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }
