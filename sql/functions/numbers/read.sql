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

-- Who is in a workflow, and where: p_limit places after (p_node, p_run, p_token), in this order. p_at: at this node.
create or replace function pawl.people_at(
    p_tenant int, p_workflow int, p_at text, p_state text, p_version int, p_node text, p_run uuid, p_token int,
    p_limit int
)
returns setof pawl.run_place
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
    if p_at is not null then
        return query
        select r.* from pawl.run_place r
         where r.tenant = p_tenant and r.workflow = p_workflow and r.node = pawl.event_key(p_at)
           and (p_run is null or (r.run_id, r.token) > (p_run, p_token)) and (p_state is null or r.state = p_state)
           and (p_version is null or r.version = p_version)
         order by r.run_id, r.token
         limit p_limit;
        return;
    end if;
    return query
    select r.* from pawl.run_place r
     where r.tenant = p_tenant and r.workflow = p_workflow
       and (p_run is null or (r.node, r.run_id, r.token) > (p_node, p_run, p_token))
       and (p_state is null or r.state = p_state) and (p_version is null or r.version = p_version)
     order by r.node, r.run_id, r.token
     limit p_limit;
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
