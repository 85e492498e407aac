package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
	"github.com/figs-web/figs-web/internal/recordjson"
)

func (s *server) addChannels() {
	add(s, tool{"list_channels", "List channels", "Lists the artifact channels of a workspace: how many records each has, how many are active, and how many artifacts have competing revisions." + untrusted}, s.listChannels)
	add(s, tool{"list_artifacts", "List artifacts", "Lists artifact records, newest first; by default only active ones. A record refers to a file; the file itself isn't returned." + untrusted}, s.listArtifacts)
	add(s, tool{"read_artifact", "Read an artifact", "Returns one artifact record with its revisions: what it replaces, what replaces it, and which compete with it." + untrusted}, s.readArtifact)
}

type channelsOf struct {
	ofRoot
	part
}

type channel struct {
	Name       string `json:"name"`
	Documented bool   `json:"documented" jsonschema:"defined in the proposal"`
	Records    int    `json:"records"`
	Active     int    `json:"active"`
	Competing  int    `json:"competing" jsonschema:"artifacts with several competing revisions"`
	Last       string `json:"last" jsonschema:"when its newest record was created"`
}

func channelOf(c *artifacts.Channel) channel {
	return channel{Name: c.Name, Documented: c.Documented, Records: c.Records, Active: c.Active, Competing: c.Competing, Last: c.Last}
}

func (s *server) listChannels(ctx context.Context, in *channelsOf) (*list[channel], error) {
	r, err := s.root(ctx, project.Channels, in.Path)
	if err != nil {
		return nil, err
	}
	var all []artifacts.Channel
	if r != nil {
		all = r.Channels.Channels
	}
	return listOf(briefly(), pageOf(all, in.part), channelOf), nil
}

type artifactsOf struct {
	ofRoot
	part
	Channel string `json:"channel,omitempty"`
	Work    string `json:"work,omitempty" jsonschema:"only records of this unit of work (workId or runId)"`
	Parent  string `json:"parent_work,omitempty" jsonschema:"only records of work that this one started"`
	Task    string `json:"task,omitempty"`
	Session string `json:"session,omitempty"`
	Status  string `json:"status,omitempty" jsonschema:"active, superseded or deleted; default: active"`
	Since   string `json:"since,omitempty" jsonschema:"only records created since this time: RFC 3339, or a date"`
	All     bool   `json:"all,omitempty" jsonschema:"include superseded and deleted records"`
}

// artifact is a record of a channel.
type artifact struct {
	ID        string `json:"id"`
	Channel   string `json:"channel"`
	Kind      string `json:"kind"`
	Title     string `json:"title"`
	Summary   string `json:"summary"`
	Path      string `json:"path" jsonschema:"of the file, according to the record"`
	Record    string `json:"record" jsonschema:"path of the record's own file in the workspace"`
	Created   string `json:"created_at"`
	State     string `json:"state" jsonschema:"active, superseded or deleted"`
	Target    string `json:"target" jsonschema:"state of the file: available, unavailable, escapes, differs or unknown"`
	Verified  bool   `json:"verified" jsonschema:"the file has the digest that the record names; false also if it names none, or the file wasn't read"`
	Size      int64  `json:"size" jsonschema:"current size of the file in bytes; -1 if unknown"`
	Work      string `json:"work"`
	Competing bool   `json:"competing" jsonschema:"other revisions replace the same artifact"`
}

func artifactOf(r *artifacts.Record) artifact {
	return artifact{ID: r.ID, Channel: r.Channel, Kind: r.Kind, Title: r.Title, Summary: r.Summary, Path: r.Path,
		Record: r.File, Created: r.Created, State: r.State(), Target: r.Target.State.String(), Verified: r.Verified(), Size: r.Target.Size,
		Work: r.Producer.Work, Competing: r.Competition > 0}
}

