package folder

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Limits of a zip. Nothing is unpacked to disk, and nothing past them to memory.
const (
	MaxZipBytes   = 4 << 30  // of all entries, unpacked
	MaxZipRatio   = 200      // unpacked to packed, of an entry over ratioFree bytes
	maxDirectory  = 64 << 20 // bytes that the list of entries may take
	ratioFree     = 16 << 20
	maxZipName    = 4096
	maxAsideNames = 100
)

// SkippedFile is an entry of a zip that is not read.
type SkippedFile struct {
	Name string // as the zip has it; untrusted
	Why  string // a sentence
}

// ZipError says why a zip as a whole is refused, and what to do about it.
type ZipError struct{ Message, Hint string }

func (e *ZipError) Error() string { return e.Message }

// OpenZip lists a zip of size bytes as a file system, without unpacking anything yet. Entries
// whose names lead out of it are left out; those that are encrypted, links, or expand
// beyond reason fail when they are opened. Each is set aside with a sentence, at most 100 are
// listed. A zip with two files of one name is refused: programs disagree on which of them they
// unpack, so that people could be shown other bytes than were checked. The error is a *ZipError,
// or r's own.
func OpenZip(r io.ReaderAt, size int64) (fs.FS, []SkippedFile, error) {
	g := &guarded{r: r, left: maxDirectory}
	z, err := zip.NewReader(g, size)
	g.left = -1 // the list is read; entries are guarded one by one
	switch {
	case errors.Is(err, errDirectory):
		return nil, nil, &ZipError{"This zip's list of entries is larger than any real folder's.", "Zip only the .figs folder."}
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, zip.ErrAlgorithm), errors.Is(err, io.EOF):
		return nil, nil, &ZipError{"This file is not a zip, or its end is missing.", "If it was downloaded or copied, do that again; otherwise zip the folder again."}
	case err != nil:
		return nil, nil, err
	case len(z.File) > MaxEntries:
		return nil, nil, &ZipError{"This zip has " + itoa(len(z.File)) + " entries; at most " + itoa(MaxEntries) + " are read.", "Zip only the .figs folder."}
	}
	b := builder{tree: tree{root: &zipDir{name: "."}}, size: size}
	for _, f := range z.File {
		b.add(f)
	}
	if b.twice != "" {
		return nil, nil, &ZipError{"This zip has two files named " + strconv.Quote(b.twice) + ". Programs disagree on which one they unpack.", "Zip the folder again with a common tool. If someone sent it to you, ask for it again."}
	}
	if b.packed > size {
		return nil, nil, &ZipError{"The entries of this zip overlap, which only a zip made to do harm does.", "Zip the folder again with a common tool."}
	}
	if b.unpacked > MaxZipBytes {
		return nil, nil, &ZipError{"This zip unpacks to more than 4 GiB.", "Zip only the .figs folder."}
	}
	b.tree.root.sort()
	return &zipFS{b.tree.root}, b.aside, nil
}

var errDirectory = errors.New("zip directory too large")

// guarded bounds how much is read while left is not negative: the list of entries is read
// into memory as a whole, whatever its header says about its length.
type guarded struct {
	r    io.ReaderAt
	left int64
}

func (g *guarded) ReadAt(p []byte, off int64) (int, error) {
	if g.left >= 0 {
		if g.left -= int64(len(p)); g.left < 0 {
			return 0, errDirectory
		}
	}
	return g.r.ReadAt(p, off)
}

type builder struct {
	tree             tree
	size             int64
	packed, unpacked int64
	aside            []SkippedFile
	asides           int
	twice            string // the first name that two files have
}

// add puts an entry into the tree. One that is refused stands there too, so that a ledger
// which cannot be read is not taken for one that is missing.
func (b *builder) add(f *zip.File) {
	name, why := cleanName(f.Name)
	if why == "" {
		why = b.refuse(f)
		dir := strings.HasSuffix(f.Name, "/") || strings.HasSuffix(f.Name, `\`)
		said, twice := b.tree.put(name, zipFile{f, why}, dir)
		if said != "" {
			why = said
		}
		if twice && b.twice == "" {
			b.twice = name
		}
	}
	if why != "" {
		if b.asides++; b.asides <= maxAsideNames {
			b.aside = append(b.aside, SkippedFile{f.Name, why})
		}
	}
}

// refuse counts an entry and says why it is not to be unpacked; "" when it may be.
func (b *builder) refuse(f *zip.File) string {
	packed, unpacked := int64(f.CompressedSize64), int64(f.UncompressedSize64)
	if packed < 0 || unpacked < 0 || packed > b.size {
		return "Its stated size cannot be true."
	}
	b.packed += packed
	if unpacked > ratioFree && unpacked/MaxZipRatio > packed {
		return "It would unpack to more than " + itoa(MaxZipRatio) + " times its size, as zip bombs do."
	}
	if b.unpacked += unpacked; b.unpacked < 0 {
		b.unpacked = MaxZipBytes + 1
	}
	switch {
	case f.Flags&1 != 0:
		return "It is encrypted; zip the folder without a password."
	case f.Mode()&fs.ModeSymlink != 0:
		return "It is a symbolic link, and links in a zip are not followed."
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return "It is packed by a method that is not read here; zip the folder with an ordinary tool."
	}
	return ""
}

// cleanName returns the path of an entry, or why it has none.
func cleanName(raw string) (name, why string) {
	name = strings.TrimSuffix(strings.ReplaceAll(raw, `\`, "/"), "/")
	switch {
	case len(raw) > maxZipName:
		return "", "Its name is longer than any system's."
	case strings.HasPrefix(name, "/"), len(name) > 1 && name[1] == ':':
		return "", "Its name is an absolute path, which leads out of the zip."
	case strings.ContainsRune(name, 0):
		return "", "Its name contains a NUL byte."
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", `Its name contains "..", which leads out of the zip.`
		}
	}
	if name = path.Clean(name); name == "." || !fs.ValidPath(name) {
		return "", "Its name is not a valid path."
	}
	return name, ""
}
