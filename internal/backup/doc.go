// Package backup copies everything that a hosted reader keeps while it runs, proves a copy, and
// makes a reader of one again.
//
// A backup is a database as of one moment, every attachment that it names, and a manifest that
// lists each file with its size and SHA-256. Attachments never change under their hash, so they may
// be copied after the database. The manifest is written last: what has none is no backup.
//
// It is a folder, which the next backup into it only adds to:
//
//	manifest.json                        the newest one
//	manifest-20261120T180000.000000Z.json, …  each that is kept
//	database/20261120T180000.000000Z.db, …    and its database
//	blobs/4f/4f53…                       attachments of all of them
//
// or a tar with one database, its attachments and manifest.json at the end.
package backup
