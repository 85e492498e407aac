# figs-web. `make` prints what there is; `make run` and `make test` are all that most people need.
# A machine needs Go and make; what the tests use beyond that, `make test` installs where it can.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh

ADDR     ?= 127.0.0.1:8080
DATA     ?= .data
FUZZTIME ?= 10m

# The same bytes from the same sources on every machine: no paths, no build id, no C.
BUILD   := CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags='-s -w -buildid='
WASM    := static/wasm

# Templates are calls in calls: inlined, each stands in the reader many times over, and starting it takes a third longer.
# So only what reads attachments and ledgers is inlined there.
INLINED := runtime strings bytes unicode/utf8 golang.org/x/net/html github.com/tdewolff/... github.com/yuin/goldmark/... \
  github.com/figs-web/figs-web/figs/... github.com/figs-web/figs-web/sandbox/...
READER  := $(BUILD) -gcflags=all=-l $(INLINED:%=-gcflags=%=)

GOROOT   = $(shell go env GOROOT)
BUILT   := .cache/wasm-built
S3      := .cache/versitygw

# What a release consists of: the program and its modules, and the files beside the program.
RELEASED := bin/figs-web $(addprefix $(WASM)/,engine.wasm reader.wasm inspector.html inspector.html.br)
BESIDE   := .cache/release
VERSION   = $(shell sed -n 's/^const Version = "v\(.*\)"/\1/p' internal/version/version.go)
ROOMS   := $(wildcard cmd figs wasm handlers components sandbox static internal)

# The core packages, run once more as WebAssembly. Arguments plus environment must stay under 12 kB there, so the
# tests get only what Go and Node need. WebAssembly memory ends at 4 GiB, so GOMEMLIMIT makes the collector start earlier.
WASM_TESTS := $(addprefix ./,$(addsuffix /...,$(wildcard figs wasm/bridge)))
WASM_ENV    = env -i GOOS=js GOARCH=wasm PATH="$(GOROOT)/lib/wasm:$$(dirname "$$(command -v go)"):$$(dirname "$$(command -v node)"):/usr/bin:/bin" \
	HOME="$$HOME" CI="$$CI" GOMEMLIMIT=2GiB GOCACHE="$$(go env GOCACHE)" GOMODCACHE="$$(go env GOMODCACHE)" GOPROXY="$$(go env GOPROXY)" \
	GOTOOLCHAIN="$$(go env GOTOOLCHAIN)" GOFLAGS="$$(go env GOFLAGS)"

##@ Use

help: ## print this
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: build ## build everything and serve it on http://localhost:8080, with its data in .data
	@exec bin/figs-web serve --addr $(ADDR) --data $(DATA)

build: bin/figs-web ## bin/figs-web: one program with everything inside

wasm: $(BUILT) ## static/wasm: engine.wasm, reader.wasm and the inspector in one file

npm: $(BUILT) ## bin/figs-web-engine-VERSION.tgz: the engine as a package for JavaScript (needs npm)
	go run ./internal/build/npm -o bin

corpus: ## bin/figs-conformance-VERSION.zip: the conformance vectors, for implementers in other languages
	go run ./internal/build/corpus -o bin

##@ Check

# Much of the time the tests wait: for browsers, for locks, for the disk. So three groups run beside each other, and two
# packages beside each other in those that have several. The longest packages start first.
BROWSERS := $(addprefix github.com/figs-web/figs-web/,internal/e2e components internal/attack internal/fidelity internal/hiding/prove)
TOGETHER  = $(MAKE) --no-print-directory -k -j3

test: $(BUILT) ## every test, native and as WebAssembly; installs the browsers it needs where it can
	@go run ./internal/setup
	@$(TOGETHER) test-browsers test-others test-wasm

test-browsers:
	@go run ./internal/build/retest -- -p 2 $(VET) -parallel 3 -timeout 45m $(BROWSERS)

LONGEST  := $(addprefix github.com/figs-web/figs-web/,internal/store/sqlstore internal/clustertest)

# The tests on several nodes need an S3 server, which takes a minute to build: it is built here, beside the browsers.
test-others: $(S3)
	@go test -p 2 $(VET) -timeout 20m $(LONGEST) $$(go list ./... | grep -vx $(BROWSERS:%=-e %) $(LONGEST:%=-e %))

test-wasm:
	@if command -v node >/dev/null 2>&1; then \
	  echo 'GOOS=js GOARCH=wasm go test -short $(WASM_TESTS)'; $(WASM_ENV) go test $(VET) -short $(WASM_TESTS); \
	fi

