-- needs: functions/events/publish

-- Notes that runs have reached a goal, at a time each; a run and goal that is noted stays as it was. For a caller who
-- sees that a goal is reached; journeys with `goal` need no call. Returns how many are new. The arrays are of one
-- length.
create or replace function pawl.note_conversions(
    p_bucket smallint, p_tenant int[], p_workflow int[], p_version int[], p_run uuid[], p_subject text[],
    p_goal text[], p_at timestamptz[]
) returns bigint
language plpgsql set search_path = pg_catalog as $$
declare
    v_new bigint;
begin
    insert into pawl.conversion (bucket, run_id, goal, tenant, workflow, version, subject, at)
    select distinct on (u.run_id, pawl.event_key(u.goal))
           p_bucket, u.run_id, pawl.event_key(u.goal), u.tenant, u.workflow, u.version,
           case when octet_length(u.subject) <= 500 then u.subject end, u.at
      from unnest(p_tenant, p_workflow, p_version, p_run, p_subject, p_goal, p_at)
           as u (tenant, workflow, version, run_id, subject, goal, at)
     order by u.run_id, pawl.event_key(u.goal), u.at
        on conflict do nothing;
    get diagnostics v_new = row_count;
    return v_new;
end
$$;

-- The same for one. Whether it is new.
create or replace function pawl.note_conversion(
    p_bucket smallint, p_tenant int, p_workflow int, p_version int, p_run uuid, p_subject text, p_goal text,
    p_at timestamptz default now()
) returns boolean
language sql set search_path = pg_catalog
return pawl.note_conversions(p_bucket, array[p_tenant], array[p_workflow], array[p_version], array[p_run],
                             array[p_subject], array[p_goal], array[p_at]) > 0;
