package s3

import (
	"cmp"
	"maps"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"github.com/figs-web/figs-web/internal/safedial"
)

// place is what an address says.
type place struct {
	bucket, prefix string // prefix is empty, or ends with a slash
	host           string // of the endpoint, with its port
	secure         bool
	region         string // "" is asked for
	lookup         minio.BucketLookupType
}

// amazon is the endpoint of an address without one.
const amazon = "s3.amazonaws.com"

// endpoint is where the bucket is, for sentences.
func (p *place) endpoint() string {
	if p.secure {
		return "https://" + p.host
	}
	return "http://" + p.host
}

// Check says what can be said of an address without a connection: nil, or an *AddressError, which
// repeats nothing that may be secret.
func Check(address string) error {
	_, err := parse(address)
	return err
}

// segments are the prefixes that every storage, log and shell takes for what they are.
var segments = regexp.MustCompile(`^[A-Za-z0-9!_.*'()=-]+(/[A-Za-z0-9!_.*'()=-]+)*$`)

func parse(address string) (*place, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Opaque != "" {
		return nil, badAddress("it cannot be read")
	}
	query, err := url.ParseQuery(u.RawQuery)
	switch {
	case u.User != nil:
		return nil, &AddressError{Problem{Sentence: "The bucket URL contains credentials.", Hint: "URLs are shown and logged. Remove the credentials, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment."}}
	case err != nil || u.Fragment != "":
		return nil, badAddress("it cannot be read")
	case u.Host == "":
		return nil, badAddress("it names no bucket")
	case u.Port() != "" || s3utils.CheckValidBucketNameStrict(u.Host) != nil:
		return nil, badAddress("s3:// must be followed by the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens")
	}
	p := &place{bucket: u.Host, host: amazon, secure: true}
	if prefix := strings.Trim(u.Path, "/"); prefix != "" {
		if !segments.MatchString(prefix) || dotted(prefix) {
			return nil, badAddress("the text after the bucket isn't a prefix such as attachments/figs")
		}
		p.prefix = prefix + "/"
	}
	o, err := parseOptions(query)
	if err != nil {
		return nil, err
	}
	if err := p.apply(o); err != nil {
		return nil, err
	}
	return p, nil
}

func dotted(prefix string) bool {
	for segment := range strings.SplitSeq(prefix, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// options are what follows the question mark.
type options struct {
	endpoint string // "" is Amazon's
	region   string
	lookup   minio.BucketLookupType
	insecure bool // an endpoint on the network may be http://
}

func parseOptions(query url.Values) (options, error) {
	var o options
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if len(query[name]) > 1 {
			return o, badAddress("it says " + name + " twice")
		}
		if err := o.set(name, query[name][0]); err != nil {
			return o, err
		}
	}
	return o, nil
}

func (o *options) set(name, value string) error {
	isTrue, isBool := value == "true", value == "true" || value == "false"
	switch {
	case name == "endpoint":
		o.endpoint = value
	case name == "region" && value != "":
		o.region = value
	case name == "path-style" && isTrue:
		o.lookup = minio.BucketLookupPath
	case name == "path-style" && isBool:
		o.lookup = minio.BucketLookupDNS
	case name == "insecure" && isBool:
		o.insecure = isTrue
	case name == "path-style", name == "insecure":
		return badAddress(name + " is true or false")
	default:
		return badAddress("it may say endpoint, region, path-style and insecure, and nothing else")
	}
	return nil
}

// apply takes what the options say. Without an endpoint, the environment may name the region.
func (p *place) apply(o options) error {
	p.lookup = o.lookup
	if o.endpoint == "" {
		p.region = cmp.Or(o.region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
		return nil
	}
	u, err := parseEndpoint(o.endpoint, o.insecure)
	if err != nil {
		return err
	}
	p.host, p.secure, p.region = u.Host, u.Scheme == "https", o.region
	if !s3utils.IsAmazonEndpoint(*u) {
		p.region = cmp.Or(o.region, "us-east-1") // what servers take that know no regions
	}
	return nil
}

// parseEndpoint reads http:// or https:// with a host, and nothing behind it.
func parseEndpoint(endpoint string, insecure bool) (*url.URL, error) {
	u, err := url.Parse(endpoint)
	switch {
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return nil, badAddress("its endpoint doesn't begin with https:// and a host")
	case u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return nil, badAddress("its endpoint must be https:// and a host only; the bucket goes after s3://")
	case u.Scheme == "http" && !insecure && !safedial.IsLoopback(u.Hostname()):
		return nil, &AddressError{Problem{Sentence: "The bucket's endpoint isn't encrypted.", Hint: "Others on the network could read attachments. Use https://, or add &insecure=true if the network is private."}}
	}
	return u, nil
}

// hostname is a host without its port.
func hostname(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return host
}
