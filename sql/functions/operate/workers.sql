-- What a worker tells every other second, and what it is told: that it should take no more runs, and which circuits to
-- close. p_resting: what it does now, which a new session of the same process takes over; p_runs: what it holds. The
-- arrays are its circuits that were ever open: those of earlier reports that are not among them go, and the row of one
-- that has not changed stays as it is. p_wait: for how many milliseconds from now nothing is called. Locks rows of that
-- worker alone.
create or replace function pawl.report_worker(
    p_worker uuid, p_resting boolean, p_runs int, p_tenant int[], p_target text[], p_state text[], p_opened bigint[],
    p_wait bigint[], p_error text[], out draining boolean, out close_tenant int[], out close_target text[]
)
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    update pawl.worker w
       set heard_at = coalesce(w.heard_at, now()), runs = p_runs, resting = p_resting,
           drain_at = case when w.heard_at is null and p_resting then now() else w.drain_at end
     where w.id = p_worker and (w.heard_at is null or w.runs <> p_runs or w.resting <> p_resting);
    select w.drain_at is not null into draining from pawl.worker w where w.id = p_worker;
    if not found then
        -- It was declared dead; its next session tells again.
        draining := p_resting;
        return;
    end if;
    delete from pawl.circuit c
     where c.worker = p_worker
       and not exists (select 1 from unnest(p_tenant, p_target) as u (tenant, target)
                        where u.tenant = c.tenant and u.target = c.target);
    insert into pawl.circuit as c (worker, tenant, target, state, opened, until, error)
    select p_worker, u.tenant, u.target, u.state, u.opened,
           case when u.state = 'open' then now() + u.wait * interval '1 ms' end, u.error
      from unnest(p_tenant, p_target, p_state, p_opened, p_wait, p_error)
           as u (tenant, target, state, opened, wait, error)
      join pawl.tenant t on t.id = u.tenant
        on conflict on constraint circuit_pk do update
       set state = excluded.state, opened = excluded.opened, until = excluded.until, error = excluded.error,
           changed_at = now()
     where (c.state, c.opened, c.error) is distinct from (excluded.state, excluded.opened, excluded.error);
    with told as (
        update pawl.circuit c set close_at = null
         where c.worker = p_worker and c.close_at is not null
        returning c.tenant, c.target
    )
    select coalesce(array_agg(t.tenant), '{}'), coalesce(array_agg(t.target), '{}')
      into close_tenant, close_target from told t;
end
$$;
