//go:build otel

package serve

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

func init() { traced = exportTraces }

// exportTraces sends spans where the variables OTEL_… say: OTEL_EXPORTER_OTLP_ENDPOINT,
// OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME and their neighbours. OTEL_SDK_DISABLED=true and
// OTEL_TRACES_EXPORTER=none send nothing.
func exportTraces(a *cmd.App, data *cmd.Data) (handlers.Tracer, func(), error) {
	if w := world(a); w.Getenv != nil && (w.Getenv("OTEL_SDK_DISABLED") == "true" || w.Getenv("OTEL_TRACES_EXPORTER") == "none") {
		return nil, func() {}, nil
	}
	exporter, err := otlptracehttp.New(a.Ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("exporting traces: %w", err)
	}
	about, err := resource.New(a.Ctx, resource.WithTelemetrySDK(), resource.WithAttributes(attribute.String("service.name", "figs-web"), attribute.String("service.version", a.Version)), resource.WithFromEnv())
	if err != nil {
		return nil, nil, fmt.Errorf("exporting traces: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about), sdk.WithIDGenerator(ids{}))
	return newSpans(provider, data), func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(a.Ctx), 5*time.Second)
		defer cancel()
		_ = provider.Shutdown(ctx) // who collects may be gone, which is no failure of the server
	}, nil
}

// spans makes a span of each request, and of each transaction that writes within one.
type spans struct{ tracer trace.Tracer }

func newSpans(provider trace.TracerProvider, data *cmd.Data) *spans {
	s := &spans{provider.Tracer("github.com/figs-web/figs-web")}
	if store, ok := data.Store.(interface {
		Trace(begun func(context.Context) func(error))
	}); ok {
		store.Trace(s.transaction)
	}
	return s
}

// minted is where ids finds the trace id that the log has.
type minted struct{}

// Begin implements handlers.Tracer.
func (s *spans) Begin(ctx context.Context, r *http.Request, t handlers.Trace) (context.Context, func(*handlers.Event)) {
	id, _ := trace.TraceIDFromHex(t.ID)
	if parent, err := trace.SpanIDFromHex(t.Parent); err == nil {
		flags := trace.TraceFlags(0).WithSampled(t.Sampled)
		ctx = trace.ContextWithRemoteSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: parent, TraceFlags: flags, Remote: true}))
	} else {
		ctx = context.WithValue(ctx, minted{}, id)
	}
	ctx, span := s.tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer))
	return ctx, func(e *handlers.Event) {
		route := e.Route
		if route == "" {
			route = "none"
		}
		span.SetName(e.Method + " " + route)
		span.SetAttributes(attribute.String("http.request.method", e.Method), attribute.String("http.route", route), attribute.Int("http.response.status_code", e.Status))
		if e.Status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "") // what went wrong is in the log: it may hold anything
		}
		span.End()
	}
}

// transaction makes a span of one, where it belongs to a request.
func (s *spans) transaction(ctx context.Context) func(error) {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return func(error) {}
	}
	_, span := s.tracer.Start(ctx, "store transaction", trace.WithSpanKind(trace.SpanKindInternal))
	return func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// ids gives a trace that begins here the id that the log has.
type ids struct{}

// NewIDs implements sdk.IDGenerator.
func (ids) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	id, ok := ctx.Value(minted{}).(trace.TraceID)
	if !ok || !id.IsValid() {
		id = newTraceID()
	}
	return id, ids{}.NewSpanID(ctx, id)
}

// NewSpanID implements sdk.IDGenerator.
func (ids) NewSpanID(context.Context, trace.TraceID) (id trace.SpanID) {
	rand.Read(id[:]) // never fails: it ends the program instead
	id[0] |= 1       // nor is it ever nothing but zeros
	return id
}

func newTraceID() (id trace.TraceID) {
	rand.Read(id[:])
	id[0] |= 1
	return id
}
