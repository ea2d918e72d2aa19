# What this machine must have: a test that finds one of these missing fails
# instead of skipping. Add what yours has.
ifeq ($(shell go env GOOS),linux)
REQUIRE ?= epoll,descriptors,delay,gate,program,sharedmemory,kernelclock,cputime,child
else
REQUIRE ?= delay,gate,program
endif

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

# How many inputs each fuzz target gets.
FUZZ ?= 20000x

export REQUIRE

.PHONY: check test race fuzz bench ci required

# check reads the code and runs none of it.
check:
	@files=$$(gofmt -l .) || exit; [ -z "$$files" ] || { echo "gofmt -w $$files"; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...

test:
	go test ./...

required:
	@echo $(REQUIRE)

race:
	CGO_ENABLED=1 go test -race ./...

fuzz:
	.ci/fuzz $(FUZZ)

# bench runs each benchmark once, to see that it works. The figures come from
# the program: go run ./bench.
bench:
	go test -run '^$$' -bench . -benchtime 1x ./...

ci:
	bash .ci/run
