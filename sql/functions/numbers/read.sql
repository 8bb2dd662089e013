-- The variants that a workflow has counts of; each is found by a step in the index. Called by funnel_rows.
create or replace function pawl.counted_variants(p_tenant int, p_workflow int) returns text[]
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off
set jit = off as $$
begin
    return array(
        with recursive found as (
            select '' as variant
             union all
            select n.variant
              from found f
             cross join lateral (
                 select c.variant from pawl.funnel_count c
                  where c.tenant = p_tenant and c.workflow = p_workflow and c.span = 'd' and c.variant > f.variant
                  order by c.variant limit 1
             ) as n
        )
        select f.variant from found f where f.variant > ''
    );
end
$$;

-- What happened in a workflow from p_from on and before p_to, both at full hours, of one version or of all. p_by:
-- variant, channel, day (of UTC) or version, whose name or number is `key`; null: all together. Whole days are summed
-- up already.
create or replace function pawl.funnel_rows(
    p_tenant int, p_workflow int, p_from timestamptz, p_to timestamptz, p_version int, p_by text
)
returns table (key text, node text, what text, detail text, count bigint)
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
declare
    v_first timestamptz := case when isfinite(p_from) and date_trunc('day', p_from, 'UTC') < p_from
                                then date_trunc('day', p_from, 'UTC') + interval '1 day' else p_from end;
    v_last timestamptz := case when isfinite(p_to) then date_trunc('day', p_to, 'UTC') else p_to end;
    v_variant text[] := case p_by when 'variant' then pawl.counted_variants(p_tenant, p_workflow) else array[''] end;
begin
    if v_first > v_last then
        -- Within a day, or around one midnight: hours alone.
        v_first := p_to;
        v_last := p_to;
    end if;
    return query
    select case p_by when 'variant' then c.variant when 'channel' then c.channel when 'version' then c.version::text
                     when 'day' then to_char(c.at at time zone 'UTC', 'YYYY-MM-DD') else '' end,
           c.node, c.what, c.detail, sum(c.count)::bigint
      from (values ('d'::"char", v_first, v_last), ('h', p_from, v_first), ('h', v_last, p_to))
           as s (span, since, until)
     cross join unnest(v_variant) as v (variant)
     cross join lateral (
         select * from pawl.funnel_count x
          where x.tenant = p_tenant and x.workflow = p_workflow and x.span = s.span and x.variant = v.variant
            and x.at >= s.since and x.at < s.until
         offset 0
     ) as c
     where (p_version is null or c.version = p_version) and (p_by is distinct from 'channel' or c.channel <> '')
     group by 1, 2, 3, 4
    having sum(c.count) <> 0;
end
$$;

-- How many people entered a workflow in that time, each counted once; by variant of a split, or by day.
create or replace function pawl.funnel_people_of(
    p_tenant int, p_workflow int, p_from timestamptz, p_to timestamptz, p_by text
)
returns table (key text, count bigint)
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    select case p_by when 'variant' then f.variant
                     when 'day' then to_char(f.at at time zone 'UTC', 'YYYY-MM-DD') else '' end,
           sum(f.count)::bigint
      from pawl.funnel_people f
     where f.tenant = p_tenant and f.workflow = p_workflow and f.at >= p_from and f.at < p_to
       and (p_by = 'variant' and f.variant > '' or p_by is distinct from 'variant' and f.variant = '')
       and (f.before = '-infinity'
            or f.before < case p_by when 'day' then greatest(p_from, date_trunc('day', f.at, 'UTC')) else p_from end)
     group by 1;
end
$$;

-- At which nodes of a workflow runs wait, from p_from on, in their order: in this state and with this version, where
-- these are given, and at p_at. The counts know, without a look at the runs. Called by people_in_state.
create or replace function pawl.occupied_nodes(
    p_tenant int, p_workflow int, p_at text, p_state text, p_version int, p_from text
) returns text[]
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
begin
    return array(
        select c.node
          from pawl.funnel_count c
         where c.tenant = p_tenant and c.workflow = p_workflow and c.span = 'n' and c.variant = ''
           and c.at = '-infinity' and c.what = 'waiting' and (p_at is null or c.node = pawl.event_key(p_at))
           and (p_state is null or c.detail = p_state) and (p_version is null or c.version = p_version)
           and (p_from is null or c.node >= p_from)
         group by c.node
        having sum(c.count) > 0
         order by c.node
    );
