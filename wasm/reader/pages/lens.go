package pages

import (
	"encoding/json"

	"github.com/figs-web/figs-web/components/agentpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/hiddentext"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// HiddenTextRequest is what the lens is asked for, beside the fields of Request.
type HiddenTextRequest struct {
	Request
	Line  int                      // lines of a ledger that came before the payload
	Found *viewer.HiddenTextReport // to be shown
}

// lensHead is the first line of its answers.
type lensHead struct {
	Status  int             `json:"status"`
	Reading *report.Reading `json:"reading,omitempty"`
	Lines   int             `json:"lines,omitempty"` // of a ledger, with those before
}

// lensed looks through the payload: an attachment ("file"), whole lines of a ledger ("lines"), or a small file
// of the agent ("small"); or it writes what was found: on the page of the lens ("page"), or on an ask's
// ("notice").
func lensed(line, payload []byte) []byte {
	var r HiddenTextRequest
	if err := json.Unmarshal(line, &r); err != nil {
		return answer(head{Error: "the request is not a line of JSON"}, nil)
	}
	h := lensHead{Status: statusOK}
	var content []byte
	var err error
	site := ui.Site{Links: ui.Fragment{}, Offline: true}
	switch r.Step {
	case "file":
		h.Reading = sandbox.Read(r.Name, payload, report.Offline())
	case "lines":
		l := hiddentext.NewLedger(figs.ParseFile(r.Name), r.Line)
		l.Write(payload)
		h.Reading, h.Lines = l.End(), l.Lines()
	case "small":
		h.Reading = hiddentext.Small(figs.ParseFile(r.Name), payload)
	case "page", "notice":
		if r.Found == nil {
			return answer(head{Error: "there is nothing to show"}, nil)
		}
		if r.Step == "page" {
			content, err = agentpages.RenderHiddenText(r.spoken(), site, r.Agent, r.Found)
		} else {
			content, err = agentpages.RenderHiddenTextNotice(r.spoken(), site, r.Path, r.Found)
		}
	default:
		return answer(head{Error: "the lens has no such step"}, nil)
	}
	if err != nil {
		return answer(head{Error: err.Error()}, nil)
	}
	first, err := json.Marshal(h)
	if err != nil {
		return answer(head{Error: err.Error()}, nil)
	}
	return append(append(first, '\n'), content...)
}
