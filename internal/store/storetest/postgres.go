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
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers "pgx"

	"github.com/figs-web/figs-web/internal/testenv"
)

// Postgres is a server for a test, in a temporary folder and without a network. It doesn't sync, because its data is
// deleted anyway.
type Postgres struct {
	socket  string // folder of its socket
	program string
	as      *syscall.SysProcAttr
	server  *exec.Cmd

	n      atomic.Int32
	making sync.Mutex
	made   map[string]bool // names of existing templates
}

// StartPostgres starts a server, or skips the test if PostgreSQL isn't installed.
func StartPostgres(t testing.TB) *Postgres {
	t.Helper()
	p := initPostgres(t)
	t.Cleanup(p.remove)
	p.Start(t)
	return p
}

// shared is the server of SharedPostgres.
var shared struct {
	sync.Mutex
	*Postgres
}

// SharedPostgres returns a server for all tests of a package that neither stop it nor look at other connections. The
// package's TestMain must call EndShared.
func SharedPostgres(t testing.TB) *Postgres {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.Postgres == nil {
		p := initPostgres(t)
		p.Start(t)
		shared.Postgres = p
	}
	return shared.Postgres
}

// EndShared stops the server that SharedPostgres started, if any.
func EndShared() {
	if shared.Postgres != nil {
		shared.remove()
	}
}

func (p *Postgres) remove() {
	p.Stop(syscall.SIGQUIT)
	os.RemoveAll(p.socket)
}

// initPostgres creates the data folder of a server.
func initPostgres(t testing.TB) *Postgres {
	t.Helper()
	programs := testenv.Postgres(t)
	dir, err := os.MkdirTemp("", "figs-pg-") // short, because a socket's path is limited to 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	as := &syscall.SysProcAttr{}
	if os.Geteuid() == 0 { // the server refuses to run as root
		if as.Credential, err = account("postgres"); err != nil {
			os.RemoveAll(dir)
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
		os.RemoveAll(dir)
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	return &Postgres{socket: dir, program: filepath.Join(programs, "postgres"), as: as}
}

// Start starts the server again after Stop, and waits until it responds.
func (p *Postgres) Start(t testing.TB) {
	t.Helper()
	// Committed data survives a crash of the server, though not of the machine.
	p.server = exec.Command(p.program, "-D", filepath.Join(p.socket, "data"), "-k", p.socket, "-c", "listen_addresses=", "-c", "fsync=off",
		"-c", "full_page_writes=off", "-c", "max_connections=60")
	p.server.SysProcAttr, p.server.Dir = p.as, p.socket
	var log bytes.Buffer
	p.server.Stdout, p.server.Stderr = &log, &log
	if err := p.server.Start(); err != nil {
		t.Fatal(err)
	}
	var err error
	if !testenv.Poll(20*time.Second, func() bool { err = p.exec("SELECT 1"); return err == nil }) {
		t.Fatalf("PostgreSQL does not answer: %v\n%s", err, log.String())
	}
}

// Stop stops the server: SIGINT aborts running transactions, and SIGQUIT is a crash, after which the server recovers from
// its log.
func (p *Postgres) Stop(how syscall.Signal) {
	if p.server == nil {
		return
	}
	p.server.Process.Signal(how)
	p.server.Wait()
}

// Socket returns the path of the server's socket.
func (p *Postgres) Socket() string { return filepath.Join(p.socket, ".s.PGSQL.5432") }

// account looks up a user of this machine.
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

// Database creates an empty database and returns its connection string.
func (p *Postgres) Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("figs%d", p.n.Add(1))
	if err := p.exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	return p.connection(name)
}

// Clone creates a copy of a template database, which make fills the first time, and returns its connection string. That
// takes a tenth of the time of all migrations. make must leave no connection open.
func (p *Postgres) Clone(t testing.TB, template string, make func(connection string)) string {
	t.Helper()
	p.making.Lock() // a template can only be copied by one at a time
	defer p.making.Unlock()
	if !p.made[template] {
		if err := p.exec("CREATE DATABASE " + template); err != nil {
			t.Fatal(err)
		}
		make(p.connection(template))
		if p.made == nil {
			p.made = map[string]bool{}
		}
		p.made[template] = true
	}
	name := fmt.Sprintf("figs%d", p.n.Add(1))
	if err := p.exec("CREATE DATABASE " + name + " TEMPLATE " + template); err != nil {
		t.Fatal(err)
	}
	return p.connection(name)
}
