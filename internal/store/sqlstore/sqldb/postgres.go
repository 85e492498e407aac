package sqldb

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// PostgresOptions are options for PostgreSQL.
type PostgresOptions struct {
	// TablesOnly avoids advisory locks, LISTEN and NOTIFY, which some databases that speak PostgreSQL's protocol lack.
	TablesOnly bool
	// Connections is the maximum number of connections; 0 for 10, at least 2.
	Connections int
}

// OpenPostgres connects to the database, given by a URL or a connection string, and migrates it to the newest schema.
func OpenPostgres(ctx context.Context, url string, o PostgresOptions) (*DB, error) {
	all, err := MigrationSteps(Migrations, PostgreSQL{tablesOnly: o.TablesOnly})
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	return OpenPostgresWithSteps(ctx, url, o, all)
}

// OpenPostgresWithSteps is OpenPostgres for a program that only knows the given steps.
func OpenPostgresWithSteps(ctx context.Context, url string, o PostgresOptions, all []Migration) (*DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: opening PostgreSQL: %w", err)
	}
	setDefaults(config)
	db := &DB{Config: config, RetryTimeout: defaultRetryTimeout, Dialect: PostgreSQL{tablesOnly: o.TablesOnly}}
	db.Write = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(ApplySettings))
	db.Read = db.Write
	most := o.Connections
	if most == 0 {
		most = 10
	}
	most = max(most, 2)
	db.Write.SetMaxOpenConns(most)
	db.Write.SetMaxIdleConns(most)
	// Connections are renewed, so that after a failover or behind a balancer none stays with the wrong server.
	db.Write.SetConnMaxLifetime(30 * time.Minute)
	db.Write.SetConnMaxIdleTime(5 * time.Minute)
	if err := db.ApplySteps(ctx, all); err != nil {
		db.Write.Close()
		return nil, fmt.Errorf("sqlstore: PostgreSQL: %w", err)
	}
	return db, nil
}

// setDefaults sets parameters that the connection string doesn't set.
func setDefaults(c *pgx.ConnConfig) {
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = 5 * time.Second
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "figs-web"
	}
	// Notice within half a minute if the server disappears.
	alive := net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}
	c.DialFunc = (&net.Dialer{KeepAliveConfig: alive}).DialContext
}

// settings are set on each connection unless the connection string sets them.
var settings = [][2]string{
	// The server ends a transaction that this program has abandoned, which would keep its locks. Our transactions never
	// wait for anything but the server.
	{"idle_in_transaction_session_timeout", "5s"},
	{"tcp_keepalives_idle", "15"}, {"tcp_keepalives_interval", "5"}, {"tcp_keepalives_count", "3"}, {"tcp_user_timeout", "15000"},
	// Our queries are short; starting workers or compiling takes longer than they do. Long ones run beside others.
	{"max_parallel_workers_per_gather", "0"}, {"jit", "off"},
}

// ApplySettings applies the settings. It skips those that the database doesn't know.
func ApplySettings(ctx context.Context, c *pgx.Conn) error {
	for _, setting := range settings {
		if c.Config().RuntimeParams[setting[0]] != "" {
			continue
		}
		if _, err := c.PgConn().Exec(ctx, "SET "+setting[0]+" = '"+setting[1]+"'").ReadAll(); err != nil && c.IsClosed() {
			return err
		}
	}
	return nil
}

// hasNotify reports whether the database supports LISTEN and NOTIFY.
func (db *DB) hasNotify() bool {
	d, ok := db.Dialect.(PostgreSQL)
	return ok && !d.tablesOnly
}
