//go:build unix

package storetest

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers "pgx"

	"github.com/figs-web/figs-web/internal/testenv"
)

// Postgres is a server that lives as long as a test, in a temporary folder and without a
// network; it forgets everything, so it need not sync.
type Postgres struct {
	socket string
	n      atomic.Int32
}

// StartPostgres starts one, or skips the test where PostgreSQL is not installed.
func StartPostgres(t testing.TB) *Postgres {
	t.Helper()
	programs := testenv.Postgres(t)
	dir, err := os.MkdirTemp("", "figs-pg-") // short: the socket's path has 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	as := &syscall.SysProcAttr{}
	if os.Geteuid() == 0 { // the server refuses to run as root
		if as.Credential, err = account("postgres"); err != nil {
			t.Skip("the store on PostgreSQL not tested: ", err)
		}
		if err := os.Chown(dir, int(as.Credential.Uid), int(as.Credential.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(dir, "data")
	initdb := exec.Command(filepath.Join(programs, "initdb"), "-D", data, "-U", "figs", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.SysProcAttr, initdb.Dir = as, dir
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	server := exec.Command(filepath.Join(programs, "postgres"), "-D", data, "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off",
		"-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "max_connections=60")
	server.SysProcAttr, server.Dir = as, dir
	var log bytes.Buffer
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Signal(syscall.SIGQUIT)
		server.Wait()
	})
	p := &Postgres{socket: dir}
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if err := p.exec("SELECT 1"); err == nil {
			return p
		} else if time.Since(begun) > 20*time.Second {
			t.Fatalf("PostgreSQL does not answer: %v\n%s", err, log.String())
		}
	}
}

// account finds a user of this machine by name.
func account(name string) (*syscall.Credential, error) {
	u, err := user.Lookup(name)
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

func (p *Postgres) connection(database string) string {
	return fmt.Sprintf("host=%s user=figs dbname=%s", p.socket, database)
}

func (p *Postgres) exec(query string) error {
	db, err := sql.Open("pgx", p.connection("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(context.Background(), query)
	return err
}

// Database makes an empty database and returns how to connect to it.
func (p *Postgres) Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("figs%d", p.n.Add(1))
	if err := p.exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	return p.connection(name)
}
