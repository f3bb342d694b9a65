// Only the CRDs are read from this module (deploy/crds), so nothing of it is built: `go mod download`, never `go mod tidy`.
module counterpoise.local/tools/cert-manager

go 1.26.0

require github.com/cert-manager/cert-manager v1.21.2
