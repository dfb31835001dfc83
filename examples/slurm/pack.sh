#!/bin/bash
# One packing on one node, continued in as many jobs as it takes. docs/guide/interruptions.md explains the lines.
#SBATCH --job-name=jostle
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=8G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# Five minutes before the end of the job, Slurm sends SIGTERM to the program, which writes packing and checkpoint.
#SBATCH --signal=TERM@300
set -u

checkpoint=concrete.checkpoint
packing=concrete.json

if [ -e "$checkpoint" ]; then
    srun jostle resume "$checkpoint" --threads "$SLURM_CPUS_PER_TASK"
elif [ ! -e "$packing" ]; then
    srun jostle pack concrete -n 1e7 --effort thorough --threads "$SLURM_CPUS_PER_TASK" \
        --checkpoint "$checkpoint" --checkpoint-every 10m -o "$packing"
fi
code=$?

# The checkpoint exists as long as the run is not over.
if [ "$code" -eq 143 ] && [ -e "$checkpoint" ]; then
    scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
