package sqlstore

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// confined is set in the process that has given up writable and executable memory.
const confined = "FIGS_TEST_CONFINED"

// TestWithoutWritableCode tests that the database works if the kernel refuses writable and executable memory
// (MemoryDenyWriteExecute in packaging/figs-web.service).
func TestWithoutWritableCode(t *testing.T) {
	if file := os.Getenv(confined); file != "" {
		const setMDWE, refuseExecGain = 65, 1 // prctl(2)
		if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, setMDWE, refuseExecGain, 0, 0, 0, 0); errno != 0 {
			t.Skipf("not tested: this kernel cannot refuse it (%v)", errno)
		}
		if _, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC, syscall.MAP_ANON|syscall.MAP_PRIVATE); err == nil {
			t.Fatal("such memory is still given")
		}
		s, err := OpenSQLite(ctx, file)
		if err != nil {
			t.Fatal(err)
		}
		workspaceOf(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestWithoutWritableCode$", "-test.v")
	cmd.Env = append(os.Environ(), confined+"="+filepath.Join(t.TempDir(), "figs.db"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "--- SKIP") {
		t.Skip(string(out))
	}
}
