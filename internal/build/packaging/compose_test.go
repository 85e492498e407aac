package packaging

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/figs-web/figs-web/internal/cli"
)

// composeFile is what the example may say; a name that is not here fails.
type composeFile struct {
	Name     string
	Node     any `yaml:"x-node"`
	Services map[string]service
	Configs  map[string]struct{ Content string }
	Networks map[string]struct {
		Internal bool
		IPAM     struct{ Config []struct{ Subnet string } } `yaml:"ipam"`
	}
	Volumes map[string]struct{}
}

type service struct {
	Image string
	Build struct {
		Context string
		Inline  string `yaml:"dockerfile_inline"`
	}
	User      string
	ReadOnly  bool     `yaml:"read_only"`
	Drop      []string `yaml:"cap_drop"`
	Add       []string `yaml:"cap_add"`
	Security  []string `yaml:"security_opt"`
	Temporary []string `yaml:"tmpfs"`
	Networks  []string
	Ports     []string
	Restart   string
	Grace     string `yaml:"stop_grace_period"`
	Shared    string `yaml:"shm_size"`
	Command   []string
	Variables map[string]string `yaml:"environment"`
	Volumes   []string
	Configs   []struct{ Source, Target string }
	Health    struct {
		Test              []string
		Interval, Timeout string
		StartPeriod       string `yaml:"start_period"`
	} `yaml:"healthcheck"`
	Depends any `yaml:"depends_on"`
}

func compose(t *testing.T) *composeFile {
	t.Helper()
	d := yaml.NewDecoder(strings.NewReader(read(t, "packaging/compose.yaml")))
	d.KnownFields(true)
	var c composeFile
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	return &c
}

var (
	pinned = regexp.MustCompile(`^[a-z0-9./-]+:[a-z0-9][a-z0-9.-]*$`)
	nobody = regexp.MustCompile(`^[1-9][0-9]*:[1-9][0-9]*$`)
)

// Whatever the example starts is pinned, is nobody in particular, may write nowhere but where it must, and is asked
// whether it is well; the balancer alone can be reached from outside.
func TestComposeIsConfined(t *testing.T) {
	c := compose(t)
	if len(c.Services) != 6 {
		t.Errorf("there are %d services, want three nodes, a balancer, a database and a bucket", len(c.Services))
	}
	for name, s := range c.Services {
		images := []string{s.Image}
		for _, line := range strings.Split(s.Build.Inline, "\n") {
			if from, is := strings.CutPrefix(line, "FROM "); is {
				images = append(images, from)
			}
		}
		for _, image := range images {
			if !pinned.MatchString(image) || strings.HasSuffix(image, ":latest") {
				t.Errorf("%s: the image %q has no tag that stays", name, image)
			}
		}
		if !nobody.MatchString(s.User) {
			t.Errorf("%s runs as %q, want a number that is not root's", name, s.User)
		}
		if !s.ReadOnly || !slices.Equal(s.Drop, []string{"ALL"}) || !slices.Contains(s.Security, "no-new-privileges:true") {
			t.Errorf("%s is not confined: %+v", name, s)
		}
		if len(s.Health.Test) < 2 || s.Health.Test[0] != "CMD" || s.Health.Interval == "" {
			t.Errorf("%s is not asked whether it is well", name)
		}
		if (len(s.Ports) > 0) != (name == "balancer") {
			t.Errorf("%s is reached from outside at %v", name, s.Ports)
		}
		for _, port := range s.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s listens to everybody at %s", name, port)
			}
		}
		for _, network := range s.Networks {
			if _, is := c.Networks[network]; !is {
				t.Errorf("%s is in a network that there is not: %s", name, network)
			}
		}
		for _, volume := range s.Volumes {
			if volume, _, _ = strings.Cut(volume, ":"); !slices.Contains([]string{"database", "bucket"}, volume) {
				t.Errorf("%s sees the folder %s", name, volume)
			}
		}
		for variable, value := range s.Variables {
			if secret := regexp.MustCompile(`PASSWORD$|SECRET`).MatchString(variable); secret && !strings.HasPrefix(value, "${") {
				t.Errorf("%s: the secret %s stands in the file", name, variable)
			}
		}
	}
	if !c.Networks["back"].Internal || slices.Contains(c.Services["balancer"].Networks, "back") {
		t.Error("the database and the bucket can be reached past the nodes")
	}
}

// The nodes are three of the same, start with a command that the program understands, and every setting they are given is one.
func TestComposeNodes(t *testing.T) {
	c := compose(t)
	caddy := c.Configs["caddyfile"].Content
	known := settingsIn(t)
	for _, name := range []string{"node1", "node2", "node3"} {
		s := c.Services[name]
		if err := cli.Understands(s.Command); err != nil {
			t.Errorf("figs-web %s: %v", strings.Join(s.Command, " "), err)
		}
		if err := cli.Understands(s.Health.Test[2:]); err != nil {
			t.Errorf("figs-web %s: %v", strings.Join(s.Health.Test[2:], " "), err)
		}
		for variable := range s.Variables {
			if strings.HasPrefix(variable, "FIGS_WEB_") && !slices.Contains(known, variable) {
				t.Errorf("%s: there is no setting %s", name, variable)
			}
		}
		for _, needed := range []string{"FIGS_WEB_DATABASE", "FIGS_WEB_BLOBS", "FIGS_WEB_PUBLIC_URL", "FIGS_WEB_TRUST_PROXY", "FIGS_WEB_DRAIN"} {
			if s.Variables[needed] == "" {
				t.Errorf("%s is not told %s", name, needed)
			}
		}
		if subnet := c.Networks["front"].IPAM.Config[0].Subnet; s.Variables["FIGS_WEB_TRUST_PROXY"] != subnet {
			t.Errorf("%s trusts %s, and the balancer is in %s", name, s.Variables["FIGS_WEB_TRUST_PROXY"], subnet)
		}
		if !strings.Contains(caddy, name+":8080") || !strings.Contains(caddy, "health_uri /readyz") {
			t.Errorf("the balancer does not ask %s:\n%s", name, caddy)
		}
	}
	if last := stages(read(t, "Dockerfile")); all(last[len(last)-1], "USER")[0] != c.Services["node1"].User {
		t.Error("the nodes run as another user than the image's")
	}
}

// settingsIn are the variables of the table in the documents, which a test of internal/cli holds to the flags.
func settingsIn(t *testing.T) (names []string) {
	t.Helper()
	for _, row := range strings.Split(read(t, "docs/configuration.md"), "\n") {
		if cells := strings.Split(row, "|"); len(cells) > 3 && strings.HasPrefix(cells[1], " `--") {
			names = append(names, regexp.MustCompile(`FIGS_WEB_[A-Z_]+`).FindAllString(row, 2)...)
		}
	}
	if len(names) < 20 {
		t.Fatalf("the table of settings has %d variables", len(names))
	}
	return names
}
