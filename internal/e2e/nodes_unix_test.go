//go:build unix

package e2e

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/figs-web/figs-web/internal/blob/s3/s3test"
	"github.com/figs-web/figs-web/internal/clustertest"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/testenv"
)

// keepers are the database server and the S3 server of all tests.
var keepers struct {
	once     sync.Once
	postgres *clustertest.Postgres
	bucket   *s3test.Server
	dir      string
	err      error
}

// endKeepers ends them when all tests have ended.
func endKeepers() {
	if keepers.postgres != nil {
		keepers.postgres.Close()
	}
	if keepers.bucket != nil {
		keepers.bucket.Close()
	}
	os.RemoveAll(keepers.dir)
}

// cluster is a database and a bucket that three nodes serve, behind a balancer.
type cluster struct{ *clustertest.Cluster }

func newCluster(t testing.TB) ground {
	t.Helper()
	programs, gateway := testenv.Postgres(t), testenv.VersityGW(t)
	k := &keepers
	k.once.Do(func() {
		if k.dir, k.err = os.MkdirTemp("", "figs-e2e-s3-"); k.err != nil {
			return
		}
		if k.bucket, k.err = s3test.Run(gateway, k.dir); k.err != nil {
			return
		}
		for _, pair := range k.bucket.Env() { // for commands of the operator
			name, value, _ := strings.Cut(pair, "=")
			os.Setenv(name, value)
		}
		k.postgres, k.err = clustertest.StartPostgres(programs, "max_connections=400", "fsync=off")
	})
	if k.err != nil {
		t.Fatal(k.err)
	}
	address, err := k.bucket.Bucket()
	if err != nil {
		t.Fatal(err)
	}
	c, err := clustertest.NewCluster(k.postgres, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &cluster{c}
}

func (c *cluster) where() []string { return c.Where() }

func (c *cluster) serve(program, addr string, flags []string) (address string, err error) {
	if err := c.Serve(program, 3, addr, flags...); err != nil {
		return "", err
	}
	return c.Balancer.Address, nil
}

func (c *cluster) stop() error {
	if c.Balancer == nil {
		return errors.New("nothing serves")
	}
	return c.EndServing()
}

func (c *cluster) open() (store.Store, error) { return c.Open(context.Background()) }

func (c *cluster) log() string { return c.Logs(3000) }
