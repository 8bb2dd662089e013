-- Gives the caller's transaction WAL of its own: its commit then waits for the standbys, and what lies before it in the
-- log is there when it returns. A message for logical decoding is the smallest thing that does so.
create or replace function pawl.confirm_found() returns void
language sql
volatile
set search_path = pg_catalog
begin atomic
    select pg_logical_emit_message(true, 'pawl', '');
end;
