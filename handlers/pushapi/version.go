package pushapi

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// oldest is the oldest client that may push. A client that is older refuses to push after it
// wrote its record, so that it repeats itself; and it keeps the answer of one server for a day
// for all of them. It therefore stays where it is.
const oldest = "1.0.0"

// showVersion says which protocol is spoken here.
func showVersion(c echo.Context) error {
	type cli struct {
		Min string `json:"min"`
	}
	return c.JSON(http.StatusOK, struct {
		Spec int `json:"spec"`
		CLI  cli `json:"cli"`
	}{2, cli{oldest}})
}
