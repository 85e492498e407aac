//go:build unix

// Package postgres starts a PostgreSQL server of its own for a program that measures: in a temporary folder, on a
// socket there and on no network. Unlike the one of the tests it is durable, as an operator's is.
package postgres

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers "pgx"

	"github.com/figs-web/figs-web/internal/load/spent"
	"github.com/figs-web/figs-web/internal/testenv"
)

// Server is a running one. End it with Stop.
type Server struct {
	dir       string
	cmd       *exec.Cmd
	log       bytes.Buffer
	databases int
}

// settings are all that differs from what initdb writes: room for several programs, and the cache that PostgreSQL's own
// manual recommends to begin with on a machine of a few gigabytes. fsync, full_page_writes and synchronous_commit are on.
var settings = []string{"listen_addresses=", "max_connections=100", "shared_buffers=256MB", "max_wal_size=2GB"}

// Start makes a data folder and a server on it.
func Start(ctx context.Context) (*Server, error) {
	programs, err := find()
	if err != nil {
		return nil, err
	}
	s := &Server{}
	if s.dir, err = os.MkdirTemp("", "figs-pg-"); err != nil { // short: the socket's path has 107 bytes
		return nil, err
	}
	as := &syscall.SysProcAttr{}
	if os.Geteuid() == 0 { // the server refuses to run as root
		if as.Credential, err = account("postgres"); err == nil {
			err = os.Chown(s.dir, int(as.Credential.Uid), int(as.Credential.Gid))
		}
	}
	if err == nil {
		err = s.start(ctx, programs, as)
	}
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (s *Server) start(ctx context.Context, programs string, as *syscall.SysProcAttr) error {
	data := filepath.Join(s.dir, "data")
	initdb := exec.CommandContext(ctx, filepath.Join(programs, "initdb"), "-D", data, "-U", "figs", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.SysProcAttr, initdb.Dir = as, s.dir
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	args := []string{"-D", data, "-k", s.dir}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	s.cmd = exec.Command(filepath.Join(programs, "postgres"), args...)
	s.cmd.SysProcAttr, s.cmd.Dir = as, s.dir
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return err
	}
	var err error
	testenv.Poll(30*time.Second, func() bool {
		err = s.Exec(ctx, "postgres", "SELECT 1")
		return err == nil || ctx.Err() != nil
	})
	if err != nil {
		return fmt.Errorf("PostgreSQL does not answer: %w", err)
	}
	return nil
}

// Stop ends the server and removes what it kept.
func (s *Server) Stop() error {
	if s.cmd != nil {
		s.cmd.Process.Signal(syscall.SIGINT) // it ends its sessions and then itself
		s.cmd.Wait()
	}
	return os.RemoveAll(s.dir)
}

// Spent is the processor time that the server's processes have used, but for those of sessions that have ended.
func (s *Server) Spent() (time.Duration, error) { return spent.ByFamily(s.cmd.Process.Pid) }

// Database makes an empty database and returns how to connect to it.
func (s *Server) Database(ctx context.Context) (address string, err error) {
	s.databases++
	name := fmt.Sprintf("figs%d", s.databases)
	return s.URL(name), s.Exec(ctx, "postgres", "CREATE DATABASE "+name)
}

// URL is how to connect to a database by its name.
func (s *Server) URL(name string) string {
	return "postgres://figs@/" + name + "?" + url.Values{"host": {s.dir}}.Encode()
}

// Exec runs one statement in a database.
func (s *Server) Exec(ctx context.Context, database, statement string) error {
	db, err := sql.Open("pgx", s.URL(database))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, statement)
	return err
}

// find returns the folder of PostgreSQL's programs.
func find() (string, error) {
	for _, p := range testenv.Parts() {
		if p.Name == "PostgreSQL" {
			dir, err := p.Find()
			if err != nil {
				return "", fmt.Errorf("%w: %s", err, p.Get)
			}
			return dir, nil
		}
	}
	return "", errors.New("nobody knows where PostgreSQL is")
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
