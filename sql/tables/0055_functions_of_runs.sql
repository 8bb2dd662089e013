-- Functions whose parameters are others now: the pass over open runs is bounded, and event 0 of a run is written by its
-- caller.
-- breaking: no

set local lock_timeout = '5s';

drop function if exists pawl.count_open_statuses(smallint, int, int, text, uuid, uuid);
drop function if exists pawl.insert_ready_runs(
    smallint, uuid[], int[], int[], int[], text[], smallint[], timestamptz[], jsonb[]
);