verify: verify-generated verify-format verify-vet verify-scripts verify-modules ## generated files, formatting, vet, staticcheck, types of scripts, modules

# Everything is vetted by verify, so that the tests need not vet it once more.
check: $(BUILT) ## what a change must pass: test and verify
	@go run ./internal/setup
	@$(TOGETHER) VET=-vet=off test-browsers test-others check-rest

# What needs no browser and no database, one after another: verify comes late, when most is compiled.
check-rest:
	@failed=; \
	for part in test-wasm verify vuln; do $(MAKE) --no-print-directory $$part || failed=1; done; \
	test -z "$$failed"

crash: ## programs and servers that take pushes, decisions and replies are killed two hundred times each, commands that write files thirty times, and on full disks: what was promised is there, once and whole
	FIGS_CRASHES=200 FIGS_DRILLS=4 go test -count=1 -timeout 30m -run "Crash|RestoreDrill" -v ./internal/store/sqlstore ./internal/local ./internal/artifacts/publish ./internal/findings/ledger ./cmd/figs-web
	FIGS_LONG=1 go test -count=1 -run /many_at_once ./internal/store/sqlstore
	FIGS_LONG=1 go test -count=1 -timeout 30m -run TestCrashWriters -v ./internal/cli

faults: $(BUILT) $(S3) ## three nodes on PostgreSQL and S3, and all that goes wrong between them, at full length
	FIGS_LONG=1 CI=true go test -count=1 -timeout 60m -v ./internal/clustertest
	FIGS_LONG=1 CI=true go test -count=1 -timeout 60m -v -run 'TestRestoreKilled|TestRestoreBadBucket|TestCopyTrouble' ./internal/store/sqlstore ./cmd/figs-web

e2e-nodes: $(BUILT) $(S3) ## the browser tests of the hosted reader against three nodes behind a proxy
	@go run ./internal/setup
	FIGS_E2E_NODES=1 CI=true go test -count=1 -timeout 40m ./internal/e2e

# Browsers are left out, and so are the tests that take long: under the detector all takes several times as long.
race: $(BUILT) ## the short tests under the race detector, without browsers (needs a C compiler)
	CGO_ENABLED=1 go test -race -short -p 2 -timeout 40m $$(go list ./... | grep -vx $(BROWSERS:%=-e %))

mutation: ## small changes of the code where a mistake costs most: which of them no test notices (one package: make mutation IN=internal/reply)
	go run ./internal/build/mutation $(if $(IN),-in $(IN))

fuzz: ## every fuzz target, ten minutes each (other: make fuzz FUZZTIME=1h)
	@find $(ROOMS) -name '*_test.go' | sort | while read -r file; do \
	  sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$file" | while read -r target; do \
	    echo "$$target in $$(dirname "$$file")"; \
	    go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "./$$(dirname "$$file")" </dev/null || exit 1; \
	  done || exit 1; \
	done

fuzz-short: ## every fuzz target, ten seconds each
	@$(MAKE) --no-print-directory fuzz FUZZTIME=10s

attack: $(BUILT) ## hostile attachments against the viewer in real browsers: all layers, the sanitizer alone, and a control run; hidden texts: what browsers draw, what is said
	@go run ./internal/setup
	go run ./internal/attack
	FIGS_LONG=1 go test -count=1 -timeout 60m -v -run 'OtherEngines/(Firefox|WebKit)Attack' ./internal/e2e
	go run ./internal/hiding/prove -measure
	FIGS_LONG=1 go test -count=1 -run TestHostileShapes -v ./sandbox/internal/markdown

hiding-truth: ## draw the collection of hidden texts in every browser, and write down what they draw of it
	@go run ./internal/setup
	go run ./internal/hiding/prove -write -honest

fidelity: ## realistic reports: what the viewer shows against what their authors meant (pictures: make fidelity OUT=DIR)
	@go run ./internal/setup
	go run ./internal/fidelity -out "$(OUT)"

# govulncheck ends with 3 when it has found something, and with another number when it could not look.
vuln: ## known vulnerabilities in what we depend on; says so where their list cannot be reached
	@$(MAKE) --no-print-directory .cache/govulncheck && .cache/govulncheck ./...; \
	case $$? in 0) ;; 3) exit 1 ;; *) echo 'Vulnerabilities were not checked: see the error above.' ;; esac

package-check: ## what is shipped around the program: units, container, packages, licences, release
	go test ./internal/build/packaging ./internal/build/licenses
	go -C tools/release run . ../../.goreleaser.yaml

