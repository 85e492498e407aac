package sqlstore

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

// OpenPostgres opens a database by its connection string, a URL or words.
func OpenPostgres(ctx context.Context, url string, o PostgresOptions) (*Store, error) {
	d := postgres{tablesOnly: o.TablesOnly}
	all, err := steps(migrations, d)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	return openPostgresAt(ctx, url, o, all)
}

// openPostgresAt opens a database as a program does that knows these steps.
func openPostgresAt(ctx context.Context, url string, o PostgresOptions, all []migration) (*Store, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: opening PostgreSQL: %w", err)
	}
	supply(config)
	s := &Store{config: config, patience: usualPatience, dialect: postgres{tablesOnly: o.TablesOnly}}
	s.snapshot = s.snapshotPostgres
	s.write = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(guard))
	s.read = s.write
	most := o.Connections
	if most == 0 {
		most = 10
	}
	most = max(most, 2)
	s.write.SetMaxOpenConns(most)
	s.write.SetMaxIdleConns(most)
	// Connections are made anew now and then, so that after a failover or behind a balancer none
	// stays with the wrong server for ever.
	s.write.SetConnMaxLifetime(30 * time.Minute)
	s.write.SetConnMaxIdleTime(5 * time.Minute)
	if err := s.run(ctx, all); err != nil {
		s.write.Close()
		return nil, fmt.Errorf("sqlstore: PostgreSQL: %w", err)
	}
	return s.ready(ctx, "PostgreSQL")
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

// guard sets them. Engines that know one of them not are used without it.
func guard(ctx context.Context, c *pgx.Conn) error {
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
func (s *Store) hints() bool {
	d, ok := s.dialect.(postgres)
	return ok && !d.tablesOnly
}
