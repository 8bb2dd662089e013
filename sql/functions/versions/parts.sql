-- needs: functions/versions/check
-- needs: functions/versions/steps
-- needs: functions/sql_steps/conditions
-- needs: functions/journeys/actions
-- needs: functions/journeys/redact

-- The steps of a list with their places (from 0), types and configs. What is no object, or has no type, is left out.
create or replace function pawl.typed_steps(p_steps jsonb)
returns table (place int, node text, type text, config jsonb)
language sql immutable parallel safe set search_path = pg_catalog
begin atomic
    select (s.place - 1)::int, coalesce(s.step ->> 'id', s.step ->> 'name'), s.step ->> 'type', pawl.config_of(s.step)
      from jsonb_array_elements(case jsonb_typeof(p_steps) when 'array' then p_steps else '[]' end) with ordinality
           as s (step, place)
     where s.step ->> 'type' is not null;
end;

-- Actions that steps, or tools of agents, name and that a tenant does not have, and params that they do not take or
-- lack. Called by missing_parts.
create or replace function pawl.missing_actions(p_tenant int, p_steps jsonb)
returns table (place int, node text, key text, problem text, remedy text)
language sql stable set search_path = pg_catalog
begin atomic
    with named as (
        select s.place, s.node, 'action' as key, s.config ->> 'action' as name,
               case when jsonb_typeof(coalesce(s.config -> 'params', '{}')) = 'object'
                    then coalesce(s.config -> 'params', '{}') end as params
          from pawl.typed_steps(p_steps) as s
         where s.type = 'action'
         union all
        select s.place, s.node, format('tools[%s].action', t.place - 1), t.tool ->> 'action', null
          from pawl.typed_steps(p_steps) as s
         cross join lateral jsonb_array_elements(
             case jsonb_typeof(s.config -> 'tools') when 'array' then s.config -> 'tools' else '[]' end
         ) with ordinality as t (tool, place)
         where s.type = 'agent'
    ), found as (
        select n.*, pawl.given_params(a.params) as takes
          from named n
          left join lateral (
              select x.params from pawl.action x
               where x.tenant in (p_tenant, 0) and x.name = n.name order by x.tenant desc limit 1
          ) as a on true
         where n.name <> '' and strpos(n.name, '{{') = 0
    )
    select f.place, f.node, f.key, format('there is no action %L', left(f.name, 100)),
           concat('known: ' || (
               select string_agg(k.name, ', ' order by k.name)
                 from (select distinct x.name from pawl.action x where x.tenant in (p_tenant, 0)
                        order by x.name limit 10) as k
           ) || '; ', format('the owner of the database registers one with pawl.register_action(%L, ...)',
                             left(f.name, 100)))
      from found f
     where f.takes is null
     union all
    select f.place, f.node, 'params.' || left(g.key, 100),
           format('action %L takes no param %L', f.name, left(g.key, 100)),
           case f.takes when '{}' then 'it takes none' else 'it takes ' || array_to_string(f.takes, ', ') end
      from found f
     cross join lateral jsonb_object_keys(f.params) as g (key)
     where f.takes is not null and g.key <> all (f.takes)
     union all
    select f.place, f.node, 'params', format('action %L needs the param %L', f.name, t.name),
           format('write params: {%s: ...}', t.name)
      from found f
     cross join lateral unnest(f.takes) as t (name)
     where not f.params ? t.name;
end;

-- Templates that messages name and that a tenant does not have, or whose newest version has a language without
-- anything that the channel can send; connectors of one's own may send what they like. Called by missing_parts.
create or replace function pawl.missing_templates(p_tenant int, p_steps jsonb)
returns table (place int, node text, key text, problem text, remedy text)
language sql stable set search_path = pg_catalog
begin atomic
    with named as (
        select s.place, s.node, s.config ->> 'template' as name, s.config ->> 'channel' as channel,
               (select max(t.version) from pawl.message_template t
                 where t.tenant = p_tenant and t.name = s.config ->> 'template') as version
          from pawl.typed_steps(p_steps) as s
         where s.type = 'message' and s.config ->> 'template' <> '' and strpos(s.config ->> 'template', '{{') = 0
    )
    select n.place, n.node, 'template', format('there is no template %L', left(n.name, 100)),
           concat('known: ' || (
               select string_agg(k.name, ', ' order by k.name)
                 from (select distinct t.name from pawl.message_template t where t.tenant = p_tenant
                        order by t.name limit 10) as k
           ) || '; ', format('save it first: pawl templates apply, or PUT /v1/templates/%s', left(n.name, 100)))
      from named n
     where n.version is null
     union all
    select n.place, n.node, 'template',
           format('template %L has nothing to send by %s in %s', n.name, n.channel,
                  string_agg(t.language, ', ' order by t.language)),
           format('%s needs %s', n.channel, min(c.needs))
      from named n
      join (values ('sms', array['text', 'body'], '{}', 'a text'),
                   ('line', array['text', 'messages'], '{}', 'a text or messages'),
                   ('push', array['title', 'body', 'text', 'data'], '{}', 'a title, body or data'),
                   ('email', array['text', 'html'], array['subject'], 'a subject, and text or html'))
           as c (channel, any_of, all_of, needs) on c.channel = n.channel
      join pawl.message_template t on t.tenant = p_tenant and t.name = n.name and t.version = n.version
     where not (t.content ?| c.any_of and t.content ?& c.all_of)
       and not exists (select 1 from pawl.connector_definition d
                        where d.tenant = p_tenant and d.definition -> 'channels' ? n.channel)
     group by n.place, n.node, n.name, n.channel;
end;