cross: ## compile and vet everything, tests included, for Windows, macOS and arm64
	@for target in windows/amd64 darwin/arm64 linux/arm64; do \
	  echo "go build, go vet: $$target"; \
	  env CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} go build ./... || exit 1; \
	  env CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} go vet ./... || exit 1; \
	done

deb: ## build the Debian package as a release does, and install it into a separate root (needs dpkg)

rpm: ## the same for the rpm package (needs rpm)

deb rpm: bin/figs-web man
	go run ./internal/build/licenses -texts .cache/licenses/THIRD_PARTY_LICENSES.txt
	go -C tools/release run ./package "$$PWD" "$(VERSION)" "$$PWD/.cache/figs-web.$@"
	tools/release/install-$@.sh .cache/figs-web.$@

release-files: $(BUILT) man ## what a release has beside the program, in .cache/release: inspector, npm package, vectors, bill of materials (needs npm)
	@rm -rf $(BESIDE) && mkdir -p $(BESIDE)
	cp $(WASM)/inspector.html $(BESIDE)
	go run ./internal/build/npm -o $(BESIDE)
	go run ./internal/build/corpus -o $(BESIDE)
	go run ./internal/build/licenses -texts .cache/licenses/THIRD_PARTY_LICENSES.txt -sbom $(BESIDE)/figs-web-$(VERSION).cdx.json

monitoring: .cache/promtool ## promtool and Prometheus's parser check the dashboard and the alerts against the metrics of a real server
	FIGS_METRICS="$$PWD/.cache/metrics.txt" go test -count=1 -run TestMonitoring ./cmd/figs-web
	go -C tools/prometheus run . "$$PWD/.cache/metrics.txt" "$$PWD/packaging/grafana/figs-web.json" "$$PWD/packaging/prometheus/alerts.yaml"
	cd packaging/prometheus && ../../.cache/promtool check rules alerts.yaml && ../../.cache/promtool test rules alerts_test.yaml

kubernetes: ## render packaging/kubernetes, and check each object with the types of the Kubernetes API
	go -C tools/kubernetes run . ../../packaging/kubernetes/base ../../packaging/kubernetes/example

