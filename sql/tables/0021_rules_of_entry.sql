-- The rule of entry of a start may be a time (reentry: {after: 30d}): a number instead of one of three words.
-- breaking: no

set local lock_timeout = '5s';

drop function if exists pawl.start_guarded_runs(
    smallint, uuid, boolean, uuid[], int[], int[], int[], text[], smallint[], timestamptz[], jsonb[], text[], boolean[],
    smallint[], jsonb[]
);
drop function if exists pawl.take_reentry(smallint, int, int, text, uuid, smallint, uuid[]);
drop function if exists pawl.settle_queue(
    smallint, text, bigint[], bigint[], bigint[], int[], text[], jsonb[], bigint[], uuid[], int[], int[], int[], text[],
    jsonb[], text[], smallint[]
);
drop function if exists pawl.first_event(pawl.definition, jsonb, text, text, timestamptz, text);
