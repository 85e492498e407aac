// Package nodes runs several figs-web servers as a team would: real processes on one PostgreSQL and one bucket, behind a
// small balancer, all on loopback. It can do to them what goes wrong in a year: end them, freeze them, cut what they are
// connected to. Beside them stand agents that push as the reference client does, people who decide by the forms of pages,
// and a reader without any fault, which is told the same and must end with the same state.
package clustertest

import "time"

// Patience is how long anything here may take on a machine that has much else to do.
const Patience = time.Minute
