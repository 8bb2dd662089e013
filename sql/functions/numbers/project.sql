-- needs: functions/numbers/count
-- needs: functions/numbers/facts
-- needs: functions/numbers/goals
-- needs: functions/numbers/places

-- Lets the projector of a bucket begin anew: its counts go, except those of hours whose log is not complete any more,
-- and it goes over the log again. Waits for a look under way. Raises nothing when there is none yet.
create or replace function pawl.rebuild_funnels(p_bucket smallint) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_since timestamptz;
    v_tenant int[] := array(select t.id from pawl.tenant t where t.bucket = p_bucket);
begin
    select p.complete_since into v_since
      from pawl.projector p where p.name = 'funnels' and p.bucket = p_bucket for update;
    if not found then
        return;
    end if;
    delete from pawl.funnel_count f where f.tenant = any (v_tenant) and (f.at >= v_since or f.span = 'n');
    delete from pawl.funnel_person f where f.tenant = any (v_tenant) and f.at >= v_since;
    delete from pawl.funnel_people f where f.tenant = any (v_tenant) and f.at >= v_since;
    delete from pawl.run_place r where r.bucket = p_bucket;
    update pawl.projector p
       set walk = true, at_run = null, seen = txid_current_snapshot()::text, counted = 0, started_at = now(),
           looked_at = now()
     where p.name = 'funnels' and p.bucket = p_bucket;
end
$$;

-- A database that was restored from a dump has rows of transactions that another server has yet to reach: they are old.
-- Begins anew after that. Called by project_funnels.
create or replace function pawl.adopt_restored(p_bucket smallint) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_next bigint := txid_snapshot_xmax(txid_current_snapshot());
begin
    update pawl.event e set xid = null where e.bucket + 0 = p_bucket and e.xid >= v_next;
    update pawl.message_fact f set xid = null where f.bucket + 0 = p_bucket and f.xid >= v_next;
    update pawl.conversion c set xid = 0 where c.bucket + 0 = p_bucket and c.xid >= v_next;
    perform pawl.rebuild_funnels(p_bucket);
end
$$;

-- The next part of a walk over the log: up to p_runs runs. Returns the last of them, null when none is left. Called by
-- project_funnels.
create or replace function pawl.walk_funnels(
    p_bucket smallint, p_now txid_snapshot, p_after uuid, p_runs int, p_since timestamptz,
    out counted bigint, out at_run uuid
)
language plpgsql set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
declare
    v_run uuid[] := array(
        select e.run_id from pawl.event e
         where e.bucket = p_bucket and e.run_id > p_after and e.seq = 0
         order by e.run_id limit p_runs
    );
    v_moved uuid[];
begin
    counted := 0;
    if v_run = '{}' then
        return;
    end if;
    select c.counted, c.moved into counted, v_moved
      from pawl.count_log(p_bucket, null, p_now, v_run, p_since) c;
    counted := counted + pawl.count_facts(p_bucket, null, p_now, v_run, p_since)
        + pawl.count_conversions(p_bucket, null, p_now, v_run, p_since);
    perform pawl.place_runs(p_bucket, p_now, v_moved);
    at_run := v_run[cardinality(v_run)];
end
$$;

-- One look of the projector that counts journeys: what was committed since its last one, of p_xids transactions at
-- most, or the next p_runs runs of a walk over the log. All of it in this transaction, with the place it has come to,
-- so a process that dies changes nothing. The first statement of its transaction: what that wrote before is not seen.
-- Locks the projector's row, and returns null when another process has it. `more`: there is more to do at once.
create or replace function pawl.project_funnels(
    p_bucket smallint, p_xids int, p_runs int, out counted bigint, out more boolean
)
language plpgsql set search_path = pg_catalog as $$
declare
    v_state pawl.projector;
    v_all txid_snapshot := txid_current_snapshot();
    v_now txid_snapshot;
    v_moved uuid[];
begin
    -- To insert what is there would wait for the process that has it.
    if not exists (select 1 from pawl.projector p where p.name = 'funnels' and p.bucket = p_bucket) then
        insert into pawl.projector (name, bucket, seen) values ('funnels', p_bucket, v_all::text)
            on conflict do nothing;
    end if;
    select p.* into v_state
      from pawl.projector p where p.name = 'funnels' and p.bucket = p_bucket for update skip locked;
    if not found then
        return;
    end if;
    if txid_snapshot_xmax(v_state.seen::txid_snapshot) > txid_snapshot_xmax(v_all) then
        perform pawl.adopt_restored(p_bucket);
        counted := 0;
        more := true;
        return;
    end if;
    if not pawl.counts_anything(p_bucket) then
        -- Events that are goals of none would stay pending for ever.
        more := pawl.match_goals(p_bucket, 10000) > 0;
        counted := 0;
        v_state.seen := v_all::text;
        v_state.walk := false;
    elsif v_state.walk then
        select w.counted, w.at_run into counted, v_state.at_run
          from pawl.walk_funnels(p_bucket, v_state.seen::txid_snapshot,
                                 coalesce(v_state.at_run, '00000000-0000-0000-0000-000000000000'), p_runs,
                                 v_state.complete_since) w;
        v_state.walk := v_state.at_run is not null;
        more := true;
    else
        v_now := pawl.cut_snapshot(v_all, txid_snapshot_xmax(v_state.seen::txid_snapshot) + p_xids);
        select c.counted, c.moved into counted, v_moved
          from pawl.count_log(p_bucket, v_state.seen::txid_snapshot, v_now, null, '-infinity') c;
        counted := counted
            + pawl.count_facts(p_bucket, v_state.seen::txid_snapshot, v_now, null, '-infinity')
            + pawl.count_conversions(p_bucket, v_state.seen::txid_snapshot, v_now, null, '-infinity');
        perform pawl.place_runs(p_bucket, v_now, v_moved);
        more := pawl.match_goals(p_bucket, 10000) > 0 or v_now::text <> v_all::text;
        v_state.seen := v_now::text;
    end if;
    update pawl.projector p
       set seen = v_state.seen, walk = v_state.walk, at_run = v_state.at_run,
           counted = p.counted + project_funnels.counted, looked_at = now()
     where p.name = 'funnels' and p.bucket = p_bucket;
end
$$;
