-- What tenants have for themselves: credentials that only the processes with the key can read, and limits.
-- breaking: no

set local lock_timeout = '5s';

create table pawl.credential (
    tenant int not null,
    name text not null,
    -- XChaCha20-Poly1305 over the secret, with tenant and name bound in (src/base/vault.hpp).
    key_id text not null,
    nonce bytea not null,
    box bytea not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint credential_pk primary key (tenant, name),
    constraint credential_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint credential_name_check check (name ~ '^[A-Za-z_][A-Za-z0-9_-]{0,99}$'),
    constraint credential_box_check check (length(box) <= 66000)
);

-- Null: no limit. Starts are refused beyond them; runs under way are not touched.
alter table pawl.tenant
    add column open_runs_max int,
    add column starts_per_second_max int,
    add column payload_bytes_max int,
    add constraint tenant_limits_check check (least(open_runs_max, starts_per_second_max, payload_bytes_max) > 0);

-- How many runs of a tenant are open, counted up to p_limit.
create function pawl.count_open_runs(p_bucket smallint, p_tenant int, p_limit int) returns int
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    select count(*)::int
      from (select 1 from pawl.live_run l where l.bucket = p_bucket and l.tenant = p_tenant limit p_limit) as x;
end;

-- For starts from SQL; the API looks by itself, with a count that may be a second old.
create function pawl.check_limits(p_tenant pawl.tenant, p_starts int, p_bytes int) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    if p_bytes > (p_tenant).payload_bytes_max then
        raise exception 'the data of the run has % bytes; tenant % may give %', p_bytes, (p_tenant).name,
            (p_tenant).payload_bytes_max using errcode = 'program_limit_exceeded';
    elsif (p_tenant).open_runs_max is not null
          and p_starts + pawl.count_open_runs((p_tenant).bucket, (p_tenant).id, (p_tenant).open_runs_max)
              > (p_tenant).open_runs_max then
        raise exception 'tenant % may have % open runs, and this would be more', (p_tenant).name,
            (p_tenant).open_runs_max
            using errcode = 'configuration_limit_exceeded', hint = 'Try again when some of them have ended.';
    end if;
end
$$;

-- {{credentials.NAME}} is not asked for when a run is started, and starts from SQL keep to the limits.
do $$
begin
    execute replace(pg_get_functiondef('pawl.missing_input'::regproc), 'v_root in (''steps'', ''run'')',
                    'v_root in (''steps'', ''run'', ''credentials'')');
    execute replace(pg_get_functiondef('pawl.start'::regproc), E'    return (\n        select s.run_id\n',
                    E'    perform pawl.check_limits(v_tenant, 1, octet_length(start.data::text));\n'
                    '    return (\n        select s.run_id\n');
    execute replace(pg_get_functiondef('pawl.start_many'::regproc), E'    for v_part in 0 ..',
                    E'    perform pawl.check_limits(v_tenant, jsonb_array_length(runs), (\n'
                    '        select max(octet_length((e.entry -> ''data'')::text))\n'
                    '          from jsonb_array_elements(runs) as e (entry)\n'
                    '    ));\n    for v_part in 0 ..');
end
$$;
