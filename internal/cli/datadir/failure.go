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
		"Start the program that wrote it last, or a newer one. The only way back is a backup that an older program made.")
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
		return cmd.Fail(cmd.Usage, "The address in --database cannot be used: "+cmd.Clean(config.MaskSecrets(why))+".", cmd.Databases)
	}
	if f := LineFailure(err, "The database "+name); f != nil {
		return f
	}
	return cmd.Fail(cmd.General, "The database "+name+" cannot be opened: "+cmd.Clean(config.MaskSecrets(rootOf(err)))+".", "The log of the database server may say more.")
}

// RefusalFailure tells what a server said that was reached; nil where its own words must do.
func RefusalFailure(refused Refusal, name string) *cmd.Failure {
	state, said := refused.SQLState(), refused.Error()
	switch state {
	case "28P01":
		return cmd.Fail(cmd.Denied, "The database "+name+" does not take the password.", "Give the right one: in the file that FIGS_WEB_DATABASE_FILE or PGPASSFILE names, or in PGPASSWORD.")
	case "28000":
		if strings.Contains(said, "no encryption") {
			return cmd.Fail(cmd.Denied, "The database "+name+" takes no connection without TLS from here.", "Add ?sslmode=verify-full to its address, and sslrootcert=FILE where an authority of your own has issued its certificate.")
		}
		return cmd.Fail(cmd.Denied, "The database "+name+" does not let this user in.", "Is the role there, may it log in, and does pg_hba.conf let it in from this machine?")
	case "3D000":
		return cmd.Fail(cmd.NotFound, "There is no database "+name+".", "Make it, empty: CREATE DATABASE figs OWNER figs ENCODING 'UTF8' (docs/nodes.md). figs-web makes the tables itself.")
	case "42501":
		return cmd.Fail(cmd.Denied, "The role may not make or use tables in "+name+".", "Make it the owner of the database: ALTER DATABASE figs OWNER TO figs, and in PostgreSQL 15 and newer GRANT ALL ON SCHEMA public TO figs (docs/nodes.md).")
	case "53300":
		return cmd.Fail(cmd.Network, "The database "+name+" has no connection left.", "Raise max_connections of the server, or lower --database-connections of every figs-web that uses it.")
	case "53100":
		return cmd.Fail(cmd.General, "The disk of the database "+name+" is full.", "Make room on the database server, then start again. Nothing is lost.")
	case "57P03":
		return cmd.Fail(cmd.Network, "The database "+name+" is starting or stopping.", "Try again in a moment; its log says how far it is.")
	case "25006":
		return cmd.Fail(cmd.Usage, "The database "+name+" is a copy that only reads.", "Name the primary, or all servers and the one that writes: postgres://figs@one,two/figs?target_session_attrs=read-write.")
	case "0A000":
		return cmd.Fail(cmd.Usage, "The database "+name+" lacks something that PostgreSQL has: "+cmd.Clean(said)+".", "If it only speaks PostgreSQL's protocol, try --database-tables-only (docs/nodes.md).")
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
	const reach = "Is the server running, does it listen there, and does no firewall stand between?"
	switch {
	case errors.As(err, &hostname):
		return cmd.Fail(cmd.Network, what+" shows a certificate for another name.", "Name the server as its certificate does.")
	case errors.As(err, &authority), errors.As(err, &certificate):
		return cmd.Fail(cmd.Network, what+" shows a certificate that cannot be trusted here.", "Name the authority's own certificate: sslrootcert=FILE for a database, the variable SSL_CERT_FILE for everything else.")
	case strings.Contains(err.Error(), "server refused TLS"):
		return cmd.Fail(cmd.Network, what+" speaks no TLS.", "Switch TLS on at the server; or, on this machine or in a network that you trust, add ?sslmode=disable to the address.")
	case errors.As(err, &unknown):
		return cmd.Fail(cmd.Network, what+" is not found: no machine has the name "+cmd.Quote(unknown.Name)+".", "Check the spelling of the host.")
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &op) && op.Timeout():
		return cmd.Fail(cmd.TimedOut, what+" did not answer in time.", reach)
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &op):
		return cmd.Fail(cmd.Network, what+" cannot be reached: nobody has made its socket.", "Is the server running? Its setting unix_socket_directories says where its socket is.")
	case errors.As(err, &op), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ECONNRESET):
		return cmd.Fail(cmd.Network, what+" cannot be reached: "+cmd.Clean(cmd.Cause(rootError(err)))+".", reach)
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
