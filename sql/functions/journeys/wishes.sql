-- needs: functions/journeys/conditions

-- Writes down which changes of tables the triggers of an active head want. May run again.
create or replace function pawl.keep_wishes(p_head pawl.definition) returns void
language sql
begin atomic
    insert into pawl.watch_wish (tenant, event, workflow, place, operations, conditions, path)
    select (p_head).tenant, t.value ->> 'event', (p_head).workflow, t.place - 1,
           case jsonb_typeof(t.value -> 'operation')
               when 'string' then array[upper(t.value ->> 'operation')]
               when 'array' then array(
                   select upper(o.name) from jsonb_array_elements_text(t.value -> 'operation') as o (name))
           end,
           nullif(t.value -> 'conditions', 'null'), pawl.conditions_path(t.value -> 'conditions')
      from jsonb_array_elements(
          case when jsonb_typeof((p_head).settings -> 'triggers') = 'array' then (p_head).settings -> 'triggers'
               else '[]' end
      ) with ordinality as t (value, place)
     where jsonb_typeof(t.value -> 'event') = 'string' and octet_length(t.value ->> 'event') <= 500
        on conflict do nothing;
end;

-- Which changes runs of a version may wait for, or end by. They stay as long as the workflow: runs of an old version
-- may be open.
create or replace function pawl.keep_wait_wishes(p_tenant int, p_workflow int, p_definition jsonb) returns void
language sql
begin atomic
    insert into pawl.watch_wish (tenant, event, workflow, place)
    select distinct p_tenant, case when strpos(e.name #>> '{}', '{{') > 0 then '*' else e.name #>> '{}' end, p_workflow,
           -1
      from jsonb_path_query(p_definition - 'triggers', 'strict $.**.event ? (@.type() == "string")', '{}', true)
           as e (name)
     where octet_length(e.name #>> '{}') <= 500 or strpos(e.name #>> '{}', '{{') > 0
        on conflict do nothing;
end;
