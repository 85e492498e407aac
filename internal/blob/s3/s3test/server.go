// Package s3test gives tests a real S3 server on this machine, and a proxy in front of it on which
// whatever goes wrong between a program and its bucket can be switched on and off.
package s3test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/figs-web/figs-web/internal/testenv"
)

// Server is versitygw over a folder, on a free port of the loopback.
type Server struct {
	host, access, secret string
	log                  lockedBuffer
	cmd                  *exec.Cmd
	ended                chan struct{}
	core                 *minio.Core
}

// Start starts a server that ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := Run(testenv.VersityGW(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Run starts the program over a folder, and waits until it answers. Whoever calls it closes it.
func Run(program, dir string) (*Server, error) {
	for range 5 {
		s, err := run(program, dir)
		if !errors.Is(err, errTaken) {
			return s, err
		}
	}
	return nil, errTaken
}

var errTaken = errors.New("s3test: another program took each port before versitygw did")

func run(program, dir string) (*Server, error) {
	folders := map[string]string{}
	for _, name := range []string{"objects", "versions", "attributes"} {
		folders[name] = filepath.Join(dir, name)
		if err := os.MkdirAll(folders[name], 0o700); err != nil {
			return nil, err
		}
	}
	host, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &Server{host: host, access: "figs" + rand.Text()[:8], secret: rand.Text(), ended: make(chan struct{})}
	ours := "/" + rand.Text() // nobody else's server answers there
	// Attributes in files of their own: not every file system of a temporary folder has them.
	s.cmd = exec.Command(program, "--port", host, "--health", ours, "--quiet", "--keep-alive",
		"posix", "--versioning-dir", folders["versions"], "--sidecar", folders["attributes"], folders["objects"])
	s.cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+s.access, "ROOT_SECRET_KEY="+s.secret)
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { s.cmd.Wait(); close(s.ended) }()
	if err := s.await("http://" + host + ours); err != nil {
		s.Close()
		return nil, err
	}
	s.core, err = minio.NewCore(host, &minio.Options{Creds: credentials.NewStaticV4(s.access, s.secret, ""), Region: "us-east-1", BucketLookup: minio.BucketLookupPath})
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// freePort is an address that nobody listens on at this moment.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

func (s *Server) await(health string) error {
	for begun := time.Now(); time.Since(begun) < 30*time.Second; {
		if r, err := http.Get(health); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-s.ended:
			if strings.Contains(s.log.String(), "address already in use") {
				return errTaken
			}
			return fmt.Errorf("s3test: versitygw ended:\n%s", s.log.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	return fmt.Errorf("s3test: versitygw does not answer:\n%s", s.log.String())
}

// Close ends the server. Its folder stays.
func (s *Server) Close() {
	s.cmd.Process.Kill()
	<-s.ended
}

// Env are the keys as variables of an environment, for programs that are started.
func (s *Server) Env() []string {
	return []string{"AWS_ACCESS_KEY_ID=" + s.access, "AWS_SECRET_ACCESS_KEY=" + s.secret, "AWS_SESSION_TOKEN="}
}

// Setenv gives the keys to the test's own process.
func (s *Server) Setenv(t testing.TB) {
	t.Helper()
	for _, pair := range s.Env() {
		name, value, _ := strings.Cut(pair, "=")
		t.Setenv(name, value)
	}
}

// Bucket makes a bucket and returns its address.
func (s *Server) Bucket() (string, error) {
	name := "figs-" + strings.ToLower(rand.Text())
	if err := s.core.MakeBucket(context.Background(), name, minio.MakeBucketOptions{}); err != nil {
		return "", err
	}
	return "s3://" + name + "?endpoint=http://" + s.host, nil
}

// Address makes a bucket and returns its address, as in s3://BUCKET?endpoint=http://127.0.0.1:PORT.
func (s *Server) Address(t testing.TB) string {
	t.Helper()
	address, err := s.Bucket()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// Host is where the server listens, as in 127.0.0.1:PORT.
func (s *Server) Host() string { return s.host }

// Client reaches the server past everything that is tested.
func (s *Server) Client() *minio.Core { return s.core }

// Name is the bucket of an address.
func Name(address string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(address, "s3://"), "?")
	name, _, _ = strings.Cut(name, "/")
	return name
}

// Objects lists what the bucket of an address holds: sizes by key.
func (s *Server) Objects(t testing.TB, address string) map[string]int64 {
	t.Helper()
	objects := map[string]int64{}
	for o := range s.core.Client.ListObjects(t.Context(), Name(address), minio.ListObjectsOptions{Recursive: true}) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		objects[o.Key] = o.Size
	}
	return objects
}

// lockedBuffer is what a program prints, while it runs.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
