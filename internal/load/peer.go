//go:build unix

package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/labstack/echo/v4"
)

// peerName makes of this program what the event streams are compared with.
const peerName = "serve-a-bare-echo"

// servePeer serves streams on which nothing ever comes, by a handler that sends headers and waits.
func servePeer() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/w/:workspace/events", func(c echo.Context) error {
		c.Response().Header().Set("Content-Type", "text/event-stream")
		c.Response().WriteHeader(http.StatusOK)
		c.Response().Flush()
		select {
		case <-c.Request().Context().Done():
		case <-ctx.Done():
		}
		return nil
	})
	e.GET("/metrics", func(c echo.Context) error {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return c.String(http.StatusOK, fmt.Sprintf("%s %d\n", heapNext, m.NextGC))
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("http://" + l.Addr().String())
	server := &http.Server{Handler: e, ErrorLog: nil}
	go server.Serve(l)
	<-ctx.Done()
	server.Close()
}