func (s *server) listArtifacts(ctx context.Context, in *artifactsOf) (*list[artifact], error) {
	if in.Status != "" && !slices.Contains(artifacts.Statuses, in.Status) {
		return nil, refusal("Unknown status. The statuses are " + strings.Join(artifacts.Statuses, ", ") + ".")
	}
	if _, ok := artifacts.ParseSince(in.Since); !ok {
		return nil, refusal("The value of since isn't a time. Use the form 2026-11-20T12:00:00Z, or 2026-11-20.")
	}
	r, err := s.root(ctx, project.Channels, in.Path)
	if err != nil {
		return nil, err
	}
	var all []*artifacts.Record
	if r != nil {
		all = r.Channels.List(artifacts.Filter{Channel: in.Channel, Work: in.Work, Parent: in.Parent, Task: in.Task, Session: in.Session, Status: in.Status, Since: in.Since, All: in.All})
	}
	return listOf(briefly(), pageOf(all, in.part), func(r **artifacts.Record) artifact { return artifactOf(*r) }), nil
}

type oneArtifact struct {
	ofRoot
	ID string `json:"id" jsonschema:"of the record, from list_artifacts"`
}

// artifactAlone is a record with all that belongs to it.
type artifactAlone struct {
	artifact
	MediaType string   `json:"media_type"`
	Digest    string   `json:"digest" jsonschema:"SHA-256 according to the record"`
	Actual    string   `json:"actual_digest" jsonschema:"current SHA-256 of the file"`
	Producer  producer `json:"producer"`
	Replaces  string   `json:"replaces"`
	Chain     []string `json:"chain" jsonschema:"ids of all revisions before and after it, oldest first, including itself"`
	Rivals    []string `json:"rivals" jsonschema:"ids of competing revisions"`
	Parents   []string `json:"parents" jsonschema:"ids of the artifacts it was made from"`
	Tags      []string `json:"tags"`
	Metadata  string   `json:"metadata,omitempty" jsonschema:"JSON, as text"`
	Extra     []extra  `json:"extra" jsonschema:"fields that the proposal does not define"`
	LeftOut   int      `json:"left_out,omitempty" jsonschema:"number of fields that did not fit into the result"`
}

type producer struct {
	Work       string `json:"work"`
	ParentWork string `json:"parent_work"`
	Operation  string `json:"operation"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Session    string `json:"session"`
	Task       string `json:"task"`
	Role       string `json:"role"`
	Model      string `json:"model"`
}

func (s *server) readArtifact(ctx context.Context, in *oneArtifact) (*artifactAlone, error) {
	root, err := s.root(ctx, project.Channels, in.Path)
	if err != nil {
		return nil, err
	}
	if root == nil {
		return nil, journal.ErrNotFound
	}
	c := root.Channels
	r := c.Named(in.ID)
	if r == nil {
		return nil, journal.ErrNotFound
	}
	b, p := fully(), &r.Producer
	ids := func(numbers []int) []string {
		names := make([]string, len(numbers))
		for i, no := range numbers {
			names[i] = c.Record(no).ID
		}
		return names
	}
	parents := make([]string, len(r.Parents))
	for i := range r.Parents {
		parents[i] = r.Parents[i].ID
	}
	out := &artifactAlone{artifact: artifactOf(r), MediaType: r.MediaType, Digest: r.Digest, Actual: r.Target.SHA256, Replaces: r.Replaces,
		Producer: producer{Work: p.Work, ParentWork: p.ParentWork, Operation: p.Operation, Kind: p.Kind, Name: p.Name, Session: p.Session, Task: p.Task, Role: p.Role, Model: p.Model},
		Chain:    ids(c.Chain(r.No)), Rivals: ids(c.Rivals(r.No)), Parents: parents, Tags: r.Tags, Metadata: string(r.Metadata)}
	out.Extra = recordjson.Each(r.Extra, extraOf)
	b.fit(out)
	out.LeftOut = b.leftOut
	return out, nil
}

// extra is a field of a record that the proposal does not name.
type extra struct {
	Key   string `json:"key"`
	Value string `json:"value" jsonschema:"JSON, as text"`
}

func extraOf(f *figs.Field) extra { return extra{Key: f.Key, Value: string(f.Value.Raw)} }
