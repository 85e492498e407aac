package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"syscall"

	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// listen listens on HOST:PORT; flag is how the command line says where, for the hint.
func listen(addr, flag string) (net.Listener, error) {
	host, port, err := hostAndPort(addr)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, listenFailure(err, addr, host, port, flag)
	}
	return l, nil
}

// hostAndPort takes an address to listen on apart.
func hostAndPort(addr string) (host, port string, err error) {
	host, port, err = net.SplitHostPort(addr)
	if n, perr := strconv.Atoi(port); err != nil || perr != nil || n < 0 || n > 65535 {
		return "", "", cmd.Fail(cmd.Usage, cmd.Quote(addr)+" is not an address to listen on.", "Use a host and port, as in 127.0.0.1:8080.")
	}
	return host, port, nil
}

func listenFailure(err error, addr, host, port, flag string) *cmd.Failure {
	var unknown *net.DNSError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		f := cmd.Fail(cmd.AddressInUse, fmt.Sprintf("Port %s on %s is in use, perhaps by another figs-web.", port, cmd.Quote(host)),
			"Choose another, as in "+flag+" 127.0.0.1:9090, or :0 for any free port. (With make run, use ADDR=127.0.0.1:9090.)")
		f.Context = map[string]any{"address": addr}
		return f
	case errors.Is(err, fs.ErrPermission):
		return cmd.Fail(cmd.Denied, "No permission to listen on port "+port+".", "Ports below 1024 need a privilege. Choose a higher one, as in "+flag+" 127.0.0.1:8080.")
	case errors.As(err, &unknown), errors.Is(err, syscall.EADDRNOTAVAIL):
		return cmd.Fail(cmd.Usage, cmd.Quote(host)+" is not an address of this machine.", "Use 127.0.0.1 for access from this machine only.")
	}
	return cmd.Fail(cmd.General, "Listening on "+cmd.Quote(addr)+" failed: "+cmd.Clean(err.Error())+".", "Choose another address, as in "+flag+" 127.0.0.1:0.")
}

// alsoOnIPv6 listens on [::1] at a port that this program already has on 127.0.0.1, because localhost may be either
// and not every client tries both. The listener is nil where there is no IPv6. localhost is false when another
// program has the port on [::1]: what is sent to http://localhost could then reach that program.
func alsoOnIPv6(port int) (l net.Listener, localhost bool) {
	l, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(port)))
	if err != nil {
		return nil, !errors.Is(err, syscall.EADDRINUSE)
	}
	return l, true
}

// listenHere listens on an address that no other machine can reach.
func listenHere(addr, flag string) (net.Listener, error) {
	l, err := listen(addr, flag)
	if err != nil {
		return nil, err
	}
	if !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		l.Close()
		return nil, cmd.Fail(cmd.Usage, "Other machines could reach "+cmd.Quote(addr)+", and open shows a private folder.", "Listen on this machine only, as in "+flag+" 127.0.0.1:9090.")
	}
	return l, nil
}
