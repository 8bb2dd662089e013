-- What the steps of a run left, numbered as plan::RunState::records has it, with the step that undoes each; took_place:
-- or may have.
create or replace function pawl.execution_records(p_bucket smallint, p_run uuid, p_definition jsonb)
returns table (record int, seq int, token int, undone_by text, took_place boolean)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_withdrawn jsonb := (
        select coalesce(jsonb_agg(jsonb_build_array(t.token, e.seq)), '[]')
          from pawl.event e
         cross join jsonb_array_elements(
             case when jsonb_typeof(e.data -> 'withdrawn') = 'array' then e.data -> 'withdrawn' end
         ) as t (token)
         where e.bucket = p_bucket and e.run_id = p_run and e.type in (2, 7, 9, 16, 20)
    );
begin
    return query
    select (row_number() over (order by v.seq) - 1)::int, v.seq, v.token, v.undone_by,
           v.maybe or v.type in (1, 7)
      from (
          select e.*, s.step ->> 'compensate' as undone_by,
                 bool_or(coalesce(e.data ? 'maybe', false)) over (partition by e.token, e.node, e.visit) as maybe,
                 s.step ->> 'on_failure' = 'continue' as continues,
                 s.step ->> 'type' = 'exit' or s.step ? 'exit' as exits,
                 exists (select 1 from jsonb_array_elements(v_withdrawn) as w (one)
                          where (w.one ->> 0)::int = e.token and (w.one ->> 1)::int < e.seq) as withdrawn,
                 exists (select 1 from jsonb_array_elements(pawl.steps_of(p_definition)) as u (step)
                          where u.step ->> 'compensate' = e.node) as undoes
            from pawl.execution_visits(p_bucket, p_run) e
            left join jsonb_array_elements(pawl.steps_of(p_definition)) as s (step)
              on coalesce(s.step ->> 'id', s.step ->> 'name') = e.node
      ) as v
     where v.type in (1, 16)
        or v.type = 7 and (v.data ? 'value' and v.exits is distinct from true or p_definition ? 'code')
        or v.type = 2 and v.ends and (v.maybe or v.withdrawn or v.continues or v.undoes or v.data ? 'abandoned'
                                      or coalesce(v.data ->> 'caught', 'item') <> 'item');
end
$$;

-- Which record each step undoes that undid something before the whole run went back: in a scope, an item or a branch.
-- What one branch did is undone with the newest first. Where several branches did the same, and more than one of them
-- has failed, only the engine knows which one it is: these are left out.
create or replace function pawl.execution_undone(p_bucket smallint, p_run uuid, p_definition jsonb)
returns table (token int, node text, visit int, record int, record_seq int)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_undoing text[] := array(select s.step ->> 'compensate'
                                from jsonb_array_elements(pawl.steps_of(p_definition)) as s (step)
                               where s.step ? 'compensate');
    v_taken int[] := '{}';
    v_unsure text[] := '{}';
    v_visit record;
    v_found record;
begin
    for v_visit in
        select d.token, d.node, d.visit, d.first_seq
          from pawl.execution_steps_done(p_bucket, p_run, p_definition) d
         where d.node = any (v_undoing)
           and not exists (select 1 from pawl.event b
                            where b.bucket = p_bucket and b.run_id = p_run and b.type = 14 and b.seq < d.first_seq)
         order by d.token, d.first_seq
    loop
        with fitting as (
            select r.record, r.seq, r.token,
                   exists (select 1 from pawl.event f
                            where f.bucket = p_bucket and f.run_id = p_run and f.type = 2
                              and coalesce(f.token, 0) = r.token and f.seq < v_visit.first_seq
                              and f.data ->> 'caught' = 'item') as failed
              from pawl.execution_records(p_bucket, p_run, p_definition) r
             where r.undone_by = v_visit.node and r.took_place and r.seq < v_visit.first_seq
               and r.record <> all (v_taken)
        ), chosen as (
            select f.* from fitting f
             where f.failed or (select count(distinct a.token) from fitting a) = 1
        )
        select max(c.record) as record, max(c.seq) as seq, count(distinct c.token) as branches into v_found
          from chosen c;
        if v_found.branches <> 1 or v_visit.node = any (v_unsure) then
            v_unsure := v_unsure || v_visit.node;
            continue;
        end if;
        v_taken := v_taken || v_found.record;
        return query select v_visit.token, v_visit.node, v_visit.visit, v_found.record, v_found.seq;
    end loop;
end
$$;

-- The steps of a run that undo others: since when each was due, and the key that it sends. Where the whole run went
-- back they come one after the other, the last of what it did first.
create or replace function pawl.execution_undoing(
    p_bucket smallint, p_run uuid, p_definition jsonb, p_chain jsonb, p_start timestamptz
)
returns table (token int, node text, visit int, since_seq int, since timestamptz, key text)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_undoing text[] := array(select s.step ->> 'compensate'
                                from jsonb_array_elements(pawl.steps_of(p_definition)) as s (step)
                               where s.step ? 'compensate');
begin
    if cardinality(v_undoing) = 0 then
        return;
    end if;
    return query
    with done as materialized (
        select d.* from pawl.execution_steps_done(p_bucket, p_run, p_definition) d
    )
    select d.token, d.node, d.visit, coalesce(lag(d.last_seq) over w, u.seq),
           coalesce(lag(d.at) over w, greatest(u.at, p_start)),
           pawl.undo_key(p_run, p_chain, d.node, u.undo -> (jsonb_array_length(u.undo) - row_number() over w)::int,
                         c.first_seq, c.last_seq)
      from done d
     cross join lateral (
         select e.seq, e.at, case when jsonb_typeof(e.data -> 'undo') = 'array' then e.data -> 'undo' end as undo
           from pawl.event e
          where e.bucket = p_bucket and e.run_id = p_run and e.type = 14 and e.seq < d.first_seq
          order by e.seq desc
          limit 1
     ) as u
     cross join lateral (
         select min(p.last_seq) as first_seq, max(p.last_seq) as last_seq
           from done p
           join jsonb_array_elements(pawl.steps_of(p_definition)) as s (step)
             on coalesce(s.step ->> 'id', s.step ->> 'name') = p.node and s.step ->> 'compensate' = d.node
          where p.ended and p.last_seq < u.seq
     ) as c
     where d.node = any (v_undoing)
    window w as (partition by u.seq order by d.first_seq)
     union all
    -- It was due when something before it ended.
    select r.token, r.node, r.visit, b.last_seq, b.at,
           pawl.undo_key(p_run, p_chain, r.node, to_jsonb(r.record), r.record_seq, r.record_seq)
      from pawl.execution_undone(p_bucket, p_run, p_definition) r
      join done d on d.token = r.token and d.node = r.node and d.visit = r.visit
     cross join lateral (
         select p.last_seq, p.at from done p
          where p.ended and p.last_seq < d.first_seq order by p.last_seq desc limit 1
     ) as b;
end
$$;
