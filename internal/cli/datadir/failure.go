package datadir

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"syscall"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/config"
	"github.com/figs-web/figs-web/internal/store"
)

// WhereFailure chooses what is said when a hosted reader cannot be opened. What databases and buckets say
// themselves is shown only where no password can be in it.
func WhereFailure(err error, w cmd.Where) error {
	var f *cmd.Failure
	var newer *store.NewerSchemaError
	var unfinished *store.UnfinishedCopyError
	switch {
	case errors.As(err, &unfinished):
		return unfinishedCopy(w.Name())
	case errors.As(err, &f):
		return err
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &newer):
		return newerFailure(newer, w.Name())
	}
	if f := cmd.BucketFailure(err); f != nil {
		return f
	}
	if w.Postgres() {
		return postgresFailure(err, w)
	}
	return DataFailure(err, w.Name())
}

func newerFailure(newer *store.NewerSchemaError, name string) *cmd.Failure {
	f := cmd.Fail(cmd.General, fmt.Sprintf("%s is newer than this program: its database has step %d (%s).", cmd.Quote(name), newer.Step, cmd.Clean(newer.Name)),
		"Use the version that last wrote it, or a newer one. To go back, restore a backup that an older version made.")
	f.Context = map[string]any{"step": newer.Step}
	return f
}

// Refusal is what PostgreSQL, and whatever speaks its protocol, says with a code.
type Refusal interface {
	error
	SQLState() string
}

// postgresFailure tells why a database was not opened.
func postgresFailure(err error, w cmd.Where) *cmd.Failure {
	name := cmd.Quote(w.Name())
	var refused Refusal
	if errors.As(err, &refused) {
		if f := RefusalFailure(refused, name); f != nil {
			f.Context = map[string]any{"sqlstate": refused.SQLState()}
			return f
		}
	}
	if _, why, is := strings.Cut(err.Error(), "cannot parse `"); is { // as pgconn.ParseConfigError says it
		_, why, _ = strings.Cut(why, "`: ")
		return cmd.Fail(cmd.Usage, "The URL in --database can't be used: "+cmd.Clean(config.MaskSecrets(why))+".", cmd.Databases)
	}
	if f := LineFailure(err, "The database "+name); f != nil {
		return f
	}
	return cmd.Fail(cmd.General, "The database "+name+" can't be opened: "+cmd.Clean(config.MaskSecrets(rootOf(err)))+".", "The database server's log may have details.")
}

// RefusalFailure tells what a server said that was reached; nil where its own words must do.
func RefusalFailure(refused Refusal, name string) *cmd.Failure {
	state, said := refused.SQLState(), refused.Error()
	switch state {
	case "28P01":
		return cmd.Fail(cmd.Denied, "The database "+name+" rejected the password.", "Correct it in the file that FIGS_WEB_DATABASE_FILE or PGPASSFILE names, or in PGPASSWORD.")
	case "28000":
		if strings.Contains(said, "no encryption") {
			return cmd.Fail(cmd.Denied, "The database "+name+" requires TLS for connections from here.", "Add ?sslmode=verify-full to its URL, and sslrootcert=FILE if your own authority issued its certificate.")
		}
		return cmd.Fail(cmd.Denied, "The database "+name+" rejected this user.", "Check that the role exists, that it may log in, and that pg_hba.conf allows it from this machine.")
	case "3D000":
		return cmd.Fail(cmd.NotFound, "There is no database "+name+".", "Create it: CREATE DATABASE figs OWNER figs ENCODING 'UTF8' (docs/nodes.md). figs-web creates the tables.")
	case "42501":
		return cmd.Fail(cmd.Denied, "The role can't create or use tables in "+name+".", "Make it the owner of the database: ALTER DATABASE figs OWNER TO figs, and since PostgreSQL 15 also GRANT ALL ON SCHEMA public TO figs (docs/nodes.md).")
	case "53300":
		return cmd.Fail(cmd.Network, "The database "+name+" has no free connections.", "Increase the server's max_connections, or lower --database-connections of every figs-web that uses it.")
	case "53100":
		return cmd.Fail(cmd.General, "The disk of the database "+name+" is full.", "Free some space on the database server, then start again. Your data is safe.")
	case "57P03":
		return cmd.Fail(cmd.Network, "The database "+name+" is starting or stopping.", "Try again in a moment. Its log shows the progress.")
	case "25006":
		return cmd.Fail(cmd.Usage, "The database "+name+" is a read-only replica.", "Use the primary, or list all servers: postgres://figs@one,two/figs?target_session_attrs=read-write.")
	case "0A000":
		return cmd.Fail(cmd.Usage, "The database "+name+" lacks a feature of PostgreSQL: "+cmd.Clean(said)+".", "If it is another database with PostgreSQL's protocol, try --database-tables-only (docs/nodes.md).")
	}
	return nil
}

// LineFailure tells of a server that is not reached, and of TLS on the way; nil is another failure.
func LineFailure(err error, what string) *cmd.Failure {
	var unknown *net.DNSError
	var op *net.OpError
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var certificate *tls.CertificateVerificationError
	const reach = "Check that the server is running, that it listens there, and that no firewall blocks it."
	switch {
	case errors.As(err, &hostname):
		return cmd.Fail(cmd.Network, what+" has a certificate for another name.", "Use the server name in its certificate.")
	case errors.As(err, &authority), errors.As(err, &certificate):
		return cmd.Fail(cmd.Network, what+" has a certificate that is not trusted here.", "Use the authority's certificate: sslrootcert=FILE for a database, the variable SSL_CERT_FILE for everything else.")
	case strings.Contains(err.Error(), "server refused TLS"):
		return cmd.Fail(cmd.Network, what+" doesn't support TLS.", "Turn on TLS at the server. On this machine or in a network that you trust, you can add ?sslmode=disable to the URL.")
	case errors.As(err, &unknown):
		return cmd.Fail(cmd.Network, what+" was not found: unknown host "+cmd.Quote(unknown.Name)+".", "Check the spelling of the host.")
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &op) && op.Timeout():
		return cmd.Fail(cmd.TimedOut, what+" did not answer in time.", reach)
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &op):
		return cmd.Fail(cmd.Network, what+" can't be reached: its socket doesn't exist.", "Check that the server is running. Its setting unix_socket_directories says where its socket is.")
	case errors.As(err, &op), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ECONNRESET):
		return cmd.Fail(cmd.Network, what+" can't be reached: "+cmd.Clean(cmd.Cause(rootError(err)))+".", reach)
	}
	return nil
}

// rootError is the innermost of errors that wrap each other; of several the first.
func rootError(err error) error {
	for {
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			if x.Unwrap() == nil {
				return err
			}
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			if len(x.Unwrap()) == 0 {
				return err
			}
			err = x.Unwrap()[0]
		default:
			return err
		}
	}
}

func rootOf(err error) string { return strings.TrimSuffix(rootError(err).Error(), ".") }
