package cli

import (
	"net"
	"strconv"
	"strings"
	"testing"
)

// TestHostOnLocalhost holds that localhost leads to the server by IPv6, too, and that it isn't printed when it would lead
// to another program.
func TestHostOnLocalhost(t *testing.T) {
	other, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6")
	}
	defer other.Close()
	r := hostOn(t, t.TempDir())
	port := strings.TrimPrefix(r.address, "http://localhost:")
	if !strings.HasPrefix(r.setup, r.address+"/setup?") {
		t.Errorf("the set-up link is %q at %q", r.setup, r.address)
	}
	for _, host := range []string{"localhost", "127.0.0.1", "[::1]"} {
		if status, _, _ := get(t, visitor(t), "http://"+host+":"+port+"/healthz"); status != 200 {
			t.Errorf("%s answers %d", host, status)
		}
	}
	if code := r.stop(); code != 0 {
		t.Errorf("a stopped server exits %d", code)
	}
	if l, err := net.Listen("tcp6", "[::1]:"+port); err != nil {
		t.Errorf("a stopped server keeps [::1]: %v", err)
	} else {
		l.Close()
	}
	numeric := "127.0.0.1:" + strconv.Itoa(other.Addr().(*net.TCPAddr).Port)
	if taken := hostOn(t, t.TempDir(), "--addr", numeric); taken.address != "http://"+numeric || !strings.HasPrefix(taken.setup, "http://"+numeric+"/setup?") {
		t.Errorf("while another program has the port on [::1]: %q, %q", taken.address, taken.setup)
	}
}
