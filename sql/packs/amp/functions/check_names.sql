-- needs: packs/amp/functions/check

-- The paths that the steps of a graph read: those of templates, those that conditions compare, and those that models
-- see. p_steps: as amp_step
-- makes them. loose: it may be missing.
create or replace function pawl.amp_paths(p_steps jsonb)
returns table (step text, path text, segments jsonb, loose boolean)
language sql immutable parallel safe set search_path = pg_catalog
begin atomic
    select s.step ->> 'id', p.path, p.segments, p.has_default
      from jsonb_array_elements(p_steps) as s (step)
     cross join lateral pawl.step_placeholders(s.step) as p
     where p.segments <> '[]'
     union all
    select s.step ->> 'id', r.path, r.segments, pawl.condition_operator(c.part) like '%exists'
      from jsonb_array_elements(p_steps) as s (step)
     cross join lateral pawl.condition_parts(s.step -> 'config') as c
     cross join lateral pawl.read_placeholder(coalesce(c.part ->> 'path', c.part ->> 'field')) as r
     where s.step ->> 'type' = 'condition' and jsonb_typeof(c.part) = 'object' and c.part ?| '{path,field}'
     union all
    select s.step ->> 'id', r.path, r.segments, false
      from jsonb_array_elements(p_steps) as s (step)
     cross join lateral jsonb_array_elements_text(case jsonb_typeof(s.step -> 'config' -> 'sees') when 'array'
                                                       then s.step -> 'config' -> 'sees' else '[]' end) as e (path)
     cross join lateral pawl.read_placeholder(e.path) as r
     where s.step ->> 'type' = 'agent';
end;

-- The steps that a run can come to after each of p_from. p_edges: as rows.
create or replace function pawl.amp_later(p_edges jsonb, p_from text[]) returns table (step text, later text)
language sql immutable parallel safe set search_path = pg_catalog
begin atomic
    with recursive edge as (
        select pawl.amp_step_name((x.value ->> 'from_node_id')::uuid) as step,
               pawl.amp_step_name((x.value ->> 'to_node_id')::uuid) as later
          from jsonb_array_elements(p_edges) as x
    ), walk as (
        select e.step, e.later from edge e where e.step = any (p_from)
         union
        select w.step, e.later from walk w join edge e on e.step = w.later
    )
    select w.step, w.later from walk w;
end;

-- What is wrong with a path that stands for something of the run, whatever comes before its step; null: nothing.
create or replace function pawl.amp_path_problem(p_path text, p_segments jsonb) returns text
language sql immutable parallel safe
return case
    when p_segments -> 0 ->> 1 in ('item', 'index', 'outer', 'undo')
    then format('''%s'' is not defined here; a field of the input is input.%s', p_path, p_segments -> 0 ->> 1)
    when p_segments -> 0 ->> 1 = 'run'
         and p_segments -> 1 ->> 1 <> all ('{id,subject,workflow,version,started_at}'::text[])
    then format('''%s'' is not defined: a run has id, subject, workflow, version, started_at', p_path)
    when p_segments -> 0 ->> 1 = 'steps' and p_segments -> 2 ->> 1 <> all ('{result,error,released}'::text[])
    then format('''%s'' is not defined: a step has result, error, released', p_path) end;

-- Refuses nodes that read what is never there when a run comes to them.
create or replace function pawl.amp_check_names(p_nodes jsonb, p_edges jsonb) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_steps jsonb;
    v_what text;
begin
    select jsonb_agg(pawl.amp_step((n.value ->> 'id')::uuid, n.value ->> 'node_type', n.value -> 'node_config'))
      into v_steps from jsonb_array_elements(p_nodes) as n;
    with used as (
        select u.*, case when u.segments -> 0 ->> 1 = 'steps' then u.segments -> 1 ->> 1 end as other
          from pawl.amp_paths(v_steps) as u
         where u.segments -> 0 ->> 1 in ('steps', 'run', 'item', 'index', 'outer', 'undo', 'error')
    ), caught as (
        select pawl.amp_step_name((x.value ->> 'to_node_id')::uuid) as step
          from jsonb_array_elements(p_edges) as x
         where x.value ->> 'source_handle' ~ '^error(\.|$)'
           and exists (select 1 from used u where u.segments -> 0 ->> 1 = 'error')
    ), later as (
        select l.*
          from pawl.amp_later(p_edges, array(
              select u.step from used u union select u.other from used u union select c.step from caught c)) as l
    )
    select format('%s: %s', pawl.amp_label(n.value), w.what) into v_what
      from jsonb_array_elements(p_nodes) with ordinality as n (value, place)
      join used u on u.step = pawl.amp_step_name((n.value ->> 'id')::uuid)
     cross join lateral (
         select case
             when u.other is not null and not exists (select 1 from jsonb_array_elements(v_steps) as s
                                                       where s.value ->> 'id' = u.other)
             then format('''{{%s}}'' refers to a step that does not exist', u.path)
             when u.loose then null
             when u.segments -> 0 ->> 1 = 'error' and not exists (
                      select 1 from caught c left join later l on l.step = c.step
                       where u.step in (c.step, l.later))
             then format('''%s'' is not defined: it is known after an edge with the handle error', u.path)
             when (u.other = u.step or exists (select 1 from later l where l.step = u.step and l.later = u.other))
                  and not exists (select 1 from later l where l.step = u.other and l.later = u.step)
             then format('''%s'' is used before the run reaches ''%s'': that step comes later', u.path, u.other)
             else pawl.amp_path_problem(u.path, u.segments) end as what
     ) as w
     where w.what is not null
     order by n.place, w.what
     limit 1;
    if found then
        perform pawl.refuse_definition(v_what, 'Nothing was saved.');
    end if;
end
$$;
