package check

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
)

// repository runs git in a folder, and only commands that change nothing.
type repository struct {
	ctx context.Context
	dir string
}

// command is a call of git. A file system monitor that the repository names isn't started. Content filters of its
// configuration are, as git status starts them: git itself refuses repositories of other owners.
func (g repository) command(args ...string) *exec.Cmd {
	c := exec.CommandContext(g.ctx, "git", append([]string{"-C", g.dir, "--no-optional-locks", "-c", "core.fsmonitor=false"}, args...)...)
	c.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	return c
}

// run returns what git prints, without the line feed at its end.
func (g repository) run(args ...string) (string, error) {
	out, err := g.command(args...).Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		said, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		return "", fmt.Errorf("git %s: %s", args[0], strings.TrimSuffix(strings.TrimPrefix(said, "fatal: "), "."))
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// short is a revision in a sentence: a commit by its first twelve digits.
func short(rev string) string {
	if len(rev) == 40 && strings.Trim(rev, "0123456789abcdef") == "" {
		rev = rev[:12]
	}
	return cmd.Clean(rev)
}

// find finds the revision's commit. It returns a sentence that says why there is none to compare with.
func (b *baseline) find(g repository) string {
	if strings.Trim(b.rev, "0") == "" {
		return "There is no base commit, as for a new branch, so nothing was compared. All folders were checked."
	}
	rev := short(b.rev)
	shallow, err := g.run("rev-parse", "--is-shallow-repository")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "git is not installed, so nothing was compared with " + rev + "."
	case err != nil && strings.Contains(err.Error(), "dubious ownership"):
		return "git doesn't read this repository, because another user owns it, so nothing was compared with " + rev + ". Add it to git's safe.directory."
	case err != nil:
		return cmd.Quote(g.dir) + " is not in a git repository, so nothing was compared with " + rev + "."
	}
	if b.commit, err = g.run("rev-parse", "--verify", "--quiet", b.rev+"^{commit}"); err != nil || b.commit == "" {
		if _, err := g.run("rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
			return "This repository has no commit yet, so nothing was compared. All folders were checked."
		}
		if shallow == "true" {
			return "This clone is shallow and doesn't have " + rev + ", so nothing was compared. Fetch more history: fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab."
		}
		return "This clone doesn't have " + rev + ", as after a force push, so nothing was compared. All folders were checked."
	}
	if _, err := g.run("merge-base", "--is-ancestor", b.commit, "HEAD"); err != nil {
		b.notes = append(b.notes, rev+" is not an ancestor of the current commit, as after a force push. Lines that only "+rev+" has are reported as removed.")
	}
	return ""
}

// blob is a file of a revision.
type blob struct {
	id, path string
	size     int64
}

// read reads the folders that changed as the revision has them.
func (b *baseline) read(g repository, s *input.Source) error {
	for _, args := range [][]string{
		{"diff-index", "-z", "--name-only", "--no-renames", "--relative", b.commit},
		{"ls-files", "-z", "--others", "--exclude-standard"},
	} {
		out, err := g.run(args...)
		if err != nil {
			return err
		}
		for name := range strings.SplitSeq(out, "\x00") {
			if name != "" {
				b.paths = append(b.paths, name)
			}
		}
	}
	out, err := g.run("ls-tree", "-r", "-z", "-l", b.commit)
	if err != nil {
		return err
	}
	var blobs []blob
	total := int64(0)
	for entry := range strings.SplitSeq(out, "\x00") {
		facts, name, _ := strings.Cut(entry, "\t")
		f := strings.Fields(facts) // mode, type, id, size
		dir, is := folderOf(name, s.Base)
		if len(f) != 4 || f[1] != "blob" || f[0] == "120000" || !is || !b.touches(dir) {
			continue
		}
		size, err := strconv.ParseInt(f[3], 10, 64)
		if err != nil {
			return err
		}
		blobs, total = append(blobs, blob{f[2], name, size}), total+size
	}
	if total > mostBase {
		return fmt.Errorf("the folders that changed have %d MB there, and at most %d MB are compared", total>>20, mostBase>>20)
	}
	z, err := g.zip(blobs)
	if err != nil {
		return err
	}
	b.source, err = s.FromZip(z)
	return err
}

// mostBase is how many bytes of a revision are read into memory.
const mostBase = 512 << 20

// folderOf is the .figs folder that a file is in, below a folder whose name is base.
func folderOf(name, base string) (dir string, is bool) {
	if base == folder.Name {
		return ".", true
	}
	parts := strings.Split(name, "/")
	for i, part := range parts[:len(parts)-1] {
		if part == folder.Name {
			return path.Join(parts[:i+1]...), true
		}
	}
	return "", false
}

// zip reads files of a revision, byte by byte as git stores them, into a zip.
func (g repository) zip(blobs []blob) ([]byte, error) {
	c := g.command("cat-file", "--batch")
	var ids bytes.Buffer
	for _, f := range blobs {
		ids.WriteString(f.id + "\n")
	}
	c.Stdin = &ids
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	defer c.Wait()
	defer out.Close()
	r := bufio.NewReader(out)
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, f := range blobs {
		if head, err := r.ReadString('\n'); err != nil || head != fmt.Sprintf("%s blob %d\n", f.id, f.size) {
			return nil, fmt.Errorf("git could not read %s", f.path)
		}
		content := make([]byte, f.size+1) // and the line feed after it
		if _, err := io.ReadFull(r, content); err != nil {
			return nil, err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.path, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(g.stored(f, content[:f.size])); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return packed.Bytes(), err
}

// stored is the content of a file: where git has a pointer of Git LFS, and the file here is the one that it points to,
// that file, so that the two compare as equal.
func (g repository) stored(f blob, content []byte) []byte {
	const begin, hash = "version https://git-lfs.github.com/spec/v1\n", "\noid sha256:"
	_, id, is := bytes.Cut(content, []byte(hash))
	if len(content) > 1024 || !bytes.HasPrefix(content, []byte(begin)) || !is || len(id) < 64 {
		return content
	}
	root, err := os.OpenRoot(g.dir)
	if err != nil {
		return content
	}
	defer root.Close()
	here, err := root.ReadFile(f.path)
	if err != nil {
		return content
	}
	if sum := sha256.Sum256(here); hex.EncodeToString(sum[:]) != string(id[:64]) {
		return content
	}
	return here
}

// isFolder reports whether there is a folder of this name.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// jsonText is a text as JSON.
func jsonText(s string) []byte {
	b, _ := json.Marshal(s) // a string always can be encoded
	return b
}
