-- A client that is gone from the network leaves a session in the middle of a batch: the server waits for the rest of
-- it, no time limit of the server counts there, and the locks stay until TCP gives up, hours later. Such a session
-- holds its worker's row, so the worker was never declared dead and its runs went on nowhere. Workers end them.
-- breaking: no

set local lock_timeout = '5s';

-- Sessions that hold rows of Pawl and whose client has sent no more of its batch for that long. `ended` is false where
-- this login may not end them (another role, without pg_signal_backend). A COPY is not one of them: its client may take
-- its time. What a person holds in an open transaction is "idle in transaction", and has a time limit of its own.
create function pawl.end_silent_sessions(p_patience interval) returns table (pid int, ended boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_pid int;
begin
    for v_pid in
        with silent as materialized (
            select a.pid, a.application_name
              from pg_stat_activity a
             where a.datname = current_database() and a.pid <> pg_backend_pid()
               and a.state = 'active' and a.wait_event_type = 'Client' and a.wait_event = 'ClientRead'
               and a.backend_xid is not null
               and a.state_change < clock_timestamp() - p_patience
               and a.query !~* '^\s*copy\M'
        )
        select s.pid
          from silent s
         where exists (
                 select 1
                   from pg_locks l
                   join pg_class c on c.oid = l.relation
                  where l.pid = s.pid and l.locktype = 'relation' and l.granted
                    and l.database = (select d.oid from pg_database d where d.datname = current_database())
                    and l.mode in ('RowShareLock', 'RowExclusiveLock')
                    and c.relnamespace = 'pawl'::regnamespace
                    and (c.relname = 'worker' or s.application_name like 'pawl%')
               )
    loop
        pid := v_pid;
        begin
            ended := pg_terminate_backend(v_pid);
        exception when insufficient_privilege then
            ended := false;
        end;
        return next;
    end loop;
end
$$;
