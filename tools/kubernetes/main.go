// Command kubernetes renders the overlays in packaging/kubernetes as kubectl does, and reads every object with the types of
// the Kubernetes API. Fields that the API doesn't know are errors.
//
//	go -C tools/kubernetes run . ../../packaging/kubernetes/base ../../packaging/kubernetes/example
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: kubernetes FOLDER...")
		os.Exit(2)
	}
	failed := false
	for _, dir := range os.Args[1:] {
		objects, err := render(dir)
		if err == nil {
			err = check(objects)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", dir, err)
			failed = true
			continue
		}
		fmt.Printf("%s: %d objects, each as the Kubernetes API has it\n", dir, len(objects))
	}
	if failed {
		os.Exit(1)
	}
}

// render returns the objects of an overlay. It refuses plugins, and so fetches and runs nothing.
func render(dir string) (objects []any, err error) {
	rendered, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, r := range rendered.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			return nil, err
		}
		object, known := map[string]any{
			"v1 ConfigMap": &core.ConfigMap{}, "v1 Service": &core.Service{}, "v1 ServiceAccount": &core.ServiceAccount{},
			"apps/v1 Deployment": &apps.Deployment{}, "policy/v1 PodDisruptionBudget": &policy.PodDisruptionBudget{},
			"networking.k8s.io/v1 Ingress": &networking.Ingress{}, "networking.k8s.io/v1 NetworkPolicy": &networking.NetworkPolicy{},
		}[r.GetApiVersion()+" "+r.GetKind()]
		if !known {
			errs = append(errs, fmt.Errorf("%s %s isn't among the kinds that are checked", r.GetApiVersion(), r.GetKind()))
			continue
		}
		if err := yaml.UnmarshalStrict(text, object); err != nil {
			errs = append(errs, fmt.Errorf("%s %s: %w", r.GetKind(), r.GetName(), err))
		}
		for _, problem := range validation.IsDNS1123Label(r.GetName()) {
			errs = append(errs, fmt.Errorf("%s %s: %s", r.GetKind(), r.GetName(), problem))
		}
		objects = append(objects, object)
	}
	return objects, errors.Join(errs...)
}

// check compares the objects with each other: selectors select the pods, and names lead somewhere.
func check(objects []any) error {
	var d *apps.Deployment
	var service *core.Service
	config := map[string]bool{}
	for _, object := range objects {
		switch o := object.(type) {
		case *apps.Deployment:
			d = o
		case *core.Service:
			service = o
		case *core.ConfigMap:
			config[o.Name] = true
		}
	}
	if d == nil || service == nil {
		return errors.New("there is no Deployment or no Service")
	}
	var errs []error
	pod := d.Spec.Template
	selects := func(what string, s *meta.LabelSelector) {
		selector, err := meta.LabelSelectorAsSelector(s)
		if err != nil || selector.Empty() || !selector.Matches(labels.Set(pod.Labels)) {
			errs = append(errs, fmt.Errorf("the selector of the %s doesn't select the pods, or selects all (%v)", what, err))
		}
	}
	selects("Deployment", d.Spec.Selector)
	selects("Service", &meta.LabelSelector{MatchLabels: service.Spec.Selector})
	for _, object := range objects {
		switch o := object.(type) {
		case *policy.PodDisruptionBudget:
			selects("PodDisruptionBudget", o.Spec.Selector)
		case *networking.NetworkPolicy:
			selects("NetworkPolicy", &o.Spec.PodSelector)
		}
	}
	c := pod.Spec.Containers[0]
	ports := []string{}
	for _, p := range c.Ports {
		ports = append(ports, p.Name)
	}
	for _, p := range service.Spec.Ports {
		if !slices.Contains(ports, p.TargetPort.StrVal) {
			errs = append(errs, fmt.Errorf("the Service sends requests to port %s, which the container doesn't have", p.TargetPort.String()))
		}
	}
	for _, from := range c.EnvFrom {
		if !config[from.ConfigMapRef.Name] {
			errs = append(errs, fmt.Errorf("the container reads ConfigMap %s, which isn't rendered", from.ConfigMapRef.Name))
		}
	}
	volumes := map[string]bool{}
	for _, v := range pod.Spec.Volumes {
		volumes[v.Name] = true
	}
	for _, m := range c.VolumeMounts {
		if !volumes[m.Name] {
			errs = append(errs, fmt.Errorf("the container mounts %s, which isn't a volume", m.Name))
		}
	}
	return errors.Join(errs...)
}
