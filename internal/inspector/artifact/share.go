package artifact

import (
	"bytes"
	"errors"
	"strings"
)

const shareLead = `<script type="application/json" data-slot="share">`

// Share returns a file that Build wrote, with data in its slot for a shared folder, and its seal renewed; data "" takes
// the folder out. The data must be JSON whose strings hold no "<", as encoding/json writes it.
func Share(file []byte, data string) ([]byte, error) {
	slots, err := Slots(file)
	if err != nil {
		return nil, err
	}
	if err := carriable(data); err != nil {
		return nil, err
	}
	if strings.Contains(data, "<") {
		return nil, errors.New("artifact: the data of a shared folder hold markup")
	}
	whole := string(file)
	before, rest, ok := strings.Cut(whole, shareLead)
	if !ok {
		return nil, ErrForeign
	}
	unsealed := strings.Replace(before, sealLead+slots["seal"]+`"`, sealLead+`"`, 1) + shareLead + data + rest[len(slots["share"]):]
	return []byte(strings.Replace(unsealed, sealLead+`"`, sealLead+sealOf([]byte(unsealed))+`"`, 1)), nil
}

// Unshared is the same file without its shared folder, as Build wrote it.
func Unshared(file []byte) ([]byte, error) { return Share(file, "") }

// SameBut reports whether two files differ in what they share alone.
func SameBut(a, b []byte) bool {
	x, errA := Unshared(a)
	y, errB := Unshared(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}
