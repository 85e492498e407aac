//go:build unix

package clustertest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/blob/s3/s3test"
	"github.com/figs-web/figs-web/internal/testenv"
)

// bucketSlow lets the bucket take its time.
func bucketSlow(t *testing.T, w *world, proxy *s3test.Proxy) {
	k := w.begin(t, 3)
	k.progress(2, 0)
	proxy.Set(s3test.Faults{Pause: 200 * time.Millisecond, Rate: 20_000})
	defer proxy.Heal()
	k.progress(often(2, 20), 1)
	proxy.Heal()
	k.whole()
}

// bucketErring lets the bucket fail now and then, then do what it was asked without an answer, then fail always.
func bucketErring(t *testing.T, w *world, proxy *s3test.Proxy) {
	k := w.begin(t, 3)
	defer proxy.Heal()
	for _, f := range []s3test.Faults{{Every: 3, Answer: 503}, {Every: 3, Answer: s3test.Reset, After: true}} {
		proxy.Set(f)
		k.progress(often(3, 60), 1)
		if proxy.Hurt() == 0 {
			t.Errorf("with %+v nothing failed", f)
		}
	}
	proxy.Set(s3test.Faults{Every: 1, Answer: 500})
	testenv.Eventually(t, 2*Patience, "the bucket to fail", func() bool { return proxy.Hurt() >= 3 })
	proxy.Heal()
	k.progress(3, 1)
	k.whole()
}

// bucketWrong lets the bucket give back other bytes than it got, and get others than were sent: nobody is given them, and
// nothing that was not kept is acknowledged.
func bucketWrong(t *testing.T, w *world, proxy *s3test.Proxy) {
	k := w.begin(t, 3)
	defer proxy.Heal()
	hurt := 0
	for range often(1, 10) {
		for _, f := range []s3test.Faults{{FlipUpload: true, Times: 3}, {CutUpload: 500, Times: 3}} {
			proxy.Set(f)
			k.progress(3, 1)
			if hurt += proxy.Hurt(); proxy.Hurt() == 0 {
				t.Errorf("with %+v nothing went wrong", f)
			}
		}
	}
	k.end()
	person, err := SignIn(ctx, w.c.Balancer.Address, ana, password)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []s3test.Faults{{FlipAnswer: true}, {CutAnswer: 700}} {
		proxy.Set(f)
		var wait sync.WaitGroup
		for _, a := range k.agents {
			for n := range min(a.Pushed, 2) { // each is tried for a while
				wait.Go(func() { k.honest(person, a, n) })
			}
		}
		wait.Wait()
		if proxy.Hurt() == 0 {
			t.Errorf("with %+v nothing went wrong", f)
		}
	}
	proxy.Heal()
	for _, a := range k.agents {
		for n := range a.Pushed {
			if got, err := k.download(person, a, n); err != nil || string(got) != string(a.File(n)) {
				t.Errorf("file %d of %s is %d bytes, %v", n, a.ID, len(got), err)
			}
		}
	}
	k.whole()
	t.Logf("%d uploads went wrong on the way", hurt)
}

// honest downloads a file while the bucket lies: it is the file, or it fails.
func (k *work) honest(person *Person, a *Agent, n int) {
	k.Helper()
	if got, err := k.download(person, a, n); err == nil && string(got) != string(a.File(n)) {
		k.Errorf("file %d of %s came as %d other bytes, as if they were the file", n, a.ID, len(got))
	}
}

func (k *work) download(person *Person, a *Agent, n int) ([]byte, error) {
	sum := sha256.Sum256(a.File(n))
	r, err := http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("%s/a/%s/%s/%s", k.c.Balancer.Address, slug, hex.EncodeToString(sum[:]), FileName(n)), nil)
	if err != nil {
		return nil, err
	}
	r.AddCookie(&http.Cookie{Name: person.name, Value: person.cookie})
	answer, err := person.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = &Refused{answer.StatusCode, string(got)}
	}
	return got, err
}
