# SPDX-License-Identifier: MIT
# Builds the fuzz targets apart from the rest, with a compiler of their own:
#
#	make -f build.mk SRC=TOP BUILD=BUILD_DIRECTORY HOW=libfuzzer|afl|replay|coverage
#
# in the working directory, which gets one program for each target. replay: no fuzzer, main.c runs
# the target on files.

TARGETS = dir gm lm node rec repair rtrace signatures textdeflate
PROGRAMS = $(TARGETS)
HELPERS = drawn everything loops mutate packed reread scratch structures
DEFLATING = deflate deflate_block fastcrc huffman textmatch
TOOLS = chunkfile fold foldlive foldstream harmless layers livedir livefile message options progress streamfacts

CC_libfuzzer = clang
CC_afl = afl-clang-fast
CC_replay = $(CC)
CC_coverage = gcc
SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=undefined
FLAGS_libfuzzer = -O2 $(SANITIZERS) -fsanitize=fuzzer-no-link
FLAGS_afl = -O2 $(SANITIZERS)
FLAGS_replay = -O1 $(SANITIZERS)
FLAGS_coverage = -O0 --coverage
LINK_libfuzzer = -fsanitize=fuzzer
ifneq ($(HOW),libfuzzer)
MAIN = main.o
endif
ifeq ($(HOW),coverage)
PROGRAMS += judge unittest
endif

COMPILE = $(CC_$(HOW)) -std=gnu11 -g -Wall -Wextra -Werror -D_GNU_SOURCE \
	-DRECORDER_VERSION='"fuzz"' -I$(SRC)/include -I$(SRC)/lib -I$(SRC)/tools -I$(BUILD)/functions -I$(SRC)/functions \
	$(FLAGS_$(HOW)) -MMD

LIBRARY = $(patsubst $(SRC)/lib/%.c,lib/%.o,$(wildcard $(SRC)/lib/format/*.c $(SRC)/lib/read/*.c))
OBJECTS = $(LIBRARY) $(HELPERS:=.o) $(MAIN)

all: $(PROGRAMS)

$(TARGETS): %: target/%.o $(OBJECTS)
	$(CC_$(HOW)) $(FLAGS_$(HOW)) $(LINK_$(HOW)) -o $@ $(filter-out $(LEFT_OUT_$@),$(filter %.o,$^)) -lz -lm

judge: target/judge.o everything.o $(LIBRARY)
	$(CC_$(HOW)) $(FLAGS_$(HOW)) -o $@ $^ -lz -lm

unittest: unit/unittest.o $(LIBRARY:%=unit/%)
	$(CC_$(HOW)) $(FLAGS_$(HOW)) -o $@ $^ -lz -lm

unit/unittest.o: $(SRC)/test/unit/unittest.c
	@mkdir -p $(@D)
	$(COMPILE) -DUNIT_TEST -I$(SRC)/test/unit -c -o $@ $<
unit/lib/%.o: $(SRC)/lib/%.c
	@mkdir -p $(@D)
	$(COMPILE) -DUNIT_TEST -I$(SRC)/test/unit -c -o $@ $<

textdeflate: $(DEFLATING:%=tools/%.o)
repair: $(TOOLS:%=tools/%.o) lib/analysis/file_classes.o
LEFT_OUT_repair = lib/read/life.o # it has its own

lib/%.o: $(SRC)/lib/%.c
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<
tools/%.o: $(SRC)/tools/%.c
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<
target/%.o: $(SRC)/test/fuzz/%.c
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<
%.o: $(SRC)/test/fuzz/%.c
	$(COMPILE) -c -o $@ $<

.PHONY: all
.SECONDARY:
-include $(wildcard *.d */*.d */*/*.d */*/*/*.d)
