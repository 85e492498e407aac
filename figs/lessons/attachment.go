package lessons

import "github.com/figs-web/figs-web/figs"

// attachmentLessons are about files of artifacts/ (§7).
func attachmentLessons() []Lesson {
	naming := func(name string) []Example {
		return runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "attachments": ["` + name + `"]}`)
	}
	return []Lesson{
		{
			Code: figs.AttachmentNameInvalid, Section: "§5",
			Title:    "An attachment's name is no bare file name",
			Why:      "Attachments lie flat in artifacts/, each under a plain name. A path could lead out of the folder, and some names mean devices on other systems, so nobody opens it.",
			Citation: "attachments are bare file names under artifacts/ (§3); a name with separators, “..”, a drive, control characters or a reserved word is an error (§5).",
			Bad:      naming("../agent.json"),
			Good:     with(naming("report.html"), attached("report.html", 2048)),
		},
		{
			Code: figs.AttachmentTypeUnsupported, Section: "§7",
			Title:    "A file of this type cannot be attached",
			Why:      "Readers show pages, texts and pictures and offer tables and documents for download. Anything else a server refuses, so nobody receives it.",
			Citation: "Anything outside the lists of file types is refused by validation (§7); an extension outside them is an error (§5).",
			Bad:      with(naming("ledger.db"), attached("ledger.db", 2048)),
			Good:     with(naming("ledger.csv"), attached("ledger.csv", 2048)),
		},
		{
			Code: figs.AttachmentTooLarge, Section: "§7",
			Title:    "A file is too large to attach",
			Why:      "A server takes at most 10 MiB a file, so this one stays on the agent's machine. Shorten or split it.",
			Citation: "At most 10 MiB (10,485,760 bytes) each (§7); a larger file is an error (§5).",
			Bad:      with(naming("scan.pdf"), attached("scan.pdf", 10_485_761)),
			Good:     with(naming("scan.pdf"), attached("scan.pdf", 10_485_760)),
		},
		{
			Code: figs.AttachmentMissing, Section: "§5",
			Title: "A file that was named is not here",
			Why:   "The record speaks of it, but artifacts/ does not hold it. That is normal on a fresh clone, because files stay where they were made; elsewhere it was lost.",
			Bad:   naming("report.html"),
			Good:  with(naming("report.html"), attached("report.html", 2048)),
		},
		{
			Code: figs.AttachmentCaseDiffers, Section: "§7",
			Title: "A file's name is spelled differently",
			Why:   "Some systems treat Report.html and report.html as one name, others do not: the file opens on one machine and is missing on the next.",
			Bad:   with(naming("Report.html"), attached("report.html", 2048)),
			Good:  with(naming("report.html"), attached("report.html", 2048)),
		},
		{
			Code: figs.AttachmentUnnamed, Section: "§5",
			Title: "A file is named by no record",
			Why:   "It lies in artifacts/, but no line says what it is or when it was made, so no page leads to it.",
			Bad:   with(runs(okRun), attached("draft.html", 2048)),
			Good:  with(naming("draft.html"), attached("draft.html", 2048)),
		},
	}
}