# What must not matter differs: the folder and its length, a repository around it, Go's cache and flags, the folder of
# temporary files, the language, the time zone and the umask.
twice: ## everything released is built twice, in two places that differ in all they can: the same bytes (needs npm)
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	one="$$dir/a/s" && two="$$dir/another/a folder of another length/figs-web" && \
	mkdir -p "$$one" "$$two" "$$dir/a/tmp" "$$dir/another/tmp" && \
	git -c core.quotePath=off ls-files --cached --others --exclude-standard | \
	  while read -r file; do test ! -e "$$file" || echo "$$file"; done >"$$dir/files" && \
	tar -cf - -T "$$dir/files" | tar -xf - -C "$$one" && \
	tar -cf - -T "$$dir/files" | (umask 077 && tar --no-same-permissions -xf - -C "$$two") && \
	(cd "$$two" && git init -q && git add -A && git -c user.name=twice -c user.email=twice@example.org commit -q -m 'the sources') && \
	env GOFLAGS= TZ=UTC LANG=C GOCACHE="$$dir/a/cache" TMPDIR="$$dir/a/tmp" $(MAKE) -C "$$one" bin/figs-web release-files && \
	(umask 077 && \
	env GOFLAGS='-buildvcs=true -trimpath=false -ldflags=-X=main.name=other' TZ=Asia/Kathmandu LANG=de_DE.UTF-8 \
	  GOCACHE="$$dir/another/cache" TMPDIR="$$dir/another/tmp" $(MAKE) -C "$$two" bin/figs-web release-files) && \
	(cd "$$one" && sha256sum $(RELEASED) $(BESIDE)/* .cache/man/* .cache/licenses/*) && \
	different= && for file in $(RELEASED); do cmp "$$one/$$file" "$$two/$$file" || different=1; done && \
	for folder in $(BESIDE) .cache/man .cache/licenses; do diff -r "$$one/$$folder" "$$two/$$folder" || different=1; done && test -z "$$different"

##@ Measure

bench: build ## the table of speeds and sizes, with ratios from the same run; also written into docs/performance.md
	@go run ./internal/setup
	go run ./internal/bench -o docs/performance.md $(if $(REFERENCE),-reference $(REFERENCE))

bench-viewer: build ## the viewer's limits: the costliest attachments natively and in the browser's module, and whether both give the same bytes
	@go run ./internal/setup
	go run ./internal/bench/viewer

load: build $(S3) ## PostgreSQL against SQLite, three nodes against one, a thousand agents, five thousand streams (one part: make load ONLY=streams)
	go run ./internal/load $(if $(ONLY),-only $(ONLY))

scale: build $(S3) ## a thousand agents, 100,000 asks and 500,000 jobs on both databases: every page, into docs/scale-pages.md (about 15 minutes)
	go run ./internal/load -only scale -report docs/scale-pages.md

soak: build $(S3) ## two hours of mixed load: what memory, goroutines and errors do (other: make soak FOR=10m)
	go run ./internal/load -only soak -for $(or $(FOR),2h)

# On two cores, where taskset is there to keep to them. GOMODCACHE=DIR uses the modules in there and leaves the network out.
bench-fresh: ## from a fresh clone to the open page with cold caches, by step; at most 240 s, aim 120 s
	@dir=$$(mktemp -d) && server= && trap 'test -z "$$server" || kill "$$server"; rm -rf "$$dir"' EXIT && \
	export GOCACHE="$$dir/gocache" GOMODCACHE="$${GOMODCACHE:-$$dir/gomodcache}" GOFLAGS='-modcacherw -buildvcs=false' && \
	begin=$$(date +%s) && last=$$begin && \
	step() { now=$$(date +%s); printf '  %-34s %4d s\n' "$$1" $$((now - last)); last=$$now; } && \
	two_cores=$$(command -v taskset >/dev/null && echo taskset -c 0,1 || true) && \
	git clone --quiet . "$$dir/figs-web" && cd "$$dir/figs-web" && step 'git clone' && \
	go list -deps ./cmd/figs-web ./internal/build/inspector >/dev/null && \
	GOOS=js GOARCH=wasm go list -deps ./wasm/engine ./wasm/reader >/dev/null && step 'fetch modules' && \
	$$two_cores $(MAKE) -s wasm >/dev/null && step 'build the modules and the inspector' && \
	$$two_cores $(MAKE) -s build >/dev/null && step 'build the server' && \
	{ $$two_cores bin/figs-web serve --addr $(ADDR) --data "$$dir/data" >"$$dir/log" 2>&1 & server=$$!; } && \
	until grep -q 'http://' "$$dir/log" && curl -fs -o "$$dir/page" http://$(ADDR)/inspect; do \
	  kill -0 "$$server" 2>/dev/null || { server=; cat "$$dir/log"; exit 1; }; sleep 0.05; \
	done && \
	step 'first answer of GET /inspect' && last=$$begin && step 'in all'

##@ Keep

licenses: ## docs/licenses.md, of what is linked; commit it
	go run ./internal/build/licenses

man: ## manual pages, in .cache/man
	@rm -rf .cache/man
	go run ./internal/build/man .cache/man

generate: ## the Go files that templ writes, and the TypeScript types of the npm package; commit them
	go tool templ generate -include-version=false
	go run ./internal/build/typescript

clean: ## remove what was built (the installed test tools stay in .cache)
	rm -rf bin $(WASM)/* .cache/modules $(BUILT)

.PHONY: help run build wasm npm corpus test verify check crash faults e2e-nodes load scale soak race mutation fuzz fuzz-short attack hiding-truth fidelity vuln package-check cross deb rpm release-files monitoring kubernetes twice licenses man bench bench-viewer bench-fresh generate clean \
	test-browsers test-others test-wasm check-rest verify-generated verify-format verify-vet verify-scripts verify-modules FORCE

# ---- what is built ---------------------------------------------------------------------------------------------------

bin/figs-web: $(BUILT)
	@mkdir -p bin
	$(BUILD) -o $@ ./cmd/figs-web

# wasm_exec.js belongs to the toolchain that built the modules.
$(BUILT): .cache/sources
	GOOS=js GOARCH=wasm $(BUILD) -o .cache/modules/ ./wasm/engine
	GOOS=js GOARCH=wasm $(READER) -o .cache/modules/ ./wasm/reader ./wasm/library
	@mkdir -p $(WASM)
	@cp .cache/modules/engine $(WASM)/engine.wasm
	@cp .cache/modules/reader $(WASM)/reader.wasm
	@cp "$(GOROOT)/lib/wasm/wasm_exec.js" $(WASM)/wasm_exec.js
	go run ./internal/build/inspector
	@touch $@

# .cache/sources is as new as the newest source, or as the loss of something built. The names stay with find: test data
# may hold any.
.cache/sources: .cache/toolchain FORCE
	@if test ! -e $@ || ! test -s .cache/modules/library || ! test -s $(WASM)/engine.wasm || ! test -s $(WASM)/reader.wasm || ! test -s $(WASM)/inspector.html || \
	  find go.mod go.sum .cache/toolchain $(ROOMS) -path $(WASM) -prune -o -name '*_test.go' -prune -o -newer $@ -print | grep -q .; \
	then touch $@; fi

# .cache/toolchain changes when Go does.
.cache/toolchain: FORCE
	@mkdir -p .cache
	@go version >$@.new
	@cmp -s $@.new $@ || cp $@.new $@

# What the server needs to be quick, the tests do not: its libraries are compiled without optimising.
$(S3): tools/s3/go.mod tools/s3/go.sum .cache/toolchain
	@go -C tools/s3 build -ldflags='-s -w' -gcflags='github.com/...=-N -l' -o ../../$@ github.com/versity/versitygw/cmd/versitygw

.cache/staticcheck: tools/go.mod tools/go.sum .cache/toolchain
	@go -C tools build -o ../$@ honnef.co/go/tools/cmd/staticcheck

.cache/govulncheck: tools/go.mod tools/go.sum .cache/toolchain
	@go -C tools build -o ../$@ golang.org/x/vuln/cmd/govulncheck

# Without the tag it contains the service discovery of every cloud.
.cache/promtool: tools/prometheus/go.mod tools/prometheus/go.sum .cache/toolchain
	@go -C tools/prometheus build -tags remove_all_sd -o ../../$@ github.com/prometheus/prometheus/cmd/promtool

# ---- what verify looks at --------------------------------------------------------------------------------------------

# Generated again in a copy, so that a check never changes the files it checks.
verify-generated:
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && \
	find go.mod $(ROOMS) -name '*.templ' -o -name go.mod | tar -cf - -T - | tar -xf - -C "$$copy" && \
	go tool templ generate -include-version=false -path "$$copy" >"$$copy/log" 2>&1 || { cat "$$copy/log"; exit 1; } && \
	for file in $$(cd "$$copy" && find . -name '*_templ.go'); do \
	  cmp -s "$$copy/$$file" "$$file" || { echo "$$file is not what templ writes from its .templ file: run make generate"; exit 1; }; \
	done && \
	for file in $$(find $(ROOMS) -name '*_templ.go'); do \
	  test -e "$$copy/$$file" || { echo "$$file has no .templ file any more: remove it"; exit 1; }; \
	done

verify-format:
	@files=$$(gofmt -l $(ROOMS)) && if test -n "$$files"; then echo "not formatted (run gofmt -w):"; echo "$$files"; exit 1; fi

# What runs in browsers (figs, wasm) has the same files here as there, so it is vetted once. staticcheck takes a function
# that only the browser calls (go:wasmexport) for an unused one.
MAINS := /wasm/(engine|reader|library)$$

verify-vet: .cache/staticcheck
	go vet ./...
	go vet -tags otel ./internal/cli/... ./cmd/figs-web
	go vet -tags nodestest ./cmd/figs-web
	.cache/staticcheck $$(go list ./... | grep -Ev '$(MAINS)')
	.cache/staticcheck -checks inherit,-U1000 ./wasm/engine ./wasm/reader ./wasm/library

# TypeScript reads the types in the comments of scripts and writes nothing: browsers are sent the scripts as they are. It is
# one of the packages that tests take from npm. It looks at a copy, beside which there is no wasm_exec.js, which is Go's.
TSC := .cache/npm/node_modules/typescript/bin/tsc

verify-scripts:
	@if test -e $(TSC); then \
	  copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && cp -R static/js static/browser.d.ts static/tsconfig.json "$$copy" && \
	  tsc="$$PWD/$(TSC)" && (cd "$$copy" && echo 'tsc -p static' && node "$$tsc" -p .) && \
	  go run ./internal/build/npm -unpacked -o "$$copy/engine" >/dev/null && cp -R packages/engine/test packages/engine/tsconfig.json "$$copy/engine" && \
	  ln -s "$$PWD/.cache/npm/node_modules" "$$copy/node_modules" && cd "$$copy/engine" && echo 'tsc -p packages/engine' && node "$$tsc" -p .; \
	else echo 'The types of scripts were not checked: run go run ./internal/setup, which installs typescript.'; test "$$CI" != true; fi

# What go.sum pins is what the module cache holds; internal/archtest holds go.mod to what is imported. Neither asks the
# network.
verify-modules:
	@go mod verify >/dev/null
	@go -C tools mod verify >/dev/null
	@go -C tools/release mod verify >/dev/null
	@go -C tools/s3 mod verify >/dev/null

FORCE:
