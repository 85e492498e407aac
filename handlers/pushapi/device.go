package pushapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

const (
	deviceLife   = 10 * time.Minute
	pollInterval = 3 * time.Second
)

// startDevice begins a login: the client keeps a long secret, its person types a short code.
func (w *Wire) startDevice(c echo.Context) error {
	ctx, r := c.Request().Context(), c.Request()
	if err := w.limit(ctx, "device start "+accounts.ClientNetwork(c.RealIP()), deviceLife, 30); err != nil {
		return err
	}
	secret, now := accounts.NewSecret(), w.now()
	d := store.Device{Hash: store.Hash(secret), Agent: r.UserAgent(), Address: c.RealIP(), Created: now, Expires: now + deviceLife.Microseconds()}
	for range 5 {
		d.UserCode = accounts.NewUserCode()
		err := w.Store.AddDevice(ctx, d)
		var taken *store.TakenError
		if errors.As(err, &taken) {
			continue
		}
		if err != nil {
			return err
		}
		page := w.Public.String() + "/device"
		return c.JSON(http.StatusOK, map[string]any{"device_code": secret, "user_code": d.UserCode, "verification_uri": page, "verification_uri_complete": page + "?code=" + d.UserCode,
			"expires_in": int(deviceLife.Seconds()), "interval": int(pollInterval.Seconds())})
	}
	return errors.New("wire: no user code is free")
}

// pollDevice tells a client where its login stands, and hands out its token once.
func (w *Wire) pollDevice(c echo.Context) error {
	const longest = 4 << 10
	var sent struct {
		Code string `json:"device_code"`
	}
	body, err := w.open(c, limit{longest, &httperr.Problem{Status: http.StatusRequestEntityTooLarge, Code: "body_too_large", Title: "The poll is too large", Hint: "Send only { device_code }, as figs login received it."}})
	if err != nil {
		return err
	}
	b, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	if json.Unmarshal(b, &sent) != nil || sent.Code == "" {
		return &httperr.Problem{Status: http.StatusBadRequest, Code: "device_code_missing", Title: "The poll has no device code", Hint: "Send { device_code } with the code from POST /api/device/start."}
	}
	ctx, hash := c.Request().Context(), store.Hash(sent.Code)
	// By address first: codes that nobody was given must not fill the store.
	if err := w.limit(ctx, "device poll "+accounts.ClientNetwork(c.RealIP()), time.Minute, 600); err != nil {
		return err
	}
	if err := w.limit(ctx, "device poll "+hash, time.Minute, 60); err != nil {
		return err
	}
	secret, now := accounts.NewToken(), w.now()
	token := store.Token{ID: store.NewID(), Name: "figs login from " + c.RealIP(), Hash: store.Hash(secret), Created: now}
	status, _, err := w.Store.PollDevice(ctx, hash, token, now)
	if err != nil {
		return err
	}
	answer := map[string]any{"status": status}
	if status == store.DeviceApproved {
		answer["token"] = secret
	}
	return c.JSON(http.StatusOK, answer)
}

// limit returns a *httperr.Problem when there were too many attempts under the key.
func (w *Wire) limit(ctx context.Context, key string, window time.Duration, most int) error {
	wait, err := w.Store.Attempt(ctx, key, w.now(), window.Microseconds(), most)
	if err != nil || wait == 0 {
		return err
	}
	return &httperr.Problem{Status: http.StatusTooManyRequests, Code: "slow_down", Title: "Too many login attempts from your network", Retry: int(wait/1e6) + 1,
		Hint: "Wait a moment; the code stays valid for 10 minutes.", Fields: map[string]any{"status": store.DevicePending}}
}
