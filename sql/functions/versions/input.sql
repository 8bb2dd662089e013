-- What a start must bring and p_data does not: the required fields, and a value for every placeholder of every step
-- that has no default and is not filled at run time.
create or replace function pawl.missing_input(
    p_definition jsonb, p_data jsonb, out fields text[], out variables text[], out problem text
)
language plpgsql immutable parallel safe
set search_path = pg_catalog
set jit = off
as $$
declare
    -- The item of a foreach, the round of a loop, the error that was caught, the visit that is undone.
    v_steps jsonb := pawl.steps_of(p_definition);
    v_items boolean := v_steps @? '$[*] ? (@.type == "foreach" || exists (@.foreach))';
    v_rounds boolean := v_steps @? '$[*] ? (@.type == "loop" || exists (@.loop))';
    v_errors boolean := p_definition @? '$.edges[*] ? (@.handle starts with "error")'
                        or v_steps @? '$[*] ? (@.on_failure == "continue")';
    v_undo boolean := v_steps @? '$[*].compensate';
    -- What is known of a person is read when a step runs; links are made for a message.
    v_message boolean := v_steps @? '$[*] ? (@.type == "message" || exists (@.message))';
    v_person boolean := v_message or p_definition @? '$ ? (@.person == true)'
                        or v_steps @? '$[*] ? (@.type == "action" || exists (@.action) || @.type == "split"
                                              || exists (@.split))';
begin
    fields := array(
        select f.field
          from jsonb_array_elements_text(p_definition -> 'required_fields') with ordinality as f (field, place)
         where jsonb_typeof(p_data) is distinct from 'object' or not p_data ? f.field
         group by f.field
         order by min(f.place)
    );
    with found as materialized (
        select p.path, p.segments, p.segments -> 0 ->> 1 as root, p.has_default, p.problem,
               row_number() over (order by s.place, p.n) as place
          from jsonb_array_elements(v_steps) with ordinality as s (step, place)
         cross join lateral pawl.step_placeholders(s.step)
               with ordinality as p (path, segments, has_default, problem, n)
    )
    select array(
               select f.path
                 from found f
                where not f.has_default and f.root not in ('steps', 'run', 'credentials')
                  and f.root !~ '^step_[0-9]+_(result|error)$'
                  and not (v_items and f.root in ('item', 'index', 'outer'))
                  and not (v_rounds and f.root = 'index') and not (v_errors and f.root = 'error')
                  and not (v_undo and f.root = 'undo') and not (v_person and f.root = 'user')
                  and not (v_message and f.root in ('unsubscribe_url', 'preferences_url'))
                  and pawl.walk(p_data, f.segments, case when f.root = 'input' then 1 else 0 end) is null
                  and not (f.root = 'trigger' and pawl.walk(p_data, f.segments, 1) is not null)
                group by f.path
                order by min(f.place)
           ),
           (select f.problem from found f where f.problem is not null order by f.place limit 1)
      into variables, problem;
end
$$;

-- The first 20 names of a list as text: "a, b and 3 more".
create or replace function pawl.first_names(p_names text[]) returns text
language sql immutable parallel safe
return array_to_string(array(
           select case when octet_length(n.name) > 200 then left(n.name, 200) || '...' else n.name end
             from unnest(p_names[:20]) with ordinality as n (name, place)
            order by n.place
       ), ', ')
       || case when cardinality(p_names) > 20 then format(' and %s more', cardinality(p_names) - 20) else '' end;
