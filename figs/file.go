package figs

// File is one of the files that the protocol names (§2).
type File uint8

const (
	Runs File = iota
	Asks
	Messages
	AgentJSON
	ConfigJSON
	Contract
	Guide
	NoFile // no file of the protocol; readers ignore it (§1)
)

// Ledgers is how many of the files are ledgers: Runs, Asks and Messages come first.
const Ledgers = 3

var fileNames = [...]string{"runs.jsonl", "asks.jsonl", "messages.jsonl", "agent.json", "config.json", "CONTRACT.md", "GUIDE.md", ""}

// String returns the file's name inside .figs.
//
//go:noinline
func (f File) String() string { return fileNames[f] }

// ParseFile returns the file with that name inside .figs, or NoFile.
func ParseFile(name string) File {
	for i, n := range fileNames {
		if n == name {
			return File(i)
		}
	}
	return NoFile
}

// AttachmentClass says how a reader may show an attachment (§7).
type AttachmentClass uint8

const (
	// Unsupported types are refused by validation and offered as a download.
	Unsupported AttachmentClass = iota
	// Rendered types are shown inline, sandboxed.
	Rendered
	// DownloadOnly types are never shown, in no form.
	DownloadOnly
)

// MaxAttachment is the largest attachment, in bytes (§7).
const MaxAttachment = 10 << 20

// ClassOf returns the class of a file by the extension of its name, ASCII case folded (§7).
func ClassOf(name string) AttachmentClass {
	switch extension(name) {
	case ".html", ".md", ".txt", ".json", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg":
		return Rendered
	case ".csv", ".pdf", ".xlsx", ".xls", ".docx":
		return DownloadOnly
	}
	return Unsupported
}

// extension returns the last dot and what follows in lower case; "" when the dot is first
// or missing.
func extension(name string) string {
	for i := len(name) - 1; i > 0; i-- {
		switch name[i] {
		case '.':
			return lower(name[i:])
		case '/', '\\':
			return ""
		}
	}
	return ""
}
