#!/bin/bash
# A study: a packing for each task of a job array, with its task number as the seed. Tasks that are queued again continue.
#SBATCH --job-name=jostle-study
#SBATCH --array=1-100
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=01:00:00
#SBATCH --requeue
set -eu

spheres=${SPHERES:-1e5}
name=lognormal-$SLURM_ARRAY_TASK_ID

if [ -e "$name.checkpoint" ]; then
    srun jostle resume "$name.checkpoint" --threads "$SLURM_CPUS_PER_TASK"
elif [ ! -e "$name.json" ]; then
    srun jostle pack lognormal:d50=1,sigma=0.4 -n "$spheres" --seed "$SLURM_ARRAY_TASK_ID" \
        --threads "$SLURM_CPUS_PER_TASK" --checkpoint "$name.checkpoint" -o "$name.json"
fi
