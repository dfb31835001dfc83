#!/bin/bash
# One packing on several nodes, continued in as many jobs as it takes. docs/guide/ranks.md explains the ranks, docs/guide/interruptions.md the signals.
#SBATCH --job-name=jostle
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=8
#SBATCH --cpus-per-task=4
#SBATCH --mem=64G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# Ten minutes before the end of the job, Slurm sends SIGTERM to all ranks. The first one writes packing and checkpoint.
#SBATCH --signal=TERM@600
set -u

spheres=${SPHERES:-1e8}
checkpoint=concrete.checkpoint
packing=concrete.csv

# Slurm starts the ranks through PMIx, the interface of Open MPI.
if [ -e "$checkpoint" ]; then
    srun --mpi=pmix jostle resume "$checkpoint" --threads "$SLURM_CPUS_PER_TASK"
elif [ ! -e "$packing" ]; then
    srun --mpi=pmix jostle pack concrete -n "$spheres" --threads "$SLURM_CPUS_PER_TASK" \
        --checkpoint "$checkpoint" --checkpoint-every 30m -o "$packing"
fi
code=$?

# The checkpoint exists as long as the run is not over.
if [ "$code" -eq 143 ] && [ -e "$checkpoint" ]; then
    scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
