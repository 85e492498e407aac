//go:build unix

package main

// assumptions are what nobody measured: the model's size, and how things are built where it runs. Each is a row of
// docs/scale.md, and the first four are flags.
type assumptions struct {
	Agents    int
	Rows      float64 // of all trails, of one year
	Disk      float64 // bytes of a database's disk
	FileBytes float64 // of an attachment, on the average; the samples' are toys

	Fill     float64 // how full a disk may be: vacuum, new indexes and a day without care need the rest
	Cores    float64 // of a database's machine
	Memory   float64 // bytes of a database's machine
	Busy     float64 // how busy cores may be at the peak
	Standbys float64 // copies of each database
	Peak     float64 // pushes in the busiest second against the average second: a working day of one region
	Commit   float64 // milliseconds of a commit on such a disk: changes of one workspace wait for each other's
	Hot      float64 // part of tables and indexes that is in use and should be in memory

	TeamMedian float64 // agents of a workspace: half have fewer
	TeamSpread float64 // of the logarithm of that
	TeamMost   int

	Prices prices
}

// prices are in units of the model: 1 is one core for a month. They are ratios that were usual in November 2026, and
// nobody's list.
type prices struct {
	Core, Memory, Disk, Object, Requests, Egress float64 // a month: a core, a GB, a GB, a GB; a million requests; a GB that leaves
}

var assumed = assumptions{
	Agents: 1_000_000, Rows: 1e10, Disk: 4e12, FileBytes: 40_000,
	Fill: 0.6, Cores: 16, Memory: 128e9, Busy: 0.5, Standbys: 1, Peak: 8, Commit: 2, Hot: 0.05,
	TeamMedian: 12, TeamSpread: 1.6, TeamMost: 20_000,
	Prices: prices{Core: 1, Memory: 0.13, Disk: 0.004, Object: 0.0008, Requests: 0.02, Egress: 0.003},
}
