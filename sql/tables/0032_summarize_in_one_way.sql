-- pawl.summarize_partitions serves closed runs and the log, so the function for closed runs alone goes.
-- breaking: no

set local lock_timeout = '5s';

drop function if exists pawl.summarize_runs();
