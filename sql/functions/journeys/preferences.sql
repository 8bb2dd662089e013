-- needs: functions/journeys/people
-- needs: functions/journeys/consent
-- needs: functions/events/publish

-- What a person can say yes or no to, and what they say now: {locale, cells: [{channel, category, wanted}]}. Channels
-- are those that the tenant sends by and the person has an address for, or all where none is known; categories are
-- those of the tenant's templates, and marketing. Null: the person was erased. Called by the page of preferences.
create or replace function pawl.preferences(p_tenant int, p_person text) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    c_channels constant int := 10;
    c_categories constant int := 20;
    v_person jsonb := (select r.person from pawl.read_persons(array[p_tenant], array[p_person]) as r);
    v_channels text[];
    v_categories text[];
begin
    if v_person is null and exists (
        select 1 from pawl.person p where p.tenant = p_tenant and p.key = p_person and p.erased_at is not null
    ) then
        return null;
    end if;
    select array_agg(distinct c.channel) into v_channels
      from (
          select unnest(a.channels) as channel from pawl.connector_account a where a.tenant = p_tenant
      ) as c;
    if v_person -> 'addresses' ?| v_channels then
        v_channels := array(select c.channel from unnest(v_channels) as c (channel)
                             where v_person -> 'addresses' ? c.channel);
    end if;
    v_categories := array(select pawl.message_categories(p_tenant, pawl.event_key(p_person)));
    return jsonb_build_object('locale', v_person -> 'locale', 'cells', coalesce((
        select jsonb_agg(jsonb_build_object(
                   'channel', c.channel, 'category', g.category, 'wanted', not exists (
                       select 1 from pawl.unsubscribe n
                        where n.tenant = p_tenant and n.person = pawl.event_key(p_person)
                          and n.channel in (c.channel, '*') and n.category in (pawl.event_key(g.category), '*')
                          and (n.lifted_at is null or n.lifted_at < n.at))
               ) order by g.category, c.channel)
          from (select x as channel from unnest(v_channels) as x order by 1 limit c_channels) as c
         cross join (select x as category from unnest(v_categories) as x order by 1 limit c_categories) as g
    ), '[]'));
end
$$;

-- The rows of pawl.unsubscribe that say these cells in the fewest words: a channel or a category of which nothing is
-- wanted counts also for what is added to it later.
create or replace function pawl.preference_rows(p_channel text[], p_category text[], p_wanted boolean[])
returns table (channel text, category text)
language sql immutable parallel safe set search_path = pg_catalog
begin atomic
    with cell as (
        select u.channel, u.category, u.wanted,
               not bool_or(u.wanted) over () as nothing,
               not bool_or(u.wanted) over (partition by u.channel) as no_channel,
               not bool_or(u.wanted) over (partition by u.category) as no_category
          from unnest(p_channel, p_category, p_wanted) as u (channel, category, wanted)
    )
    select distinct case when c.nothing or c.no_category and not c.no_channel then '*' else c.channel end,
           case when c.nothing or c.no_channel then '*' else c.category end
      from cell c
     where not c.wanted;
end;

-- Publishes message.unsubscribed for what a person does not want any more, where a workflow wants to know. Called by
-- set_preferences and unsubscribe_person.
create or replace function pawl.tell_unsubscribed(
    p_bucket smallint, p_tenant int, p_person text, p_channel text[], p_category text[], p_source text
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if coalesce(cardinality(p_channel), 0) = 0 or not pawl.wants_event(p_tenant, 'message.unsubscribed') then
        return;
    end if;
    perform pawl.publish_events(
        p_bucket, array_agg(p_tenant), array_agg(p_source || ':' || gen_random_uuid()),
        array_agg('message.unsubscribed'::text), array_agg(p_person), array_agg(p_person), array_agg(p_source),
        array_agg(now()), array_agg(jsonb_build_object(
            'kind', 'unsubscribed', 'person', p_person, 'channel', w.channel, 'category', w.category)))
       from unnest(p_channel, p_category) as w (channel, category);
end
$$;

-- A person does not want messages of a channel and a category any more ('*': of all). Publishes message.unsubscribed,
-- where a workflow wants to know, unless they had said the same before. Called by servers.
create or replace function pawl.unsubscribe_person(
    p_bucket smallint, p_tenant int, p_person text, p_channel text, p_category text
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_known boolean := exists (
        select 1 from pawl.unsubscribe n
         where n.tenant = p_tenant and n.person = pawl.event_key(p_person) and n.channel = p_channel
           and n.category = pawl.event_key(p_category) and (n.lifted_at is null or n.lifted_at < n.at));
begin
    perform pawl.set_subscription(p_tenant, p_person, p_channel, p_category, false, null);
    if not v_known then
        perform pawl.tell_unsubscribed(p_bucket, p_tenant, p_person, array[p_channel], array[p_category], 'api');
    end if;
end
$$;

-- Keeps what a person said about these cells (pawl.preferences), and nothing of before about them; what they have said
-- about all channels stays for those that are not among the cells, unless they want all of the cells. Publishes
-- message.unsubscribed for what they do not want any more, where a workflow wants to know. Called by the page of
-- preferences; locks the rows of the person.
create or replace function pawl.set_preferences(
    p_bucket smallint, p_tenant int, p_person text, p_channel text[], p_category text[], p_wanted boolean[]
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_person text := pawl.event_key(p_person);
    v_channel text[];
    v_category text[];
begin
    perform pawl.hold(p_tenant, 'preferences');
    select array_agg(r.channel), array_agg(pawl.event_key(r.category)) into v_channel, v_category
      from pawl.preference_rows(p_channel, p_category, p_wanted) as r;
    insert into pawl.unsubscribe as n (tenant, person, channel, category, at)
    select p_tenant, v_person, c.channel, a.category, a.at
      from pawl.unsubscribe a
     cross join unnest(pawl.message_channels()) as c (channel)
     where a.tenant = p_tenant and a.person = v_person and a.channel = '*'
       and (a.lifted_at is null or a.lifted_at < a.at) and c.channel <> all (p_channel)
       and false = any (p_wanted)
       and not exists (select 1 from unnest(v_channel, v_category) as w (channel, category)
                        where w.channel = '*' and w.category in (a.category, '*'))
     order by c.channel, a.category
        on conflict (tenant, person, channel, category) do update set at = greatest(n.at, excluded.at);
    update pawl.unsubscribe n
       set lifted_at = greatest(now(), n.at)
     where n.tenant = p_tenant and n.person = v_person and (n.lifted_at is null or n.lifted_at < n.at)
       and (n.channel = '*' or n.channel = any (p_channel))
       and not exists (select 1 from unnest(v_channel, v_category) as w (channel, category)
                        where w.channel = n.channel and w.category = n.category);
    with new as (
        insert into pawl.unsubscribe as n (tenant, person, channel, category, at)
        select p_tenant, v_person, w.channel, w.category, now()
          from unnest(v_channel, v_category) as w (channel, category)
         order by w.channel, w.category
            on conflict (tenant, person, channel, category) do update set at = excluded.at, lifted_at = null
         where n.lifted_at >= n.at
        returning n.channel, n.category
    )
    select array_agg(n.channel), array_agg(n.category) into v_channel, v_category from new n;
    perform pawl.tell_unsubscribed(p_bucket, p_tenant, p_person, v_channel, v_category, 'preferences');
end
$$;