-- Questions of conditions that a tenant may not ask: of tables that are not allowed, or columns that are not there.
-- Called by missing_parts.
create or replace function pawl.missing_tables(p_tenant int, p_steps jsonb)
returns table (place int, node text, key text, problem text, remedy text)
language sql stable set search_path = pg_catalog
begin atomic
    with recursive part as (
        select s.place, s.node, '' as path, s.config as test
          from pawl.typed_steps(p_steps) as s
         where s.type = 'condition'
         union all
        select p.place, p.node, p.path || x.path, x.test
          from part p
         cross join lateral (
             select 'not.' as path, p.test -> 'not' as test where jsonb_typeof(p.test -> 'not') = 'object'
              union all
             select format('%s[%s].', k.key, e.place - 1), e.value
               from (values ('all'), ('any')) as k (key)
              cross join lateral jsonb_array_elements(
                  case jsonb_typeof(p.test -> k.key) when 'array' then p.test -> k.key else '[]' end
              ) with ordinality as e (value, place)
         ) as x
    )
    select p.place, p.node, p.path || 'query', q.problem, null
      from part p
     cross join lateral pawl.query_problem(p_tenant, p.test -> 'query' ->> 'table', p.test -> 'query' ->> 'field',
                                           p.test -> 'query' ->> 'subject_field') as q (problem)
     where jsonb_typeof(p.test -> 'query') = 'object' and q.problem is not null;
end;

-- Steps that use what is redacted and may not: only messages and conditions keep nothing of it. Called by
-- missing_parts.
create or replace function pawl.redacted_uses(p_tenant int, p_steps jsonb)
returns table (place int, node text, key text, problem text, remedy text)
language sql stable set search_path = pg_catalog
begin atomic
    select distinct s.place, s.node, left(k.key, 100), format('user.%s is redacted', c.name),
           'only messages and conditions may use it'::text
      from unnest(pawl.columns_redacted(p_tenant)) as c (name)
     cross join lateral pawl.typed_steps(p_steps) as s
     cross join lateral jsonb_each(s.config) as k (key, value)
     cross join lateral jsonb_path_query(k.value, '$.** ? (@.type() == "string")') as t (text)
     where s.type not in ('message', 'condition')
       and t.text #>> '{}' ~ (
               '\muser\.' || regexp_replace(c.name, '[^A-Za-z0-9_]', '\\\&', 'g') || '(?![A-Za-z0-9_-])');
end;

-- What the steps of a definition name and a tenant does not have: actions with their params, templates, tables of
-- conditions; and what they use though it is redacted. A row for each, in the order of the steps: `key` is the place
-- in the config of `node`, `remedy` says what to do about it, where `problem` does not. Connectors are not looked at:
-- those that come with Pawl are in its binary. Called when a definition is published, by the engine or the owner of
-- the schema. Reads only.
create or replace function pawl.missing_parts(p_tenant int, p_steps jsonb)
returns table (place int, node text, key text, problem text, remedy text)
language plpgsql stable set search_path = pg_catalog set jit = off as $$
#variable_conflict use_column
begin
    return query
    select m.* from (
        select a.* from pawl.missing_actions(p_tenant, p_steps) as a
         union all
        select t.* from pawl.missing_templates(p_tenant, p_steps) as t
         union all
        select c.* from pawl.missing_tables(p_tenant, p_steps) as c
         union all
        select r.* from pawl.redacted_uses(p_tenant, p_steps) as r
    ) as m
     order by m.place, m.key, m.problem
     limit 50;
end
$$;

-- Trigger on pawl.definition, after a head was written and before its version is recorded: refuses one that names what
-- its tenant does not have (missing_parts). A version that was the head before may become it again as it is, so that a
-- workflow can always be rolled back; a draft is looked at. The plan of a code workflow says what its steps name.
create or replace function pawl.check_definition_parts() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_missing record;
begin
    if tg_op = 'UPDATE' and new.version = old.version or new.settings ? 'code' or exists (
        select 1 from pawl.workflow_version v
         where v.workflow = new.workflow and v.version = new.version and not v.draft
    ) then
        return null;
    end if;
    select m.* into v_missing from pawl.missing_parts(new.tenant, new.steps) as m limit 1;
    if found then
        perform pawl.refuse_definition(format('%s.%s: %s', v_missing.node, v_missing.key, v_missing.problem),
                                       coalesce(v_missing.remedy, 'Then apply the definition again.'));
    end if;
    return null;
end
$$;

-- By its name it fires before definition_record.
create or replace trigger definition_parts after insert or update on pawl.definition
for each row execute function pawl.check_definition_parts();

-- Trigger on pawl.workflow_version: a draft that runs begin with from now on, by a share of its own, is looked at as a
-- head is when it is published.
create or replace function pawl.check_draft() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_head pawl.definition := pawl.definition_head(new.definition);
    v_missing record;
begin
    v_head.required_fields := coalesce(v_head.required_fields, '{}');
    perform pawl.check_head(v_head);
    if v_head.settings ? 'code' then
        return new;
    end if;
    select m.* into v_missing
      from pawl.workflow w
     cross join lateral pawl.missing_parts(w.tenant, v_head.steps) as m
     where w.id = new.workflow
     limit 1;
    if found then
        perform pawl.refuse_definition(format('%s.%s: %s', v_missing.node, v_missing.key, v_missing.problem),
                                       coalesce(v_missing.remedy, 'Then save it again.'));
    end if;
    return new;
end
$$;

create or replace trigger workflow_version_draft before update of draft on pawl.workflow_version
for each row when (old.draft and not new.draft) execute function pawl.check_draft();
