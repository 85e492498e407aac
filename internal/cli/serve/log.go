package serve

import (
	"context"
	"log/slog"
	"time"

	"github.com/figs-web/figs-web/components/words"
	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/config"
)

// logger writes a hosted reader's log to stderr; in machine mode, where nothing else is said, its lines
// are the events that follow the address on stdout.
func logger(a *cmd.App, format string) (*slog.Logger, error) {
	switch {
	case format == "" && a.Agent:
		return slog.New(slog.NewJSONHandler(a.Stdout, &slog.HandlerOptions{ReplaceAttr: asEvent})), nil
	case format == "json":
		return slog.New(slog.NewJSONHandler(a.Stderr, &slog.HandlerOptions{ReplaceAttr: hushed})), nil
	case format == "text", format == "":
		return slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{ReplaceAttr: hushed})), nil
	}
	return nil, cmd.Fail(cmd.Usage, cmd.Quote(format)+" is not a log format.", "Use --log text or --log json.")
}

// asEvent calls a line of the log what programs call it that read events.
func asEvent(groups []string, attr slog.Attr) slog.Attr {
	if len(groups) == 0 && attr.Key == slog.MessageKey {
		attr.Key = "event"
	}
	return hushed(groups, attr)
}

// hushed takes passwords out of addresses that errors may name.
func hushed(_ []string, attr slog.Attr) slog.Attr {
	switch v := attr.Value.Any().(type) {
	case string:
		attr.Value = slog.StringValue(config.MaskSecrets(v))
	case error:
		attr.Value = slog.StringValue(config.MaskSecrets(v.Error()))
	}
	return attr
}

// logGuesses writes a line of secrets that were given wrongly, for whoever looks after the server and
// for programs that shut such addresses out.
func logGuesses(log *slog.Logger) func(handlers.Guess) {
	return func(g handlers.Guess) {
		outcome, from := "wrong", g.From
		if g.Blocked {
			outcome = "blocked"
		}
		if from == "" {
			from = "many"
		}
		log.LogAttrs(context.Background(), slog.LevelWarn, "guess", slog.String("what", g.What), slog.String("outcome", outcome), slog.String("from", from), slog.Int("times", g.Times))
	}
}

// logEvents writes one line a request. Probes that found all well are left out: they come every
// few seconds, for ever.
func logEvents(log *slog.Logger) func(handlers.Event) {
	return func(e handlers.Event) {
		if e.Status == 200 && (e.Route == "/healthz" || e.Route == "/readyz") {
			return
		}
		attrs := []slog.Attr{
			slog.String("method", e.Method), slog.String("route", e.Route), slog.Int("status", e.Status),
			slog.Float64("ms", float64(e.Duration.Round(10*time.Microsecond))/1e6), slog.Int64("bytes", e.Bytes), slog.String("from", e.Address),
		}
		for _, known := range []struct{ name, id string }{{"user", e.Person}, {"workspace", e.Workspace}, {"agent", e.Agent}, {"trace_id", e.Trace}} {
			if known.id != "" {
				attrs = append(attrs, slog.String(known.name, known.id))
			}
		}
		level := slog.LevelInfo
		if e.Err != nil {
			level = slog.LevelError
			attrs = append(attrs, slog.String("error", e.Err.Error()))
		}
		log.LogAttrs(context.Background(), level, "request", attrs...)
	}
}

// logTranslations says in one line for each language that some of its sentences stay English.
func logTranslations(log *slog.Logger, problems []words.Problem) {
	for _, p := range problems {
		log.Warn("some translations can't be used, those sentences stay English", "language", p.Code, "entries", p.Entries, "first", p.First)
	}
}
