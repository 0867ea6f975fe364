# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets. Everything is built below build/<preset>.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
ARGS ?=
NAMES ?=
SECONDS_EACH ?= 300
PREFIX ?= /usr/local

.PHONY: help demo build lint check check-deep check-fresh bench fuzz format install clean
.DEFAULT_GOAL := help

help:
	@echo "make demo [ARGS=…]      build, then two robot hands follow two software gloves; e.g. ARGS=\"--seconds 20\""
	@echo "make build              the release build: build/release/bin/tendon"
	@echo "make install [PREFIX=…] the release build into PREFIX (default /usr/local; DESTDIR is honoured)"
	@echo "make lint               the rules of the house"
	@echo "make check              lint, all tests, sanitizers, short fuzzing (at most 15 minutes on 2 cores)"
	@echo "make check-deep         other compilers and build types, MSan, long fuzzing, soak (at most 60 minutes)"
	@echo "make check-fresh        make demo and make check in a fresh Debian 12"
	@echo "make bench [NAMES=…]    figures beside a peer: a table, and build/bench.jsonl"
	@echo "make fuzz [NAMES=…] [SECONDS_EACH=300]  fuzz the named targets (default all)"
	@echo "make format             clang-format on all sources"
	@echo "make clean              removes build/"

demo: build
	build/release/bin/tendon demo $(ARGS)

build:
	packages/install build
	cmake --preset release --log-level=WARNING
	cmake --build build/release -j $(JOBS)

install: build
	cmake --install build/release --prefix "$(PREFIX)"

lint:
	packages/install build check
	test/lint/run

check:
	packages/install build check
	JOBS=$(JOBS) test/check

check-deep:
	packages/install build check
	JOBS=$(JOBS) test/check_deep

check-fresh:
	test/check_fresh

bench:
	packages/install build check
	cmake --preset bench --log-level=WARNING
	cmake --build build/bench -j $(JOBS)
	bench/run build/bench $(NAMES)

fuzz:
	packages/install build check
	cmake --preset fuzz --log-level=WARNING
	cmake --build build/fuzz -j $(JOBS)
	test/fuzz_long build/fuzz $(SECONDS_EACH) $(NAMES)

format:
	git ls-files -z --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp' '*.hpp' | xargs -0r clang-format -i

clean:
	rm -rf build
