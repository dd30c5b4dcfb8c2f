"""The same clustering on Spark: profiles, groups, samples and components stay on the engine.

Everything is a table, written to the job's directory as soon as it is made: what a lost machine
had, another one reads or makes again, and a job that was killed goes on from the last table. Tasks
are told files and offsets, never pages. The numbers of URLs and locations follow from the order of
the input alone, never from partitions, so that the outcome is the local engine's.
"""
