package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/migrate"
	"github.com/figs-web/figs-web/internal/store"
)

type migrateCommand struct {
	From               string `required:"" secret:"address" placeholder:"WHERE" help:"What is moved: a folder as --data names it, sqlite://FILE, or postgres://USER@HOST/DATABASE. It stays as it is."`
	To                 string `secret:"address" placeholder:"WHERE" help:"Where to, written in the same way: something that is missing or empty. Without it only attachments move."`
	BlobsFrom          string `secret:"address" placeholder:"URL|DIR" help:"Where the attachments are. Default: blobs in the folder of --from."`
	BlobsTo            string `secret:"address" placeholder:"URL|DIR" help:"Where attachments are to be: s3://BUCKET?endpoint=https://HOST, or a folder. Default: blobs in the folder of --to; else they stay."`
	DatabaseTablesOnly bool   `help:"A postgres:// that is named here speaks PostgreSQL's protocol and has neither advisory locks nor LISTEN and NOTIFY."`
	Again              bool   `help:"Remove from the target what a broken-off copy has brought, and begin anew."`
	WhileRunning       bool   `help:"Copy one moment of a source on which servers go on working. What they are told afterwards is not in the copy."`
	JSON               bool   `help:"Print one JSON object."`
}

// Help is what `migrate --help` adds.
func (migrateCommand) Help() string {
	return `Moves everything of a hosted reader from SQLite to PostgreSQL or back, and attachments from a folder to a bucket or back. The source is only read. Stop its servers first: then nothing that anybody sends is left behind.

Until everything has arrived and was read back, no server starts on the target. What was broken off, by ^C or a loss of power, goes on where it was when the same command is given again.

Examples:

  figs-web migrate --from figs-data --to postgres://figs@db.example.com/figs --blobs-to 's3://figs?endpoint=https://s3.example.com'
  figs-web migrate --from postgres://figs@db.example.com/figs --blobs-from 's3://figs?endpoint=https://s3.example.com' --to figs-data
  figs-web migrate --from figs-data --blobs-to 's3://figs?endpoint=https://s3.example.com'

It exits 1 when attachments were damaged or lost in the source: everything else is moved.
`
}

// moving is a call of migrate that was read.
type moving struct {
	from, to Where
	records  bool // the database moves
	blobs    bool // attachments move
	left     bool // attachments of a folder stay there
	ends     []func() error
}

// Run moves.
func (c migrateCommand) Run(a *app) error {
	m, err := c.read()
	if err != nil {
		return err
	}
	defer m.close()
	release, err := m.lock(c.WhileRunning)
	if err != nil {
		return err
	}
	defer release()
	o := migrate.Options{Again: c.Again, Running: c.WhileRunning}
	if err := m.open(a, &o); err != nil {
		return stoppedOr(a.ctx, err)
	}
	bar := a.progress("Moving " + clean(m.from.Name()))
	o.Progress = bar.moving
	moved, err := migrate.Run(a.ctx, o)
	bar.stop()
	if err != nil {
		return stoppedOr(a.ctx, m.failure(err))
	}
	if err := m.print(a, c.JSON, moved); err != nil {
		return err
	}
	return missingFailure(moved.Missing)
}

// moving shows how far a move is.
func (p *progress) moving(s migrate.Stage, done, total int64) {
	p.turn([]string{"Copying rows", "Bringing attachments", "Proving the copy"}[s], s == migrate.Rows)
	p.set(done, total)
}

// read says what is moved, and refuses what could not be meant.
func (c migrateCommand) read() (*moving, error) {
	m := &moving{records: c.To != ""}
	var err error
	if m.from, err = c.side("--from", c.From, "--blobs-from", c.BlobsFrom); err != nil {
		return nil, err
	}
	has := c.BlobsFrom != "" || m.from.Dir != ""
	wants := c.BlobsTo != ""
	if m.records {
		if m.to, err = c.side("--to", c.To, "--blobs-to", c.BlobsTo); err != nil {
			return nil, err
		}
		wants = wants || m.to.Dir != ""
		if samePlace(m.from, m.to) {
			return nil, fail(usage, "--from and --to are the same database.", "Leave --to out to move attachments alone.")
		}
	} else {
		m.to = Where{Blobs: c.BlobsTo}
		if err := renamed(m.to.checkBlobs(), "--blobs", "--blobs-to"); err != nil {
			return nil, err
		}
	}
	switch {
	case !m.records && !wants:
		return nil, fail(usage, "Say where to.", "Name a database with --to, a place for attachments with --blobs-to, or both.")
	case c.BlobsFrom != "" && !wants:
		return nil, fail(usage, "--blobs-from says where attachments are, and nothing says where they are to be.", "Name a bucket or a folder with --blobs-to, or leave --blobs-from out.")
	case wants && !has && c.BlobsTo == "":
		return nil, fail(usage, "Nothing says where the attachments are that belong into "+quote(m.to.Folder())+".", "Name the bucket or the folder with --blobs-from; or move the database alone: --to sqlite://"+filepath.Join(c.To, "figs.db")+".")
	case wants && !has:
		return nil, fail(usage, "--blobs-to says where attachments are to be, and nothing says where they are.", "Name the bucket or the folder with --blobs-from.")
	}
	m.blobs, m.left = wants, has && !wants
	return m, nil
}

