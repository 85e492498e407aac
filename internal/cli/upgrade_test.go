package cli

import (
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// release writes the files of a release of a version and the key that signs it into a folder.
func release(t *testing.T, version string) (dir, key string) {
	t.Helper()
	dir = t.TempDir()
	field := func(fields ...string) (all []byte) {
		for _, f := range fields {
			all = append(binary.BigEndian.AppendUint32(all, uint32(len(f))), f...)
		}
		return all
	}
	private := ed25519.NewKeyFromSeed(make([]byte, 32))
	public := string(field("ssh-ed25519", string(private.Public().(ed25519.PublicKey))))
	sums := ""
	for _, system := range []string{"linux_amd64.tar.gz", "linux_arm64.tar.gz", "darwin_arm64.tar.gz", "windows_amd64.zip"} {
		sums += strings.Repeat("ab", 32) + "  figs-web_" + version + "_" + system + "\n"
	}
	sum := sha512.Sum512([]byte(sums))
	signature := ed25519.Sign(private, append([]byte("SSHSIG"), field("figs-web-release", "", "sha512", string(sum[:]))...))
	blob := append([]byte("SSHSIG\x00\x00\x00\x01"), field(public, "figs-web-release", "", "sha512", string(field("ssh-ed25519", string(signature))))...)
	key = filepath.Join(dir, "release.pub")
	for name, text := range map[string]string{
		filepath.Join(dir, "SHA256SUMS"): sums, filepath.Join(dir, "SHA256SUMS.sig"): string(pem.EncodeToMemory(&pem.Block{Type: "SSH SIGNATURE", Bytes: blob})),
		key: "ssh-ed25519 " + base64.StdEncoding.EncodeToString([]byte(public)) + " release",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, key
}

// Tests run as v1.2.3.
func TestUpgradeCheck(t *testing.T) {
	newer, key := release(t, "1.10.0")
	server := httptest.NewServer(http.FileServer(http.Dir(newer)))
	defer server.Close()
	for _, feed := range []string{newer, server.URL} {
		got := run(t, "upgrade", "--check", "--feed", feed, "--key", key)
		if got.code != 0 || !strings.HasPrefix(got.stdout, "figs-web v1.10.0 is available. This is v1.2.3.") || !strings.Contains(got.stdout, "Back up") {
			t.Errorf("%s: %+v", feed, got)
		}
		got = run(t, "upgrade", "--check", "--feed", feed, "--key", key, "--json")
		if got.code != 0 || !strings.HasPrefix(got.stdout, `{"version":"v1.2.3","newest":"v1.10.0","newer":true,"archive":"figs-web_1.10.0_`) {
			t.Errorf("%s: %+v", feed, got)
		}
	}
	same, key := release(t, "1.2.3")
	if got := run(t, "upgrade", "--check", "--feed", same, "--key", key); got.code != 0 || got.stdout != "figs-web v1.2.3 is up to date. The feed has v1.2.3.\n" {
		t.Errorf("%+v", got)
	}
	changed, key := release(t, "1.3.0")
	sums := filepath.Join(changed, "SHA256SUMS")
	text, err := os.ReadFile(sums)
	if err == nil {
		err = os.WriteFile(sums, []byte(strings.Replace(string(text), "ab", "ba", 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []struct {
		code int
		says string
		args []string
	}{
		{2, "isn't trusted", []string{"--check", "--feed", changed, "--key", key}},
		{2, "isn't an OpenSSH public key", []string{"--check", "--feed", newer, "--key", sums}},
		{2, "can't be a feed", []string{"--check", "--feed", "http://releases.example.com", "--key", key}},
		{2, "can't be a feed", []string{"--check", "--feed", "ftp://127.0.0.1/x", "--key", key}},
		{2, "--feed is missing", []string{"--check", "--key", key}},
		{2, "--key is missing", []string{"--check", "--feed", newer}},
		{2, "doesn't replace itself", []string{"--feed", newer, "--key", key}},
		{1, "answered 404", []string{"--check", "--feed", server.URL + "/none", "--key", key}},
		{2, "There is no", []string{"--check", "--feed", t.TempDir(), "--key", key}},
	} {
		got := run(t, append([]string{"upgrade"}, bad.args...)...)
		if got.code != bad.code || !strings.Contains(got.stderr, bad.says) || got.stdout != "" {
			t.Errorf("%q: %+v, want %d, %q", bad.args, got, bad.code, bad.says)
		}
	}
}
