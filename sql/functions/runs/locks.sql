-- Takes a place, once however often it is asked for. True: inside. One key is dealt with by one transaction at a time.
create or replace function pawl.enter_lock(p_bucket smallint, p_tenant int, p_key text, p_run uuid, p_token int)
returns boolean
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
declare
    v_first record;
begin
    -- The commit that closes a run takes the row away and then the places: a later claim gets none. Commits take
    -- these locks in the same order.
    perform 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = p_run for key share;
    if not found then
        return false;
    end if;
    perform pawl.hold(p_tenant, pawl.lock_latch(p_bucket, p_key));
    if not exists (
        select 1
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = p_tenant and l.key = p_key and l.run_id = p_run and l.token = p_token
    ) then
        insert into pawl.lock_place (bucket, tenant, key, run_id, token)
        values (p_bucket, p_tenant, p_key, p_run, p_token);
    end if;
    select l.run_id, l.token into v_first
      from pawl.lock_place l
     where l.bucket = p_bucket and l.tenant = p_tenant and l.key = p_key
     order by l.place
     limit 1;
    return v_first.run_id = p_run and v_first.token = p_token;
end
$$;

-- Gives places up: all of a run's, or those of a token or key where given. A run that becomes the first gets a message,
-- which waits for no lock.
create or replace function pawl.leave_places(p_bucket smallint, p_run uuid[], p_token int[], p_key text[])
returns int
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
declare
    v_left record;
    v_before bigint;
    v_next record;
    v_count int := 0;
begin
    if not exists (select 1 from pawl.lock_place l where l.bucket = p_bucket) then
        return 0;
    end if;
    for v_left in
        select distinct l.tenant, pawl.lock_latch(p_bucket, l.key) as latch, l.key, l.run_id, u.token
          from unnest(p_run, p_token, p_key) as u (run_id, token, key)
          join pawl.lock_place l
            on l.bucket = p_bucket and l.run_id = u.run_id
           and (u.token is null or l.token = u.token) and (u.key is null or l.key = u.key)
         order by l.tenant, latch, l.key, l.run_id
    loop
        perform pawl.hold(v_left.tenant, v_left.latch);
        select min(l.place) into v_before
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key;
        delete from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key and l.run_id = v_left.run_id
           and (v_left.token is null or l.token = v_left.token);
        v_count := v_count + 1;
        select l.place, l.run_id, l.token into v_next
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key
         order by l.place
         limit 1;
        if v_next.place <> v_before then
            perform pawl.leave_signals(
                p_bucket, array[v_next.run_id], array['lock'],
                array[jsonb_build_object('token', v_next.token, 'key', v_left.key)], false
            );
        end if;
    end loop;
    return v_count;
end
$$;

-- Called by project_runs for waits that ended and for runs that are closed. A token whose wait for an event ended
-- stays in what it is in.
create or replace function pawl.leave_locks(p_bucket smallint, p_run uuid[], p_token int[], p_key text[]) returns int
language sql set search_path = pg_catalog
return (
    select coalesce(pawl.leave_places(p_bucket, array_agg(u.run_id), array_agg(u.token), array_agg(u.key)), 0)
      from unnest(p_run, p_token, p_key) as u (run_id, token, key)
     where u.token is null
);
