#!/bin/sh
# SPDX-License-Identifier: MIT
# Ranks that only the environment tells of: RANK, WORLD_SIZE ...
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
# shellcheck source=test/launchers/ranks.sh
. "$TOP_SRCDIR/test/launchers/ranks.sh"
torchrun="python3 $TOP_SRCDIR/test/launchers/by_environment.py"
export RECORDER_QUIET=1

recorder run -o around --programs rank -- $torchrun 4 "$rank" 20 || fail "recorder run torchrun"
expect_ranks around 4 20 RANK
$torchrun 4 recorder run -o inside -- "$rank" 20 || fail "torchrun recorder run"
expect_ranks inside 4 20 RANK
(
	eval "$(recorder env -o bare --programs rank)"
	$torchrun 4 "$rank" 20
) || fail "recorder env"
expect_ranks bare 4 20 RANK

# the launcher, where it is recorded as well, is beside the job: rank 0 is the process that was told so
recorder run -o both -- $torchrun 4 "$rank" 20 || fail "recorder run of launcher and ranks"
expect_eq "0:0:4:1 0:1:4:1 0:2:4:1 0:3:4:1 1:0::1" "$(recorder sql -q --csv both "SELECT DISTINCT world || ':' || rank || ':' || ifnull(size, '') || ':' || main
FROM streams WHERE main ORDER BY 1" | tail -n +2 | tr -d '"\r' | paste -sd ' ' -)" "worlds, ranks, sizes and whose own processes they are"
exit 0