// side reads one side of the command.
func (c migrateCommand) side(flag, where, blobsFlag, blobs string) (Where, error) {
	w := Where{Dir: where, Blobs: blobs}
	if scheme.MatchString(where) && strings.Contains(where, "://") {
		w.Dir, w.Database = "", where
	}
	if err := renamed(w.checkDatabase(), "--database", flag); err != nil {
		return w, err
	}
	w.TablesOnly = c.DatabaseTablesOnly && w.Postgres()
	return w, renamed(w.checkBlobs(), "--blobs", blobsFlag)
}

// renamed has a failure name the flag of this command.
func renamed(err error, other, flag string) error {
	if f, ok := err.(*failure); ok {
		f.message, f.hint = strings.ReplaceAll(f.message, other, flag), strings.ReplaceAll(f.hint, other+" ", flag+" ")
	}
	return err
}

func samePlace(x, y Where) bool {
	if x.Postgres() || y.Postgres() {
		return x.Database == y.Database
	}
	one, err := filepath.Abs(x.File())
	other, also := filepath.Abs(y.File())
	return err == nil && also == nil && one == other
}

// lock makes sure that no server works on a file of SQLite, from which or to which rows are copied.
func (m *moving) lock(running bool) (release func(), err error) {
	var held []func() error
	release = func() {
		for _, end := range held {
			end()
		}
	}
	take := func(w Where, make bool) error {
		file := w.File()
		if file == "" {
			return nil
		}
		if w.Dir != "" {
			if err = checkFolder(w.Dir, make); err == nil && make {
				err = readersFolder(w.Dir)
			}
		} else {
			err = w.checkFile(make)
		}
		if err != nil || running && !make {
			return err
		}
		end, err := lockServer(filepath.Dir(file))
		if err == nil {
			held = append(held, end)
			return nil
		}
		if f, ok := err.(*failure); ok && f.kind == general && strings.HasPrefix(f.message, "Another server") {
			f.message = "A server runs over " + quote(filepath.Dir(file)) + "."
			f.hint = "Stop it, so that nothing that it is told is left behind, and start it on the target when everything is moved. To try it out beside the server: --while-running."
			if make {
				f.hint = "Stop it: it would write between what is copied. Or name another target."
			}
		}
		return err
	}
	if m.records {
		if err := take(m.to, true); err != nil {
			return release, err
		}
	}
	if err := take(m.from, false); err != nil {
		release()
		return func() {}, err
	}
	return release, nil
}

// readersFolder refuses a folder in which something else is than a reader keeps.
func readersFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return dataFailure(err, dir)
	}
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, "figs.db") && !slices.Contains([]string{"blobs", "tmp", lockName, "lost+found"}, name) {
			return fail(taken, quote(dir)+" holds something else already: "+quote(name)+".", "Name a folder that is missing or empty.")
		}
	}
	return nil
}

// open opens what is moved, and where to.
func (m *moving) open(a *app, o *migrate.Options) error {
	var err error
	if o.From, err = m.openStore(a, m.from, !o.Running); err != nil {
		return err
	}
	if m.records {
		m.to.Unfinished = true
		if o.To, err = m.openStore(a, m.to, true); err != nil {
			return err
		}
	}
	if !m.blobs {
		return nil
	}
	if o.FromBlobs, err = m.openBlobs(a, m.from); err != nil {
		return err
	}
	o.ToBlobs, err = m.openBlobs(a, m.to)
	return err
}

// openStore opens a database on which no server works, unless alone is false.
func (m *moving) openStore(a *app, w Where, alone bool) (store.Store, error) {
	s, err := a.OpenStore(a.ctx, w.byName(store.CopierName))
	if err != nil {
		return nil, whereFailure(err, w)
	}
	m.ends = append(m.ends, s.Close)
	if c, ok := s.(store.Copier); ok && alone {
		if n, err := c.Others(a.ctx); err == nil && n > 0 {
			return nil, fail(general, fmt.Sprintf("Servers work on %s: they have %s to it.", quote(w.Name()), plural(n, "connection")),
				"Stop them, so that nothing that they are told is left behind. To try it out beside those of the source: figs-web migrate --while-running.")
		}
	}
	return s, nil
}

