-- Delays runs that were parked in this transaction by a worker that cannot execute them: a message that waits for them
-- has made them due, and the worker would claim them again at once, and again.
create or replace function pawl.put_off_runs(p_bucket smallint, p_run uuid[], p_due timestamptz[]) returns void
language sql
set search_path = pg_catalog as $$
    update pawl.live_run l
       set due_at = x.due
      from (
          select h.ctid as row_id, u.due
            from unnest(p_run, p_due) as u (run_id, due)
           cross join lateral (
               select o.ctid from pawl.live_run o
                where o.bucket = p_bucket and o.run_id = u.run_id and o.state = 0 and o.worker is null
               offset 0
           ) as h
      ) as x
     where l.ctid = x.row_id
$$;

-- A claim fails for some run: each that is due is tried alone. One that fails again is put off, so that the next claim
-- comes past it.
create or replace function pawl.put_off_unclaimable(p_bucket smallint, p_worker uuid, p_limit int)
returns table (run_id uuid, reason text)
language plpgsql
set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_run uuid;
begin
    for v_run in
        select l.run_id
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.due_at <= now()
         order by l.priority, l.due_at, l.run_id
         limit p_limit
    loop
        begin
            update pawl.live_run l set state = 1, worker = p_worker
             where l.bucket = p_bucket and l.run_id = v_run and l.state = 0;
            perform md5(e.data::text || e.error::text)
               from pawl.event e
              where e.bucket = p_bucket and e.run_id = v_run;
            raise exception 'tried' using errcode = 'PW010';
        exception
            when sqlstate 'PW010' or lock_not_available or deadlock_detected or serialization_failure then
                null;
            when others then
                run_id := v_run;
                reason := sqlerrm;
                update pawl.live_run l set due_at = now() + interval '1 minute'
                 where l.bucket = p_bucket and l.run_id = v_run and l.state = 0;
                return next;
        end;
    end loop;
end
$$;
