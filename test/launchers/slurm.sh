#!/bin/sh
# SPDX-License-Identifier: MIT
# Slurm on a single node, its daemons started here and ended by their process numbers: the line of recorder env, recorder run inside
# srun, and a TaskProlog that exports the preload to every task.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
[ "$(id -u)" = 0 ] || skip "Slurm's daemons need root"
PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd srun setpriv; do
	need $program "slurm-wlm munge"
done
# shellcheck source=test/launchers/ranks.sh
. "$TOP_SRCDIR/test/launchers/ranks.sh"
export RECORDER_QUIET=1

chmod 711 . # munged is another user
mkdir munge spool state
dd if=/dev/urandom of=munge/key bs=128 count=1 2>/dev/null
chmod 400 munge/key
chown -R munge munge
chmod 711 munge
host=$(uname -n | cut -d. -f1)
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$((20000 + $$ % 10000))
SlurmdPort=$((30000 + $$ % 10000))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$PWD/munge/socket
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/slurmd.pid
SlurmctldLogFile=$PWD/slurmctld.log
SlurmdLogFile=$PWD/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
TaskProlog=$PWD/prolog
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=500 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES OverSubscribe=YES:4 MaxTime=10 State=UP
END
printf "#!/bin/sh\necho export FROM_PROLOG=1\n" >prolog
chmod +x prolog
SLURM_CONF=$PWD/slurm.conf
export SLURM_CONF

daemons=
slurm_end()
{
	for daemon in $daemons; do
		kill "$daemon" 2>/dev/null
	done
	for daemon in $daemons; do
		wait "$daemon" 2>/dev/null
	done
	test_cleanup
}
trap slurm_end EXIT

timeout -k 5 170 setpriv --reuid munge --regid munge --clear-groups munged --foreground --force --key-file="$PWD/munge/key" \
	--socket="$PWD/munge/socket" --pid-file="$PWD/munge/pid" --log-file="$PWD/munge/log" \
	--seed-file="$PWD/munge/seed" >munged.out 2>&1 &
daemons=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ -S munge/socket ] && break
	sleep 0.5
done
[ -S munge/socket ] || fail "munged: $(cat munged.out)"
timeout -k 5 170 slurmctld -D -c >slurmctld.out 2>&1 &
daemons="$! $daemons"
timeout -k 5 170 slurmd -D -N "$host" >slurmd.out 2>&1 &
daemons="$! $daemons"
for _ in $(seq 60); do
	[ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && break
	sleep 0.5
done
[ "$(sinfo -h -o %t)" = idle ] || fail "Slurm does not start: $(tail -n 5 slurm*.log slurm*.out)"

# the line that recorder env prints
eval "$(recorder env --launcher slurm -o "$PWD/a trace" --layers posix,stdio) -n 3 -O \"\$rank\" 20" || fail "srun"
expect_ranks "a trace" 3 20 SLURM_PROCID

# inside
timeout 60 srun -n 2 -O recorder run -o "$PWD/inside" -- "$rank" 20 || fail "srun recorder run"
expect_ranks inside 2 20 SLURM_PROCID

# and around
timeout 60 recorder run -o "$PWD/around" -- srun -n 2 -O "$rank" 20 || fail "recorder run srun"
expect_ranks around 2 20 SLURM_PROCID

# by the site: nothing in the user's job says a word of it; the daemon slurmstepd is not recorded
cat >prolog <<END
#!/bin/sh
echo "export LD_PRELOAD=$RECORDER_SO"
echo "export RECORDER_TRACES_DIR=$PWD/site-%j-%s"
END
job=$(timeout 60 srun -n 2 -O sh -c "\"$rank\" 20; echo \$SLURM_JOB_ID" | sort -u) || fail "srun with a prolog"
trace=$(echo site-*)
[ -d "$trace" ] || fail "the prolog makes no trace for job $job: $(ls)"
quietly recorder check "$trace" || fail "recorder check $trace"
expect_eq "2 True" "$(recorder info -q --json "$trace" | python3 -c '
import json, sys
info = json.load(sys.stdin)
print(info["ranks"], info["complete"])')" "ranks of $trace, complete"
recorder info -q --json "$trace" | grep -q slurmstepd && fail "slurmstepd is recorded"
case $trace in
*"$job"*) ;;
*) fail "the trace of job $job is called $trace" ;;
esac
exit 0
