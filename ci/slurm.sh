#!/usr/bin/env bash
# A suite split over a Slurm array job, with one worker killed half way: nothing is lost, nothing counts twice.
# Debian: starts a cluster of this one machine (packages slurm-wlm and munge, installed if they are absent; needs root).
# slurm.sh [BINARY]: the program, default target/release/stillframe.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/stillframe}")
scenes=60
parts=4

if ! command -v slurmctld >/dev/null; then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends slurm-wlm munge >/dev/null
fi

work=$(mktemp -d)
daemons=()
stop() {
  for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT

# ---- a cluster of one node
host=$(hostname -s)
mkdir -p /run/munge /etc/munge "$work/state" "$work/spool"
[ -s /etc/munge/munge.key ] || dd if=/dev/urandom of=/etc/munge/munge.key bs=1 count=1024 2>/dev/null
chown -R munge: /run/munge /etc/munge /var/lib/munge /var/log/munge
chmod 400 /etc/munge/munge.key
pgrep -x munged >/dev/null || su -s /bin/sh munge -c /usr/sbin/munged || /usr/sbin/munged --force
cat >"$work/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
slurmctld -D -f "$SLURM_CONF" >/dev/null 2>&1 & daemons+=($!)
slurmd -D -f "$SLURM_CONF" >/dev/null 2>&1 & daemons+=($!)
for _ in $(seq 60); do
  [ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && break
  sleep 0.5
done
[ "$(sinfo -h -o %t)" = idle ] || { echo "the cluster does not start"; tail -5 "$work"/*.log; exit 1; }

# ---- a project
project=$work/project
mkdir -p "$project/scenes/many"
cd "$project"
printf '[test]\nkept_runs = 100\n' >stillframe.toml
for index in $(seq -w 1 $scenes); do
  printf 'title = "Scene %s"\n[output]\nsize_px = [320, 240]\n[camera.main]\nposition = [0.0, 0.6, 3.0]\nlook_at = [0.0, 0.0, 0.0]\n[environment]\nsky = {}\n[[node]]\nshape = "sphere"\nradius_m = 0.%s\n' \
    "$index" "$index" >"scenes/many/s$index.toml"
done
"$program" test -q >/dev/null 2>&1 || true
"$program" accept --all >/dev/null
rm -rf target
echo "$scenes scenes with references"

# ---- an array of jobs; the second one's program is killed half way
cat >job.sh <<JOB
#!/usr/bin/env bash
cd "$project"
exec "$program" test --no-cache --partition auto -j 1
JOB
array=$(sbatch --parsable --array=0-$((parts - 1)) --cpus-per-task=1 --output="$work/out-%a" job.sh)
killed=no
for _ in $(seq 2000); do
  for run in target/stillframe/runs/*/run.jsonl; do
    [ -e "$run" ] || continue
    if grep -q '"partition":"hash:2/4"' "$run" && [ "$(wc -l <"$run")" -ge 4 ] && ! grep -q run-end "$run"; then
      # The program of that part: the parent of its worker.
      for pid in $(pgrep -f "test --no-cache --partition auto"); do
        if tr '\0' '\n' <"/proc/$pid/environ" | grep -qx SLURM_ARRAY_TASK_ID=1; then kill -9 "$pid" && killed=yes; fi
      done
    fi
  done
  [ $killed = yes ] && break
  sleep 0.01
done
[ $killed = yes ] || { echo "part 2 was never half way"; exit 1; }
echo "part 2 was killed"
while [ -n "$(squeue -h -j "$array" 2>/dev/null)" ]; do sleep 0.2; done

# ---- what is there does not pass as the whole
if "$program" report merge target/stillframe/runs -o cut.html >cut.txt 2>&1; then
  echo "a suite with a part cut off passed"; cat cut.txt; exit 1
fi
tail -1 cut.txt | sed 's/^/without part 2: /'

# ---- the part runs again, as a job of its own
again=$(sbatch --parsable --array=1 --cpus-per-task=1 --output="$work/again-%a" \
  --wrap "cd '$project' && exec '$program' test --no-cache --partition hash:2/$parts -j 1")
while [ -n "$(squeue -h -j "$again" 2>/dev/null)" ]; do sleep 0.2; done
"$program" report merge target/stillframe/runs -o whole.html >whole.txt 2>&1 || { echo "the whole failed"; cat whole.txt; exit 1; }
last=$(tail -1 whole.txt)
[ "$last" = "$scenes passed, 0 failed, 0 skipped" ] || { echo "lost or twice: $last"; cat whole.txt; exit 1; }
echo "joined: $last"
