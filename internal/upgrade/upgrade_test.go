package upgrade

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var sums = []byte(strings.Repeat("a", 64) + "  figs-web_0.2.0_linux_amd64.tar.gz\n" + strings.Repeat("b", 64) + "  figs-web_0.2.0_windows_arm64.zip\n" + strings.Repeat("c", 64) + "  inspector.html\n")

// signed signs as OpenSSH does.
func signed(seed byte, namespace string, message []byte) (signature, key []byte) {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, 32))
	field := func(b ...[]byte) (all []byte) {
		for _, f := range b {
			all = append(binary.BigEndian.AppendUint32(all, uint32(len(f))), f...)
		}
		return all
	}
	public := field([]byte(keyType), private.Public().(ed25519.PublicKey))
	sum := sha512.Sum512(message)
	text := append([]byte("SSHSIG"), field([]byte(namespace), nil, []byte("sha512"), sum[:])...)
	blob := append([]byte("SSHSIG\x00\x00\x00\x01"), field(public, []byte(namespace), nil, []byte("sha512"), field([]byte(keyType), ed25519.Sign(private, text)))...)
	return pem.EncodeToMemory(&pem.Block{Type: "SSH SIGNATURE", Bytes: blob}), []byte(keyType + " " + base64.StdEncoding.EncodeToString(public) + " release\n")
}

func TestRead(t *testing.T) {
	signature, key := signed(1, Namespace, sums)
	r, err := Read(sums, signature, key)
	if err != nil || r.Version != "v0.2.0" || r.Sums["inspector.html"] != strings.Repeat("c", 64) {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := r.Archive("linux", "amd64"); r.Sums[got] == "" {
		t.Errorf("there is no %s", got)
	}
	if got := r.Archive("windows", "arm64"); r.Sums[got] == "" {
		t.Errorf("there is no %s", got)
	}
	_, otherKey := signed(2, Namespace, sums)
	otherUse, _ := signed(1, "file", sums)
	for _, test := range []struct {
		name                 string
		sums, signature, key []byte
		want                 error
	}{
		{"another key", sums, signature, otherKey, ErrOtherKey},
		{"a signature for something else", sums, otherUse, key, ErrSignature},
		{"changed checksums", bytes.Replace(sums, []byte("aaaa"), []byte("aaab"), 1), signature, key, ErrChanged},
		{"no signature", sums, nil, key, ErrSignature},
		{"half a signature", sums, signature[:len(signature)/2], key, ErrSignature},
		{"no key", sums, signature, nil, ErrKey},
		{"an rsa key", sums, signature, []byte("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ"), ErrKey},
		{"a short key", sums, signature, []byte("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA=="), ErrKey},
	} {
		if _, err := Read(test.sums, test.signature, test.key); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	for _, text := range []string{"", "x  figs-web_0.2.0_linux_amd64.tar.gz\n", strings.Repeat("a", 64) + "  inspector.html\n", string(sums) + strings.Repeat("d", 64) + "  figs-web_0.3.0_linux_arm64.tar.gz\n"} {
		signature, key := signed(1, Namespace, []byte(text))
		if r, err := Read([]byte(text), signature, key); err == nil {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}

// TestEveryBit changes each bit of a signature's bytes: none is accepted.
func TestEveryBit(t *testing.T) {
	signature, key := signed(1, Namespace, sums)
	block, _ := pem.Decode(signature)
	for i := range block.Bytes {
		for bit := range 8 {
			changed := bytes.Clone(block.Bytes)
			changed[i] ^= 1 << bit
			if verify(sums, pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: changed}), key) == nil {
				t.Fatalf("bit %d of byte %d doesn't matter", bit, i)
			}
		}
	}
}

// TestOpenSSH reads what ssh-keygen signs.
func TestOpenSSH(t *testing.T) {
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("signatures of OpenSSH are not tested: ssh-keygen is not installed")
	}
	dir := t.TempDir()
	key, file := filepath.Join(dir, "key"), filepath.Join(dir, SumsName)
	if err := os.WriteFile(file, sums, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-q", "-t", "ed25519", "-N", "", "-f", key}, {"-Y", "sign", "-n", Namespace, "-f", key, file}} {
		if out, err := exec.Command(keygen, args...).CombinedOutput(); err != nil {
			t.Fatalf("ssh-keygen %q: %v\n%s", args, err, out)
		}
	}
	signature, err1 := os.ReadFile(filepath.Join(dir, SignatureName))
	public, err2 := os.ReadFile(key + ".pub")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if r, err := Read(sums, signature, public); err != nil || r.Version != "v0.2.0" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCompare(t *testing.T) {
	ordered := []string{"what", "v0.1.0-dev", "v0.1.0", "v0.1.1", "v0.2.0-rc.2", "v0.2.0-rc.10", "v0.2.0-rc.x", "v0.2.0", "v0.10.0", "v1.0.0-1", "v1.0.0-1.1", "v1.0.0-a", "v1.0.0"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got, want := Compare(a, b), min(1, max(-1, i-j)); got != want {
				t.Errorf("Compare(%s, %s) = %d, want %d", a, b, got, want)
			}
		}
	}
}
