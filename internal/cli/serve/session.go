package serve

import (
	"time"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// SessionFlags say how long people stay signed in.
type SessionFlags struct {
	SessionIdle time.Duration `placeholder:"DURATION" help:"Sign people out after this long without a visit, as in 12h. Default: 720h (30 days)."`
	SessionMax  time.Duration `placeholder:"DURATION" help:"Sign people out this long after they signed in, even if they are active. Default: 2160h (90 days)."`
}

// shortestSession keeps a slip of the pen from signing everybody out at once.
const shortestSession = 5 * time.Minute

// Check refuses sessions that are too short to work in.
func (f SessionFlags) Check() error {
	for name, given := range map[string]time.Duration{"--session-idle": f.SessionIdle, "--session-max": f.SessionMax} {
		if given != 0 && given < shortestSession {
			return cmd.Fail(cmd.Usage, name+" is shorter than 5 minutes.", "Use a longer session, as in "+name+" 12h.")
		}
	}
	return nil
}

// limits is how long sessions last; zero stands for what is usual.
func (f SessionFlags) limits() accounts.SessionLimits {
	return accounts.SessionLimits{Idle: f.SessionIdle.Microseconds(), Max: f.SessionMax.Microseconds()}
}
