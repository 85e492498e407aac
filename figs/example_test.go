package figs_test

import (
	"fmt"
	"os"

	"github.com/figs-web/figs-web/figs"
)

const asks = `{"id":"pay","ts":"2026-05-04T09:00:00Z","type":"sign-off","status":"open","title":"Pay the invoice","onApprove":["Send 240 EUR."],"attachments":["invoice.pdf"]}
{"id":"vendor","ts":"2026-05-04T10:00:00Z","type":"question","status":"opne","title":"Which vendor?"}
`

const messages = `{"id":"m-1","kind":"verdict","ask":"pay","verdict":"approved","by":"Ada","ts":"2026-05-04T11:00:00Z"}
`

// Read a folder from bytes, wherever they come from: tell the state of each ask, and list the problems.
func Example() {
	f := figs.New(figs.Options{Keep: true, Now: "2026-05-05T00:00:00Z"})
	f.Feed(figs.AgentJSON, []byte(`{"name":"Payables"}`))
	f.Feed(figs.Messages, []byte(messages))
	f.Feed(figs.Asks, []byte(asks))
	f.Attach("invoice.pdf", 12_000)
	report := f.Finish()

	for i := range f.Records(figs.Asks) {
		fmt.Println(f.ID(figs.Asks, i)+":", f.State(i).Phase)
	}
	for _, finding := range report.Findings {
		if finding.Severity == figs.Error {
			fmt.Printf("%s:%d:%d: %s\n", finding.File, finding.Line, finding.Column, finding.Code)
		}
	}
	// Output:
	// pay: replied
	// vendor: needs you
	// asks.jsonl:2:71: ask_status_unknown
	// config.json:0:0: agent_id_missing
}

// Later lines with the same id change earlier ones.
func ExampleFold() {
	fold := figs.Fold([][]byte{
		[]byte(`{"id":"close-books","state":"in-flight","title":"Close the books"}`),
		[]byte(`{"id":"close-books","state":"settled","status":"ok"}`),
	})
	run := figs.ReadRun(fold)
	fmt.Println(run.Title, run.Outcome())
	fmt.Printf("%s\n", figs.AppendObject(nil, fold))
	// Output:
	// Close the books ok
	// {"id":"close-books","state":"settled","title":"Close the books","status":"ok"}
}

// Print the records of a ledger as `figs-web fold` does.
func ExampleFolder_AppendFold() {
	f := figs.New(figs.Options{Keep: true})
	f.Feed(figs.Runs, []byte(`{"id":"a","title":"One"}`+"\n"+`{"id":"b","title":"Two"}`+"\n"+`{"id":"a","title":"Three"}`+"\n"))
	f.Finish()
	os.Stdout.Write(f.AppendFold(nil, figs.Runs))
	// Output:
	// {"id":"a","title":"Three"}
	// {"id":"b","title":"Two"}
}

// Go back to an earlier point in time.
func ExampleFolder_At() {
	f := figs.New(figs.Options{History: true})
	f.Feed(figs.Messages, []byte(messages))
	f.Feed(figs.Asks, []byte(asks))
	f.Finish()
	point, _ := f.ParsePoint("2026-05-04T10:30:00Z")
	fmt.Println("then:", f.At(point).State(0).Phase)
	fmt.Println("now:", f.State(0).Phase)
	// Output:
	// then: needs you
	// now: replied
}

// Find lines that were written before and changed since.
func ExampleFolder_CompareWith() {
	read := func(runs string) *figs.Folder {
		f := figs.New(figs.Options{Keep: true})
		f.Feed(figs.Runs, []byte(runs))
		f.Finish()
		return f
	}
	older := read(`{"id":"a","status":"fail"}` + "\n" + `{"id":"b"}` + "\n")
	newer := read(`{"id":"a","status":"ok"}` + "\n" + `{"id":"b"}` + "\n" + `{"id":"c"}` + "\n")

	key := figs.FingerprintKey{1, 2} // any; secret if someone might want to forge a line
	c := newer.CompareWith(older, older.Print(key), newer.Print(key), key)
	for _, change := range c.Ledgers[figs.Runs].Changes {
		was, is := c.Texts(figs.Runs, change)
		fmt.Printf("line %d was %s and is %s\n", change.Old, was, is)
	}
	fmt.Println(c.Ledgers[figs.Runs].Added, "new line")
	// Output:
	// line 1 was {"id":"a","status":"fail"} and is {"id":"a","status":"ok"}
	// 1 new line
}

// Write the reply of a person, as a line of messages.jsonl.
func ExampleVerdict() {
	f := figs.New(figs.Options{Keep: true})
	f.Feed(figs.Asks, []byte(asks))
	f.Finish()
	ask := figs.Fold([][]byte{f.Bytes(figs.Asks, f.Trail(figs.Asks, 0)[0])})
	line, problem := figs.Verdict(ask, figs.ReplyInput{ID: "m-1", By: "Ada", TS: "2026-05-04T11:00:00Z", Verdict: "approved"})
	fmt.Println(problem == figs.ReplyOK)
	fmt.Printf("%s\n", line)
	// Output:
	// true
	// {"id":"m-1","kind":"verdict","ask":"pay","by":"Ada","ts":"2026-05-04T11:00:00Z","source":"app","verdict":"approved"}
}
