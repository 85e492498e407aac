package handlers

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// between is what a balancer does that remembers nobody: each request goes to another of two servers than
// the one before. The second is made with the first request, of what the test has made of the first by then.
func (c *club) between() *echo.Echo {
	first, second := newApp(c.h).routes(), (*echo.Echo)(nil)
	var once sync.Once
	var n atomic.Int64
	e := echo.New()
	e.Pre(func(echo.HandlerFunc) echo.HandlerFunc {
		return func(x echo.Context) error {
			once.Do(func() { second = newApp(c.node()).routes() })
			if n.Add(1)%2 == 1 {
				first.ServeHTTP(x.Response(), x.Request())
			} else {
				second.ServeHTTP(x.Response(), x.Request())
			}
			return nil
		}
	})
	return e
}

// node is one more server on what the club keeps, with nothing in memory that the first one has.
func (c *club) node() *hosted.Host {
	c.t.Helper()
	hosting := c.h.Options
	hosting.Store, hosting.Blobs = c.opened()
	hosting.Live = nil
	h, err := newHost(hosting)
	c.must(err)
	h.Auth.Limits, h.Guesses = c.h.Auth.Limits, c.h.Guesses
	return h
}

// nodeTests are tests of one server that hold, to the letter, of two.
var nodeTests = map[string]func(*testing.T){
	"sign in": TestSignIn, "guessing": TestGuessingIsLimited, "guessing from an address": TestAddressIsLimited, "sessions end": TestSessionsEnd,
	"passkeys": TestPasskeys, "recovery codes": TestRecoveryCodes, "reset": TestReset, "sessions of one": TestSessionsOfOne,
	"provider": TestProviderSignsIn, "forged callbacks": TestForgedCallbacks, "provider proves": TestProviderProves, "link": TestLinkByHand, "proxy": TestHeaderSignsIn,
	"device": TestDevice, "device is granted": TestDeviceIsGranted, "device takes a proof": TestDeviceTakesAProof, "codes": TestCodesAreNotGuessed,
	"step-up": TestStepUp, "confirm": TestConfirm, "tokens": TestTokens, "set-up": TestSetup, "set-up raced": TestSetupRaced, "invite": TestInviteMakesAnAccount,
	"answer": TestAnswer, "gate": TestGate, "approval takes a proof": TestApprovalTakesAProof, "proof that expires": TestProofThatExpires, "ask changes during the proof": TestAskChangesDuringTheProof,
	"two at once": TestTwoAtOnce, "many at once": TestManyAtOnce, "sent again": TestSentAgain, "sent again later": TestSentAgainLater, "undo": TestUndo, "draft": TestDraft, "aside": TestAside, "delivery": TestDelivery,
	"news": TestNewsPage, "last workspace": TestStartLeadsToTheLastWorkspace,
}

// onNodes, where it is set, has every club served by two servers, on a database that it opens.
var onNodes func(t *testing.T, file func() (*sqlstore.Store, error)) (open func() (*sqlstore.Store, error))

// TestNodes has two servers on one file serve each request in turn.
func TestNodes(t *testing.T) {
	onNodes = func(_ *testing.T, file func() (*sqlstore.Store, error)) func() (*sqlstore.Store, error) { return file }
	defer func() { onNodes = nil }()
	for name, test := range nodeTests {
		t.Run(name, test)
	}
}