// byName has a PostgreSQL know its connections by a name, where the address gives them none.
func (w Where) byName(name string) Where {
	if w.Postgres() && !strings.Contains(w.Database, "application_name=") {
		mark := "?"
		if strings.Contains(w.Database, "?") {
			mark = "&"
		}
		w.Database += mark + "application_name=" + name
	}
	return w
}

func (m *moving) openBlobs(a *app, w Where) (blob.Store, error) {
	blobs, end, err := a.OpenBlobs(a.ctx, w)
	if err != nil {
		return nil, whereFailure(err, w)
	}
	m.ends = append(m.ends, end)
	return blobs, nil
}

func (m *moving) close() {
	for _, end := range m.ends {
		end()
	}
}

// movedJSON is what was moved, for programs.
type movedJSON struct {
	From        string          `json:"from"`
	To          string          `json:"to,omitempty"`
	Rows        int64           `json:"rows"`
	Written     int64           `json:"written"`
	Tables      []movedTable    `json:"tables,omitempty"`
	State       string          `json:"state,omitempty"`
	Audit       []migrate.Chain `json:"audit,omitempty"`
	Attachments int             `json:"attachments"`
	New         int             `json:"new"`
	Bytes       int64           `json:"bytes"`
	Missing     []string        `json:"missing,omitempty"`
	Unremoved   []string        `json:"unremoved,omitempty"` // were to be removed for good, and are still where attachments moved from
	Followed    bool            `json:"followed,omitempty"`  // the source has more meanwhile
}

type movedTable struct {
	Name   string `json:"name"`
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"`
}

func (m *moving) print(a *app, json bool, moved *migrate.Moved) error {
	rows := int64(0)
	tables := make([]movedTable, len(moved.Tables))
	for i, t := range moved.Tables {
		rows += t.Rows
		tables[i] = movedTable{t.Name, t.Rows, t.SHA256}
	}
	if a.agent || json {
		object := movedJSON{From: m.from.Name(), Rows: rows, Written: moved.Went, Tables: tables, State: moved.State, Audit: moved.Audit,
			Attachments: moved.Blobs, New: moved.New, Bytes: moved.Bytes, Missing: moved.Missing, Unremoved: moved.Unremoved, Followed: moved.Followed}
		if m.records {
			object.To = m.to.Name()
		}
		return writeJSON(a.Stdout, object)
	}
	var b strings.Builder
	if m.records {
		fmt.Fprintf(&b, "Moved %s to %s:\n", clean(m.from.Name()), clean(m.to.Name()))
		fmt.Fprintf(&b, "  %s in %s, each read back and the same (%d written now)\n", plural(int(rows), "row"), plural(len(tables), "table"), moved.Went)
		fmt.Fprintf(&b, "  the state hash is %s\n", moved.State)
		sayAudit(&b, moved.Audit)
	}
	if m.blobs {
		fmt.Fprintf(&b, "  %s, %s, read back and whole (%d written now)\n", plural(moved.Blobs, "attachment"), sized(moved.Bytes), moved.New)
	}
	if m.left {
		fmt.Fprintf(&b, "Attachments stay in %s: serve with --blobs %s, or move them with --blobs-to.\n", clean(m.from.Folder()), shellWord(m.from.Folder()))
	}
	if moved.Followed {
		b.WriteString("The source was written to meanwhile: what came after the beginning is not in the copy.\n")
	}
	writeUnremoved(&b, clean(m.from.Folder()), moved.Unremoved)
	b.WriteString("The source is as it was. Keep it until you have looked at the target.\n")
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

// writeUnremoved names the files that someone has to delete where attachments moved from.
func writeUnremoved(b *strings.Builder, from string, hashes []string) {
	if len(hashes) == 0 {
		return
	}
	const most = 20
	fmt.Fprintf(b, "%s still holds %s that should have been removed for good. migrate deletes nothing there: delete them yourself, by SHA-256:\n", from, plural(len(hashes), "file"))
	for _, hash := range hashes[:min(len(hashes), most)] {
		fmt.Fprintf(b, "  %s\n", hash)
	}
	if more := len(hashes) - most; more > 0 {
		fmt.Fprintf(b, "  and %d more: --json lists all\n", more)
	}
}

func sayAudit(b *strings.Builder, audit []migrate.Chain) {
	rows, broken := int64(0), 0
	for _, chain := range audit {
		if rows += chain.Rows; chain.Broken != 0 {
			broken++
		}
	}
	fmt.Fprintf(b, "  the audit is unbroken: %s, %s\n", plural(len(audit)-broken, "chain"), plural(int(rows), "row"))
	if broken > 0 {
		fmt.Fprintf(b, "  %s broken in the source already: figs-web admin audit verify names the row\n", plural(broken, "chain")+" "+was(broken))
	}
}
