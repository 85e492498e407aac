package packaging

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/figs-web/figs-web/internal/cli"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// kubernetes is a file of packaging/kubernetes/base. make kubernetes checks it with the API's own types.
func kubernetes(t *testing.T, name string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(read(t, "packaging/kubernetes/base/"+name)), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

type probe struct {
	HTTPGet          struct{ Path, Port string } `yaml:"httpGet"`
	PeriodSeconds    int                         `yaml:"periodSeconds"`
	FailureThreshold int                         `yaml:"failureThreshold"`
}

type podSpec struct {
	ServiceAccountName            string `yaml:"serviceAccountName"`
	AutomountServiceAccountToken  *bool  `yaml:"automountServiceAccountToken"`
	EnableServiceLinks            *bool  `yaml:"enableServiceLinks"`
	TerminationGracePeriodSeconds int    `yaml:"terminationGracePeriodSeconds"`
	SecurityContext               struct {
		RunAsNonRoot bool `yaml:"runAsNonRoot"`
		RunAsUser    int  `yaml:"runAsUser"`
	} `yaml:"securityContext"`
	Containers []struct {
		Args            []string
		Env             []struct{ Name, Value string }
		Startup         probe `yaml:"startupProbe"`
		Readiness       probe `yaml:"readinessProbe"`
		Liveness        probe `yaml:"livenessProbe"`
		Resources       struct{ Requests, Limits map[string]string }
		SecurityContext struct {
			AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
			ReadOnlyRootFilesystem   bool  `yaml:"readOnlyRootFilesystem"`
			Capabilities             struct{ Drop []string }
		} `yaml:"securityContext"`
	}
}

type deployment struct {
	Spec struct {
		Replicas int
		Strategy struct {
			Type          string
			RollingUpdate struct {
				MaxUnavailable *int `yaml:"maxUnavailable"`
				MaxSurge       int  `yaml:"maxSurge"`
			} `yaml:"rollingUpdate"`
		}
		Template struct{ Spec podSpec }
	}
}

// settingsOf are the variables that the ConfigMap and the container set.
func settingsOf(t *testing.T, d deployment) map[string]string {
	t.Helper()
	set := map[string]string{}
	for _, line := range strings.Split(read(t, "packaging/kubernetes/base/settings.env"), "\n") {
		if line != "" && line[0] != '#' {
			name, value, _ := strings.Cut(line, "=")
			set[name] = value
		}
	}
	for _, e := range d.Spec.Template.Spec.Containers[0].Env {
		if e.Value != "" {
			set[e.Name] = e.Value
		}
	}
	return set
}

// TestKubernetesSettings gives the settings to the program: it knows each, and finds no problem.
func TestKubernetesSettings(t *testing.T) {
	var d deployment
	kubernetes(t, "deployment.yaml", &d)
	if err := cli.Understands(d.Spec.Template.Spec.Containers[0].Args); err != nil {
		t.Error(err)
	}
	set := settingsOf(t, d)
	known := settingsIn(t)
	database := filepath.Join(t.TempDir(), "database")
	if err := os.WriteFile(database, []byte("postgres://figs:secret@db.example.com/figs?sslmode=verify-full\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(set map[string]string) (int, string) {
		var out bytes.Buffer
		var environ []string
		for name, value := range set {
			environ = append(environ, name+"="+value)
		}
		code := cli.Main(context.Background(), cmd.Env{
			Args: append([]string{"config", "check"}, d.Spec.Template.Spec.Containers[0].Args[1:]...), Stdout: &out, Stderr: &out, Now: time.Now, Version: "v1.2.3",
			Terminals: func() (bool, bool) { return false, false }, Getenv: func(name string) string { return set[name] }, Environ: func() []string { return environ },
		})
		return code, out.String()
	}
	if set["FIGS_WEB_DATABASE_FILE"] != "/run/secrets/figs-web/database" {
		t.Errorf("the database is in %q", set["FIGS_WEB_DATABASE_FILE"])
	}
	set["FIGS_WEB_DATABASE_FILE"] = database
	for name := range set {
		if strings.HasPrefix(name, "FIGS_WEB_") && !slices.Contains(known, name) {
			t.Errorf("there is no setting %s", name)
		}
	}
	if code, out := check(set); code != 0 || strings.Contains(out, "secret@") {
		t.Errorf("config check = %d\n%s", code, out)
	}
	set["FIGS_WEB_PORT"] = "tcp://10.0.0.1:80" // which enableServiceLinks would add
	_, out := check(set)
	if !strings.Contains(out, "FIGS_WEB_PORT") {
		t.Errorf("config check says nothing of a variable that is no setting:\n%s", out)
	}
}

func TestKubernetesIsConfined(t *testing.T) {
	var d deployment
	kubernetes(t, "deployment.yaml", &d)
	pod := d.Spec.Template.Spec
	c := pod.Containers[0]
	no := func(b *bool) bool { return b != nil && !*b }
	if !no(pod.AutomountServiceAccountToken) || !no(pod.EnableServiceLinks) || !no(c.SecurityContext.AllowPrivilegeEscalation) {
		t.Error("the pod gets a token or the variables of services, or may gain privileges")
	}
	if !pod.SecurityContext.RunAsNonRoot || pod.SecurityContext.RunAsUser == 0 || !c.SecurityContext.ReadOnlyRootFilesystem || !slices.Equal(c.SecurityContext.Capabilities.Drop, []string{"ALL"}) {
		t.Errorf("the pod is not confined: %+v", pod.SecurityContext)
	}
	if c.Resources.Requests["cpu"] == "" || c.Resources.Requests["memory"] == "" || c.Resources.Limits["memory"] == "" {
		t.Errorf("the resources are %+v", c.Resources)
	}
	var account struct {
		AutomountServiceAccountToken *bool `yaml:"automountServiceAccountToken"`
	}
	kubernetes(t, "serviceaccount.yaml", &account)
	if !no(account.AutomountServiceAccountToken) {
		t.Error("the account has a token")
	}
	var policy struct {
		Spec struct {
			PodSelector struct {
				MatchLabels map[string]string `yaml:"matchLabels"`
			} `yaml:"podSelector"`
			PolicyTypes []string `yaml:"policyTypes"`
		}
	}
	kubernetes(t, "networkpolicy.yaml", &policy)
	if len(policy.Spec.PolicyTypes) != 2 || len(policy.Spec.PodSelector.MatchLabels) == 0 {
		t.Errorf("the network policy is %+v", policy.Spec)
	}
}

// TestKubernetesUpdate holds the update to what nodes.md promises: another pod is ready first, and a pod that stops has time to.
func TestKubernetesUpdate(t *testing.T) {
	var d deployment
	kubernetes(t, "deployment.yaml", &d)
	if u := d.Spec.Strategy.RollingUpdate; d.Spec.Replicas < 2 || u.MaxUnavailable == nil || *u.MaxUnavailable != 0 || u.MaxSurge != 1 {
		t.Errorf("%d replicas are updated by %+v", d.Spec.Replicas, u)
	}
	pod := d.Spec.Template.Spec
	c := pod.Containers[0]
	drain, err := time.ParseDuration(settingsOf(t, d)["FIGS_WEB_DRAIN"])
	if err != nil || time.Duration(pod.TerminationGracePeriodSeconds)*time.Second < drain+15*time.Second {
		t.Errorf("a pod that drains for %s is killed after %d seconds (%v)", drain, pod.TerminationGracePeriodSeconds, err)
	}
	if notices := time.Duration(c.Readiness.PeriodSeconds*c.Readiness.FailureThreshold) * time.Second; drain < 2*notices {
		t.Errorf("it drains for %s, and its readiness is noticed after %s", drain, notices)
	}
	for path, p := range map[string]probe{"/healthz": c.Startup, "/readyz": c.Readiness} {
		if p.HTTPGet.Path != path || p.HTTPGet.Port != "http" {
			t.Errorf("a probe asks %+v, want %s", p.HTTPGet, path)
		}
	}
	if c.Liveness.HTTPGet.Path != "/healthz" {
		t.Errorf("a pod is restarted when %s fails: when the database is down, that restarts them all", c.Liveness.HTTPGet.Path)
	}
	var budget struct {
		Spec struct {
			MaxUnavailable int `yaml:"maxUnavailable"`
			Selector       struct {
				MatchLabels map[string]string `yaml:"matchLabels"`
			}
		}
	}
	kubernetes(t, "poddisruptionbudget.yaml", &budget)
	if budget.Spec.MaxUnavailable != 1 || len(budget.Spec.Selector.MatchLabels) == 0 {
		t.Errorf("the budget is %+v", budget.Spec)
	}
}
