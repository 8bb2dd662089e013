-- Many starts cost less: what was started is handed over in arrays, not row by row.
-- breaking: no

set local lock_timeout = '5s';

drop function if exists pawl.start_checked(
    smallint, pawl.definition, jsonb, jsonb[], text[], text[], smallint[], timestamptz[], text
);
drop function if exists pawl.start_entries(smallint, pawl.definition, jsonb, bigint[], text);