end
$$;

-- The same as people_at, for runs in one state or of one version: node by node, and only where there are any, since all
-- others at a node are passed over. States of few runs among many have an index. Called by people_at.
create or replace function pawl.people_in_state(
    p_tenant int, p_workflow int, p_at text, p_state text, p_version int, p_node text, p_run uuid, p_token int,
    p_limit int
)
returns setof pawl.run_place
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare
    v_from text := case when p_run is not null then coalesce(pawl.event_key(p_at), p_node) end;
    v_run uuid := coalesce(p_run, '00000000-0000-0000-0000-000000000000');
    v_token int := coalesce(p_token, -1);
    v_node text;
    v_left int := p_limit;
    v_found int;
begin
    foreach v_node in array pawl.occupied_nodes(p_tenant, p_workflow, p_at, p_state, p_version, v_from) loop
        if v_node > v_from then
            v_run := '00000000-0000-0000-0000-000000000000';
            v_token := -1;
        end if;
        if p_state not in ('time', 'event', 'signal') then
            return query
            select r.* from pawl.run_place r
             where r.tenant = p_tenant and r.workflow = p_workflow and r.state = p_state and r.node = v_node
               and r.state not in ('time', 'event', 'signal') and (r.run_id, r.token) > (v_run, v_token)
               and (p_version is null or r.version = p_version)
             order by r.run_id, r.token
             limit v_left;
        else
            return query
            select r.* from pawl.run_place r
             where r.tenant = p_tenant and r.workflow = p_workflow and r.node = v_node
               and (r.run_id, r.token) > (v_run, v_token)
               and (p_state is null or r.state = p_state) and (p_version is null or r.version = p_version)
             order by r.run_id, r.token
             limit v_left;
        end if;
        get diagnostics v_found = row_count;
        v_left := v_left - v_found;
        exit when v_left <= 0;
    end loop;
end
$$;

-- Who is in a workflow, and where: p_limit places after (p_node, p_run, p_token), in this order. p_at: at this node.
create or replace function pawl.people_at(
    p_tenant int, p_workflow int, p_at text, p_state text, p_version int, p_node text, p_run uuid, p_token int,
    p_limit int
)
returns setof pawl.run_place
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
declare
    v_run uuid := coalesce(p_run, '00000000-0000-0000-0000-000000000000');
    v_token int := coalesce(p_token, -1);
begin
    if p_state is not null or p_version is not null then
        return query
        select r.* from pawl.people_in_state(
            p_tenant, p_workflow, p_at, p_state, p_version, p_node, p_run, p_token, p_limit) as r;
    elsif p_at is not null then
        return query
        select r.* from pawl.run_place r
         where r.tenant = p_tenant and r.workflow = p_workflow and r.node = pawl.event_key(p_at)
           and (r.run_id, r.token) > (v_run, v_token)
         order by r.run_id, r.token
         limit p_limit;
    else
        return query
        select r.* from pawl.run_place r
         where r.tenant = p_tenant and r.workflow = p_workflow
           and (r.node, r.run_id, r.token) > (coalesce(p_node, ''), v_run, v_token)
         order by r.node, r.run_id, r.token
         limit p_limit;
    end if;
end
$$;

-- When the counts of a bucket were made, and whether they are being made anew. For tenants, who see no projector.
create or replace function pawl.funnels_as_of(p_bucket smallint, out looked_at timestamptz, out walk boolean)
returns setof record
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.current_tenant();
    return query select p.looked_at, p.walk from pawl.projector p where p.name = 'funnels' and p.bucket = p_bucket;
end
$$;
