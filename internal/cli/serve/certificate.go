package serve

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"

	"golang.org/x/crypto/acme/autocert"
)

// issued has certificates for one name issued and renewed, and keeps them in a folder. When none
// can be had, the log says what it takes.
func issued(host, dir string, log *slog.Logger) func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	manager := &autocert.Manager{Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(host), Cache: autocert.DirCache(dir)}
	return func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		certificate, err := manager.GetCertificate(hello)
		if err != nil && hello.ServerName == host {
			log.Warn("no certificate was issued; the name must point to this machine, and port 443 must be reachable from the internet", "host", host, "error", err)
		}
		return certificate, err
	}
}

// keyPair is a certificate from two files, which are read again when they change.
type keyPair struct {
	cert, key string
	log       *slog.Logger

	mutex   sync.Mutex
	pair    *tls.Certificate
	written [2]time.Time // when the files were
	looked  time.Time
}

// load reads both files.
func (k *keyPair) load() error {
	written, err := k.times()
	if err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(k.cert, k.key)
	if err != nil {
		return err
	}
	k.pair, k.written = &pair, written
	return nil
}

func (k *keyPair) times() (written [2]time.Time, err error) {
	for i, name := range []string{k.cert, k.key} {
		info, err := os.Stat(name)
		if err != nil {
			return written, err
		}
		written[i] = info.ModTime()
	}
	return written, nil
}

// get answers a handshake. At most once a second it looks whether the files are newer. While they
// do not fit each other, as in the middle of a renewal, the old certificate goes on.
func (k *keyPair) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if now := time.Now(); now.Sub(k.looked) > time.Second {
		k.looked = now
		if written, err := k.times(); err != nil || written != k.written {
			if err := k.load(); err != nil {
				k.log.Warn("the new certificate can't be read; the old one stays in use", "error", err)
			} else {
				k.log.Info("the certificate was reloaded")
			}
		}
	}
	return k.pair, nil
}
