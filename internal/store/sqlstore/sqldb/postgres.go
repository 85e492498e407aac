package sqldb

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// PostgresOptions say how a PostgreSQL is used.
type PostgresOptions struct {
	// TablesOnly uses neither advisory locks nor LISTEN and NOTIFY: what engines that speak the
	// protocol all have.
	TablesOnly bool
	// Connections is how many there are at most at once; 0 is 10, and fewer than 2 are 2.
	Connections int
}

// OpenPostgres opens a database by its connection string, a URL or words, with the newest schema.
func OpenPostgres(ctx context.Context, url string, o PostgresOptions) (*DB, error) {
	all, err := MigrationSteps(Migrations, PostgreSQL{tablesOnly: o.TablesOnly})
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	return OpenPostgresAt(ctx, url, o, all)
}

// OpenPostgresAt opens a database as a program does that knows these steps.
func OpenPostgresAt(ctx context.Context, url string, o PostgresOptions, all []Migration) (*DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: opening PostgreSQL: %w", err)
	}
	supply(config)
	db := &DB{Config: config, Patience: usualPatience, Dialect: PostgreSQL{tablesOnly: o.TablesOnly}}
	db.Write = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(Guard))
	db.Read = db.Write
	most := o.Connections
	if most == 0 {
		most = 10
	}
	most = max(most, 2)
	db.Write.SetMaxOpenConns(most)
	db.Write.SetMaxIdleConns(most)
	// Connections are made anew now and then, so that after a failover or behind a balancer none
	// stays with the wrong server for ever.
	db.Write.SetConnMaxLifetime(30 * time.Minute)
	db.Write.SetConnMaxIdleTime(5 * time.Minute)
	if err := db.Run(ctx, all); err != nil {
		db.Write.Close()
		return nil, fmt.Errorf("sqlstore: PostgreSQL: %w", err)
	}
	return db, nil
}

// supply sets what the connection string leaves open.
func supply(c *pgx.ConnConfig) {
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = 5 * time.Second
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "figs-web"
	}
	// A server that vanished without a word is noticed within half a minute.
	alive := net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}
	c.DialFunc = (&net.Dialer{KeepAliveConfig: alive}).DialContext
}

// settings are those of each connection, where the connection string says nothing else.
var settings = [][2]string{
	// The server ends what this program has left behind: a transaction that stands still would keep its locks from all others, and none
	// of ours waits for anything but the server.
	{"idle_in_transaction_session_timeout", "5s"},
	{"tcp_keepalives_idle", "15"}, {"tcp_keepalives_interval", "5"}, {"tcp_keepalives_count", "3"}, {"tcp_user_timeout", "15000"},
	// What people wait for is short: to start workers or to compile takes longer. What is long runs beside others.
	{"max_parallel_workers_per_gather", "0"}, {"jit", "off"},
}

// Guard sets them. Engines that know one of them not are used without it.
func Guard(ctx context.Context, c *pgx.Conn) error {
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

// hints reports whether the database tells of changes.
func (db *DB) hints() bool {
	d, ok := db.Dialect.(PostgreSQL)
	return ok && !d.tablesOnly
}
