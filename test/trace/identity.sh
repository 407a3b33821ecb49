#!/bin/sh
# SPDX-License-Identifier: MIT
# Two processes with the variables of a launcher are two ranks of one trace, whatever launcher it is; and with those of
# another job or step they are another run.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
for name in $(env | sed -n 's/^\(\(OMPI\|PMIX\|PMI\|SLURM\|FLUX\|PALS\|JSM\|LSB\|PBS\)_[A-Za-z_]*\)=.*/\1/p'); do
	unset "$name"
done

# TRACE RANK VARIABLE=VALUE...
rank()
{
	trace=$1 number=$2
	shift 2
	# what ends in an '=' takes the number
	for word in "$@"; do
		shift
		case $word in
		*=) set -- "$@" "$word$number" ;;
		*) set -- "$@" "$word" ;;
		esac
	done
	env "$@" RECORDER_TRACES_DIR="$trace" LD_PRELOAD="$RECORDER_SO" cat /dev/null || fail "cat as $*"
}

# NAME RUN-ID-PATTERN SOURCE VARIABLE=VALUE...
job()
{
	name=$1 run=$2 source=$3
	shift 3
	rank "$name" 0 "$@"
	rank "$name" 1 "$@"
	[ ! -e "$name.2" ] || fail "$name: the ranks are of two runs"
	recorder info --json "$name" >told.json || fail "$name: info"
	python3 - "$run" "$source" <<-'END' || fail "$name: $(cat told.json)"
		import fnmatch, json, sys
		info = json.load(open("told.json"))
		assert info["ranks"] == 2 and info["complete"], "ranks"
		assert fnmatch.fnmatch(info["run_id"], sys.argv[1]), info["run_id"]
		assert {s["rank_source"] for s in info["streams"]} == {sys.argv[2]}, "sources"
		assert all(s["size"] in (-1, 2) for s in info["streams"]), "sizes"
	END
}

job openmpi a-b OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_RANK= OMPI_COMM_WORLD_SIZE=2 PMIX_RANK= \
	PMIX_NAMESPACE=77 OMPI_MCA_orte_precondition_transports=a-b
job pmix slurm.pmix.12.0 PMIX_RANK PMIX_RANK= PMIX_NAMESPACE=slurm.pmix.12.0
job pmi2 12.5 PMI_RANK PMI_RANK= PMI_SIZE=2 PMI_JOBID=12.5 SLURM_JOB_ID=12 SLURM_STEP_ID=5
job slurm 12.3 SLURM_PROCID SLURM_PROCID= SLURM_NTASKS=2 SLURM_JOB_ID=12 SLURM_STEP_ID=3
job flux f2x FLUX_TASK_RANK FLUX_TASK_RANK= FLUX_JOB_SIZE=2 FLUX_JOB_ID=f2x
job pals e4 PALS_RANKID PALS_RANKID= PALS_APID=e4 PBS_JOBID=9.server
job jsrun 100.4 JSM_NAMESPACE_RANK JSM_NAMESPACE_RANK= JSM_NAMESPACE_SIZE=2 JSM_NAMESPACE_ID=4 LSB_JOBID=100
job torchrun 12.0 RANK RANK= WORLD_SIZE=2 SLURM_PROCID=0 SLURM_JOB_ID=12 SLURM_STEP_ID=0
# a launcher that names no job: the process that started both names it
job mpich "*-$$-*" PMI_RANK PMI_RANK= PMI_SIZE=2

# another step, into the same directory
rank slurm 0 SLURM_PROCID= SLURM_JOB_ID=12 SLURM_STEP_ID=4 2>/dev/null
[ -d slurm.2 ] || fail "another step went into the same trace"
exit 0
