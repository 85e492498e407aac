package s3

import (
	"errors"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

// keys are those of the first place that has any. Where none has, a request is not made at all: the
// library's own chain would send it without keys, and a moment without an answer of the machine's role
// would look like a refusal.
type keys struct{ credentials.Chain }

func newKeys() *keys {
	return &keys{credentials.Chain{Providers: []credentials.Provider{
		&credentials.EnvAWS{},
		&credentials.FileAWSCredentials{},
		&credentials.IAM{Client: &http.Client{Timeout: 3 * time.Second}},
	}}}
}

var errNoKeys = errors.New("there are no keys")

// RetrieveWithCredContext implements credentials.Provider.
func (k *keys) RetrieveWithCredContext(cc *credentials.CredContext) (credentials.Value, error) {
	v, err := k.Chain.RetrieveWithCredContext(cc)
	if err == nil && v.SignerType.IsAnonymous() {
		err = errNoKeys
	}
	return v, err
}

// Retrieve implements credentials.Provider.
func (k *keys) Retrieve() (credentials.Value, error) { return k.RetrieveWithCredContext(nil) }
