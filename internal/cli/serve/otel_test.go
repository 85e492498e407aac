//go:build otel

package serve

import (
	"errors"
	"net/http/httptest"
	"testing"

	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// A request is a span under the id that the log has, and its transactions are spans within it.
func TestSpans(t *testing.T) {
	const id, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	kept := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(kept), sdk.WithIDGenerator(ids{}))
	s := newSpans(provider, &cmd.Data{})
	for _, trace := range []handlers.Trace{{ID: id, Parent: parent, Sampled: true}, {ID: id}} {
		kept.Reset()
		r := httptest.NewRequest("GET", "/w/secret", nil)
		ctx, ended := s.Begin(r.Context(), r, trace)
		s.transaction(ctx)(errors.New("secret"))
		ended(&handlers.Event{Method: "GET", Route: "/w/:workspace", Status: 503, Err: errors.New("secret")})
		s.transaction(t.Context())(nil) // of no request
		spans := kept.GetSpans()
		if len(spans) != 2 {
			t.Fatalf("%d spans, want the request and its transaction", len(spans))
		}
		inner, outer := spans[0], spans[1]
		if outer.Name != "GET /w/:workspace" || outer.SpanContext.TraceID().String() != id || outer.Status.Code != codes.Error || outer.Status.Description != "" {
			t.Errorf("the request is %q in trace %s, %+v", outer.Name, outer.SpanContext.TraceID(), outer.Status)
		}
		if inner.Parent.SpanID() != outer.SpanContext.SpanID() || inner.SpanContext.TraceID().String() != id || inner.Status.Code != codes.Error {
			t.Errorf("the transaction is %+v", inner)
		}
		if trace.Parent != "" && outer.Parent.SpanID().String() != trace.Parent {
			t.Errorf("the request's parent is %s, want %s", outer.Parent.SpanID(), trace.Parent)
		}
	}
}
