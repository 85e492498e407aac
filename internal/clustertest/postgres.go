//go:build unix

package clustertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Postgres is a server in a temporary folder that can be stopped, killed and started again. It listens on a socket in
// that folder and on no network; Relay leads to it. Unlike that of storetest it keeps what it has committed when it is
// killed.
type Postgres struct {
	programs, dir string
	settings      []string
	as            *syscall.SysProcAttr
	run           *exec.Cmd
	ended         chan struct{} // closed when run has ended
	log           *os.File
	n             atomic.Int32
}

// StartPostgres makes one and starts it; programs is the folder that holds initdb and postgres, settings are as
// "max_connections=20". Close ends it.
func StartPostgres(programs string, settings ...string) (p *Postgres, err error) {
	p = &Postgres{programs: programs, settings: settings, as: &syscall.SysProcAttr{}}
	if p.dir, err = os.MkdirTemp("", "figs-pg-"); err != nil { // short: the socket's path has 107 bytes
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(p.dir)
		}
	}()
	if os.Geteuid() == 0 { // the server refuses to run as root
		if p.as.Credential, err = account("postgres"); err != nil {
			return nil, err
		}
		if err := os.Chown(p.dir, int(p.as.Credential.Uid), int(p.as.Credential.Gid)); err != nil {
			return nil, err
		}
	}
	// Small pieces of the log, so that a limit on the size of files leaves room for it (see Full).
	initdb := p.command(filepath.Join(programs, "initdb"), "-D", p.data(), "-U", "figs", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--wal-segsize=1")
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if p.log, err = os.Create(filepath.Join(p.dir, "log")); err != nil {
		return nil, err
	}
	if err := p.Start(); err != nil {
		return nil, err
	}
	return p, p.Exec("postgres", "CREATE ROLE reader LOGIN")
}

func account(name string) (*syscall.Credential, error) {
	u, err := user.Lookup(name)
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL runs as no root: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

func (p *Postgres) data() string { return filepath.Join(p.dir, "data") }

// Socket is where it listens.
func (p *Postgres) Socket() string { return filepath.Join(p.dir, ".s.PGSQL.5432") }

func (p *Postgres) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.SysProcAttr, c.Dir = p.as, p.dir
	return c
}

// Start starts a server that was stopped or killed, and waits until it answers.
func (p *Postgres) Start() error { return p.start(p.server()) }

// server is its command: the log has a code with each line.
func (p *Postgres) server() []string {
	args := []string{filepath.Join(p.programs, "postgres"), "-D", p.data(), "-k", p.dir}
	for _, s := range append([]string{"listen_addresses=", "max_connections=60", "log_line_prefix=%m %a %e "}, p.settings...) {
		args = append(args, "-c", s)
	}
	return args
}

// StartFull starts it with a limit on the size of each file, as a disk that has so much room: a table that outgrows it is
// written by half, for which the server reports a full disk (53100).
func (p *Postgres) StartFull(size int) error {
	const block = 512 // of ulimit
	return p.start(append([]string{"/bin/sh", "-c", `ulimit -f "$0" && exec "$@"`, strconv.Itoa(size / block)}, p.server()...))
}

func (p *Postgres) start(args []string) error {
	for begun := time.Now(); ; {
		run, ended := p.command(args[0], args[1:]...), make(chan struct{})
		run.Stdout, run.Stderr = p.log, p.log
		if err := run.Start(); err != nil {
			return err
		}
		go func() {
			run.Wait()
			close(ended)
		}()
		p.run, p.ended = run, ended
		for {
			err := p.Exec("postgres", "SELECT 1")
			if err == nil {
				return nil
			}
			if time.Since(begun) > Patience {
				p.Kill()
				return fmt.Errorf("PostgreSQL does not answer: %w\n%s", err, p.Log())
			}
			select {
			case <-ended: // what was left of a killed one is still ending: once more
			case <-time.After(20 * time.Millisecond):
				continue
			}
			break
		}
	}
}

// Stop ends it as an operator would who does not wait for clients.
func (p *Postgres) Stop() {
	p.run.Process.Signal(syscall.SIGINT)
	<-p.ended
}

// Kill ends it as a loss of power does, but for what the system has yet to write.
func (p *Postgres) Kill() {
	p.run.Process.Kill()
	<-p.ended
}

// Close ends it and removes its folder.
func (p *Postgres) Close() error {
	p.run.Process.Signal(syscall.SIGQUIT)
	<-p.ended
	p.log.Close()
	return os.RemoveAll(p.dir)
}

// Log is what it wrote last.
func (p *Postgres) Log() string {
	text, _ := os.ReadFile(filepath.Join(p.dir, "log"))
	return string(text[max(0, len(text)-8000):])
}

// connection is as whoever made the server, past every relay.
func (p *Postgres) connection(database string) string {
	return fmt.Sprintf("host=%s user=figs dbname=%s connect_timeout=5", p.dir, database)
}

// Exec runs statements as the one who may do everything.
func (p *Postgres) Exec(database, query string, args ...any) error {
	return p.ask(database, func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, query, args...)
		return err
	})
}

// Number asks for one number.
func (p *Postgres) Number(database, query string, args ...any) (n int64, err error) {
	err = p.ask(database, func(ctx context.Context, c *pgx.Conn) error { return c.QueryRow(ctx, query, args...).Scan(&n) })
	return n, err
}

// Text asks for one text.
func (p *Postgres) Text(database, query string) (text string, err error) {
	err = p.ask(database, func(ctx context.Context, c *pgx.Conn) error { return c.QueryRow(ctx, query).Scan(&text) })
	return text, err
}

func (p *Postgres) ask(database string, do func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	c, err := pgx.Connect(ctx, p.connection(database))
	if err != nil {
		return err
	}
	return errors.Join(do(ctx, c), c.Close(ctx))
}

// Database makes an empty database of an ordinary role and returns its name.
func (p *Postgres) Database() (string, error) {
	name := fmt.Sprintf("figs%d", p.n.Add(1))
	return name, p.Exec("postgres", "CREATE DATABASE "+name+" OWNER reader")
}

// CutAll ends every connection to a database, at the server, as a failover does.
func (p *Postgres) CutAll(database string) error {
	return p.Exec("postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", database)
}
