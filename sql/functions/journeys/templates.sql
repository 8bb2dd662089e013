-- Saves a template: p_contents has a content for each language. A new version, unless the newest one says the same.
-- Writers of templates of a tenant come one after the other.
create or replace function pawl.put_template(
    p_tenant int, p_name text, p_category text, p_contents jsonb, out version int, out changed boolean
)
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if jsonb_typeof(p_contents) is distinct from 'object' or p_contents = '{}' then
        raise exception 'template % has no content', quote_literal(p_name) using errcode = 'invalid_parameter_value',
            hint = 'Give a content for each language: {"en": {"text": "Hello {{ user.first_name }}"}}.';
    end if;
    perform pawl.hold(p_tenant, 'templates');
    select max(t.version) into version from pawl.message_template t where t.tenant = p_tenant and t.name = p_name;
    select not exists (
               select 1 from pawl.message_template t
                where t.tenant = p_tenant and t.name = p_name and t.version = put_template.version
               having jsonb_object_agg(t.language, t.content) = p_contents
                  and bool_and(t.category = coalesce(p_category, 'marketing'))
           )
      into changed;
    if changed then
        version := coalesce(version, 0) + 1;
        insert into pawl.message_template (tenant, name, version, language, content, category)
        select p_tenant, p_name, put_template.version, c.key, c.value, coalesce(p_category, 'marketing')
          from jsonb_each(p_contents) as c;
    end if;
end
$$;

-- The content of each template for a person's locale, one row for each place, empty where there is none: of the newest
-- version the language itself ('th-TH'), else without its region ('th'), else 'en', else the first. Called by
-- prepare_messages.
create or replace function pawl.choose_templates(p_tenant int[], p_name text[], p_locale text[])
returns table (place int, version int, language text, category text, content jsonb)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
begin
    return query
    select u.place::int, c.version, c.language, c.category, c.content
      from (
          select n.tenant, n.name, n.place, lower(replace(n.locale, '_', '-')) as locale
            from unnest(p_tenant, p_name, p_locale) with ordinality as n (tenant, name, locale, place)
      ) as u
      left join lateral (
          select v.version
            from pawl.message_template v
           where v.tenant = u.tenant and v.name = u.name
           order by v.tenant desc, v.name desc, v.version desc
           limit 1
      ) as newest on true
      left join lateral (
          select t.version, t.language, t.category, t.content
            from pawl.message_template t
           where t.tenant = u.tenant and t.name = u.name and t.version = newest.version
           order by case when lower(t.language) = u.locale then 1
                         when lower(t.language) = split_part(u.locale, '-', 1) then 2
                         when split_part(lower(t.language), '-', 1) = split_part(u.locale, '-', 1) then 3
                         when lower(t.language) = 'en' then 4 else 5 end, t.language
           limit 1
      ) as c on true
     order by u.place;
end
$$;
