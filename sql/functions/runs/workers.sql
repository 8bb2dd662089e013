-- needs: functions/sql_api/messages

-- Stops a worker that was declared dead (SQLSTATE PW001), and holds off declaring it dead until
-- this transaction ends.
create or replace function pawl.assert_worker(p_worker uuid) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    perform 1
       from pawl.worker w
      where w.id = p_worker and w.timeline = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
        for key share;
    if not found then
        raise exception 'worker % is not registered or was declared dead', p_worker using errcode = 'PW001';
    end if;
end
$$;

-- Makes the runs that a worker held ready, and notifies the other workers.
create or replace function pawl.release_held(p_worker uuid) returns bigint
language sql
set search_path = pg_catalog
as $$
    with released as (
        update pawl.live_run l set state = 0, worker = null
         where l.worker = p_worker and l.state = 1
        returning l.bucket, l.run_id
    ), told as (
        insert into pawl.signal (bucket, run_id, kind, data)
        select r.bucket, r.run_id, 'interrupted', '{}' from released r
        returning 1
    )
    select count(*) from told;
$$;

-- A worker stops. The runs that it still holds become ready: without its row no worker would ever
-- look at them again. The row goes first, so that a claim under way is waited for and seen by the
-- next statement.
create or replace function pawl.retire_worker(p_worker uuid) returns bigint
language plpgsql
set search_path = pg_catalog
as $$
begin
    delete from pawl.worker w where w.id = p_worker;
    return pawl.release_held(p_worker);
end
$$;

-- Takes workers away that have not been heard of for p_ttl and makes their runs ready again. A
-- worker in the middle of a batch holds its row, is skipped, and is looked at next time.
create or replace function pawl.sweep_dead_workers(p_ttl interval) returns table (worker uuid, runs bigint)
language plpgsql
set search_path = pg_catalog
as $$
#variable_conflict use_column
declare
    v_worker uuid;
begin
    for v_worker in
        select w.id from pawl.worker w where w.beat_at < now() - p_ttl for update skip locked
    loop
        runs := pawl.release_held(v_worker);
        delete from pawl.worker w where w.id = v_worker;
        worker := v_worker;
        return next;
    end loop;
end
$$;

-- Sessions that hold rows of Pawl and whose client has sent no more of its batch for that long. `ended` is false where
-- this login may not end them (another role, without pg_signal_backend). A COPY is not one of them: its client may take
-- its time. What a person holds in an open transaction is "idle in transaction", and has a time limit of its own.
create or replace function pawl.end_silent_sessions(p_patience interval) returns table (pid int, ended boolean)
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
