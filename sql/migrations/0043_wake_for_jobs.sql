-- A job is worked off by a server; whoever makes one, on the command line or in SQL, wakes them.
-- breaking: no

set local lock_timeout = '5s';

create function pawl.wake_for_jobs() returns trigger
language plpgsql
set search_path = pg_catalog as $$
begin
    perform pg_notify('pawl_wake', 'jobs');
    return null;
end
$$;
create trigger wake_for_jobs after insert on pawl.job for each statement execute function pawl.wake_for_jobs();
