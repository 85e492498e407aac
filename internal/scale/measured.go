//go:build unix

package main

import (
	"encoding/json"
	"os"
	"slices"
)

// measured is what was measured of one agent-year. Every figure is that of one agent and one year.
type measured struct {
	Date      string         `json:"date"`
	Version   string         `json:"version"`   // of PostgreSQL
	Agents    int            `json:"agents"`    // that shared the year, so that no figure is that of one ledger alone
	Jobs      float64        `json:"jobs"`      // runs
	RunLines  float64        `json:"runLines"`  // of their trails
	Asks      float64        `json:"asks"`      // raised
	AskLines  float64        `json:"askLines"`  // of their trails
	Replies   float64        `json:"replies"`   // each a decision of a person, made in the reader
	Files     float64        `json:"files"`     // attachments, of which each has a name of its own
	LineBytes float64        `json:"lineBytes"` // of a line of a ledger, on the average
	Pushes    float64        `json:"pushes"`
	WAL       float64        `json:"wal"`       // bytes written ahead for all of it
	PushWAL   float64        `json:"pushWAL"`   // bytes of it for one push of one line, on the average
	PushCPU   float64        `json:"pushCPU"`   // milliseconds of processor time of the database for one
	NodeCPU   float64        `json:"nodeCPU"`   // the same of the program around it, without HTTP
	LedgerCPU float64        `json:"ledgerCPU"` // milliseconds of the program to compare a ledger of a year in which one line is new
	LedgerMB  float64        `json:"ledgerMB"`  // how large that is as a body
	Xids      float64        `json:"xids"`      // numbers of transactions used
	Tables    []tableMeasure `json:"tables"`
}

// tableMeasure is what one table grows by.
type tableMeasure struct {
	Name    string  `json:"name"`
	Rows    float64 `json:"rows"`
	Heap    float64 `json:"heap"` // bytes, with what is kept beside the rows (TOAST)
	Indexes float64 `json:"indexes"`
	Updates float64 `json:"updates"` // of rows
	Hot     float64 `json:"hot"`     // of them, those that touched no index
}

// trail is how many rows trails grow by: the unit of the model.
func (m *measured) trail() float64 { return m.RunLines + m.AskLines }

func (m *measured) bytes() (heap, indexes float64) {
	for _, t := range m.Tables {
		heap += t.Heap
		indexes += t.Indexes
	}
	return heap, indexes
}

func (m *measured) save(name string) error {
	text, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}

// swept is a table whose rows are forgotten after an hour, so that it does not grow with what is written.
const swept = "fates"

func load(name string) (*measured, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	m := &measured{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, err
	}
	m.Tables = slices.DeleteFunc(m.Tables, func(t tableMeasure) bool { return t.Name == swept })
	return m, nil
}
