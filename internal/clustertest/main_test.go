//go:build unix

package clustertest

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/blob/s3"
	"github.com/figs-web/figs-web/internal/blob/s3/s3test"
	"github.com/figs-web/figs-web/internal/testenv"
)

var programs Programs

// keepers are the database server and the S3 server of all tests, which take turns.
var keepers struct {
	postgres *Postgres
	bucket   *s3test.Server
	dir      string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if keepers.postgres != nil {
		if err := keepers.postgres.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	if keepers.bucket != nil {
		keepers.bucket.Close()
	}
	os.RemoveAll(keepers.dir)
	programs.Close()
	os.Exit(code)
}

// startPostgres starts the server, at first.
func startPostgres(t *testing.T) *Postgres {
	t.Helper()
	if keepers.postgres == nil {
		p, err := StartPostgres(testenv.Postgres(t))
		if err != nil {
			t.Fatal(err)
		}
		keepers.postgres = p
	}
	return keepers.postgres
}

// startBucket starts the S3 server, at first.
func startBucket(t *testing.T) *s3test.Server {
	t.Helper()
	if keepers.bucket == nil {
		gateway := testenv.VersityGW(t)
		dir, err := os.MkdirTemp("", "figs-s3-")
		if err == nil {
			keepers.dir = dir
			keepers.bucket, err = s3test.Run(gateway, dir)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	keepers.bucket.Setenv(t)
	return keepers.bucket
}

// long reports whether the tests take the time that proves most.
func long() bool { return os.Getenv("FIGS_LONG") != "" }

// often is how often something is done: a few times beside all other tests, or really often.
func often(few, many int) int {
	if long() {
		return many
	}
	return few
}

func program(t *testing.T) string { return build(t, "") }

func build(t *testing.T, tags string) string {
	t.Helper()
	file, err := programs.Build(tags)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// newWorld starts three nodes on a database and a bucket, where a workspace is. The nodes reach the bucket through a proxy that
// changes nothing at first.
func newWorld(t *testing.T, flags ...string) (*world, *s3test.Proxy) {
	t.Helper()
	postgres, bucket := startPostgres(t), startBucket(t)
	proxy, address := bucket.Proxy(t), bucket.Address(t)
	c, err := NewCluster(postgres, proxy.Of(address), bucket.Env())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := c.Serve(program(t), 3, "", flags...); err != nil {
		t.Fatal(err)
	}
	w := &world{c: c, reference: newReference(t, program(t))}
	if w.store, err = c.Open(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.store.Close() })
	if w.blobs, err = s3.Open(ctx, address, s3.Options{Temp: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	w.workspace, _ = furnish(t, w.store)
	return w, proxy
}

// TestFaults does to three nodes what goes wrong, one after the other. Each part ends with everything that was
// acknowledged, and with the state of a reader to which nothing happened.
func TestFaults(t *testing.T) {
	w, proxy := newWorld(t)
	go programs.Build("nodestest") // beside the rest
	for _, fault := range []struct {
		name string
		do   func(t *testing.T, w *world)
	}{
		{"none", func(t *testing.T, w *world) { calm(t, w) }},
		{"node killed mid-push", killedPushing},
		{"node killed mid-decision", killedDeciding},
		{"node paused", paused},
		{"two nodes decide one ask", bothDecide},
		{"clock an hour off", clockOff},
		{"disk of the database full", diskFull},
		{"connections cut", connectionsCut},
		{"answers of the database lost", answersLost},
		{"out of connections", outOfConnections},
		{"database stopped", databaseStopped},
		{"database killed", databaseKilled},
		{"news after a lost connection", newsAfterLoss},
		{"bucket slow", func(t *testing.T, w *world) { bucketSlow(t, w, proxy) }},
		{"bucket erring", func(t *testing.T, w *world) { bucketErring(t, w, proxy) }},
		{"bucket returns wrong bytes", func(t *testing.T, w *world) { bucketWrong(t, w, proxy) }},
		{"many at once, requests cut", crowd},
	} {
		begun := time.Now()
		if !t.Run(fault.name, func(t *testing.T) {
			fault.do(t, w)
			w.calmly(t)
		}) {
			t.FailNow() // what comes next would compare with a state that is wrong already
		}
		t.Logf("%-32s %s", fault.name, time.Since(begun).Round(10*time.Millisecond))
	}
}
