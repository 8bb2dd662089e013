-- needs: functions/journeys/message_names

-- Why a message failed: what the sending said, else what the provider said later.
create or replace function pawl.message_error(p_bucket smallint, p_id uuid, p_state smallint, p_error text)
returns text
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
begin
    -- Failed, or bounced.
    if p_error is not null or p_state not in (4, 6) then
        return p_error;
    end if;
    return (
        select nullif(concat_ws(': ', f.detail ->> 'code', coalesce(f.detail ->> 'message', f.detail ->> 'reason')), '')
          from pawl.message_fact f
         where f.bucket = p_bucket and f.message = p_id and f.kind in ('failed', 'bounced')
         order by f.at, f.provider_event_id
         limit 1
    );
end
$$;

-- Messages of a tenant that match, newest first, from before (p_before_at, p_before) on. p_state and p_workflow are
-- looked up in at most p_scan messages: when the search ends there, a last row has no id, and created_at and run_id say
-- where it goes on (p_before_at, p_before).
create or replace function pawl.list_messages(
    p_bucket smallint, p_tenant int, p_external_id text, p_person text, p_state text, p_run uuid, p_workflow text,
    p_before_at timestamptz, p_before uuid, p_limit int, p_scan int
)
returns setof pawl.message
language plpgsql stable
set search_path = pg_catalog set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
    c_order constant text := ' order by m.created_at desc, m.id desc';
    v_workflow int;
    v_where text := 'm.bucket + 0 = $1 and m.tenant = $2';
    v_found pawl.message[];
    v_walked int;
    v_last_at timestamptz;
    v_last uuid;
    v_end pawl.message;
begin
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    if p_run is not null then
        v_where := 'm.bucket + 0 = $1 and m.run_id = $3 and m.tenant + 0 = $2';
    elsif p_external_id is not null then
        v_where := 'm.bucket + 0 = $1 and m.tenant + 0 = $2 and m.external_id = pawl.event_key($4)';
    elsif p_person is not null then
        v_where := v_where || ' and m.person = pawl.event_key($5)';
    end if;
    if p_before_at is not null then
        v_where := v_where || ' and (m.created_at, m.id) < ($6, $7)';
    end if;
    execute format(
        'with walked as materialized (select m as message, row_number() over () as n from ('
        '   select * from pawl.message m where %s%s limit $8) as m),'
        ' fits as (select w.message, w.n from walked w where ($9::int is null or (w.message).workflow = $9)'
        '   and ($10::text is null or pawl.message_state_name((w.message).state) = $10)'
        '   and ($5::text is null or (w.message).person = pawl.event_key($5))'
        '   and ($4::text is null or (w.message).external_id = pawl.event_key($4)) order by w.n limit $11)'
        ' select array(select f.message from fits f order by f.n), (select count(*) from walked),'
        ' (select (w.message).created_at from walked w order by w.n desc limit 1),'
        ' (select (w.message).id from walked w order by w.n desc limit 1)', v_where, c_order
    ) into v_found, v_walked, v_last_at, v_last
      using p_bucket, p_tenant, p_run, p_external_id, p_person, p_before_at, p_before, greatest(p_scan, p_limit),
            v_workflow, p_state, p_limit;
    return query select f.* from unnest(v_found) as f;
    if v_walked = greatest(p_scan, p_limit) and cardinality(v_found) < p_limit then
        v_end.created_at := v_last_at;
        v_end.run_id := v_last;
        return next v_end;
    end if;
end
$$;
