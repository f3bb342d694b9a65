# `make` alone lists the targets. Everything runs by npm scripts, which bring Node 24 (the package "node").
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

IMG ?= counterpoise:0.1.0
OVERLAY ?= metacontroller/overlays/production
KUBECTL ?= kubectl
CRDS := balancers.materialize.cloud rebalances.rebalancer.ch1aki.github.io

# npm writes this file last; a newer lockfile means that what is installed is not what is locked. A node_modules that is
# a link belongs to whoever made it.
INSTALLED := node_modules/.package-lock.json
$(INSTALLED): package-lock.json
	@[ -L node_modules ] || npm ci --no-audit --no-fund --loglevel=error

##@ Try it

.PHONY: demo
demo: $(INSTALLED) ## The story of both hooks, printed; no cluster, no network (ends by itself)
	@npm run --silent demo

.PHONY: start
start: $(INSTALLED) ## A whole world: Kubernetes, Metacontroller, hooks, Prometheus, Route 53 (builds it once; Ctrl-C ends it)
	@npm run --silent controlplane

.PHONY: start-hooks
start-hooks: $(INSTALLED) ## The hooks alone with stand-ins for Prometheus and Route 53, for curl (Ctrl-C ends it)
	@npm run --silent start:dev

##@ Develop

.PHONY: test
test: $(INSTALLED) ## Everything that Node alone can test, with coverage (under a minute)
	@npm test --silent

.PHONY: e2e
e2e: $(INSTALLED) ## Manifests and hooks against real parts: Kubernetes, Prometheus, Route 53, a browser (builds them: 10 minutes, once)
	@npm run --silent e2e

.PHONY: control
control: $(INSTALLED) ## Closed loops: the original's law, HPA's rule and ours on the same plants, as tests and a table
	@npm run --silent control

.PHONY: chaos
chaos: $(INSTALLED) ## Fleets under AWS' limits, faults, kill -9 and 50,000 bent bodies, with figures
	@npm run --silent chaos

.PHONY: bench
bench: $(INSTALLED) ## Syncs per second, latency, memory, start time, beside a bare Node server
	@npm run --silent bench

.PHONY: lint
lint: $(INSTALLED) ## Format, lint, types, and that what is generated is up to date
	@npm run --silent lint

.PHONY: generate
generate: $(INSTALLED) ## Write crds/ and docs/reference/ from the code
	@npm run --silent generate

.PHONY: build
build: $(INSTALLED) ## Compile src/ to dist/, as the image has it
	@npm run --silent build

.PHONY: audit
audit: $(INSTALLED) ## Known vulnerabilities of what the image has, and the registry's signatures (asks the npm registry)
	npm audit --omit=dev --audit-level=low
	npm audit signatures

.PHONY: sbom
sbom: $(INSTALLED) ## Print what the image has besides Node, as CycloneDX JSON
	@npm sbom --package-lock-only --omit=dev --sbom-format=cyclonedx --sbom-type=application

##@ Image

.PHONY: docker-build
docker-build: ## Build the image IMG
	docker build --tag $(IMG) .

.PHONY: docker-push
docker-push: ## Push the image IMG
	docker push $(IMG)

##@ Cluster (the current context of kubectl)

.PHONY: install
install: ## Apply the CRDs
	$(KUBECTL) apply --server-side -k crds

.PHONY: uninstall
uninstall: ## Delete the CRDs; refuses while objects exist, since they and their children would go too
	@for crd in $(CRDS); do \
	  found=$$($(KUBECTL) get crd $$crd --ignore-not-found -o name); \
	  [ -n "$$found" ] || continue; \
	  left=$$($(KUBECTL) get $$crd --all-namespaces --no-headers --ignore-not-found); \
	  [ -z "$$left" ] || { printf 'delete these %s first:\n%s\n' "$$crd" "$$left" >&2; exit 1; }; \
	done
	$(KUBECTL) delete --ignore-not-found -k crds

.PHONY: deploy
deploy: install ## Apply the CRDs, then OVERLAY with the image IMG
	@image='$(IMG)' && $(KUBECTL) kustomize $(OVERLAY) | sed "s|image: counterpoise:.*|image: $$image|" | $(KUBECTL) apply -f -

.PHONY: undeploy
undeploy: ## Delete what deploy applied; Balancers, their pods, Rebalances and weights stay
	$(KUBECTL) delete --ignore-not-found -k $(OVERLAY)

.PHONY: help
help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z0-9-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo '  IMG=$(IMG)  OVERLAY=$(OVERLAY)  KUBECTL=$(KUBECTL)'
