// Package clustertest runs several figs-web servers as a team would: real processes on one PostgreSQL database and one bucket,
// behind a small load balancer, all on loopback. It kills and freezes servers and cuts their connections. Simulated agents
// push as the reference client does, and simulated people decide through the forms of the pages. A reader without any
// failure receives the same input and must end in the same state.
package clustertest

import "time"

// Patience is how long anything here may take on a machine that has much else to do.
const Patience = time.Minute
