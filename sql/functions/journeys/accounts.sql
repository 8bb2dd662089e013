-- Creates or changes an account of a connector. p_box null: the credentials stay. An account that is made the default
-- one takes that from the others of its connector. p_hook_token counts for a new account; it never changes. Returns the
-- row; no row when it is new and has no credentials.
create or replace function pawl.put_account(
    p_tenant int, p_connector text, p_account text, p_channels text[], p_key_id text, p_nonce bytea, p_box bytea,
    p_settings jsonb, p_hook_token text
)
returns setof pawl.connector_account
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.hold(p_tenant, 'accounts');
    if p_settings -> 'default' = 'true' then
        update pawl.connector_account a
           set settings = a.settings - 'default'
         where a.tenant = p_tenant and a.connector = p_connector and a.account <> p_account and a.settings ? 'default';
    end if;
    if p_box is null then
        return query
        update pawl.connector_account a
           set channels = p_channels, settings = coalesce(p_settings, a.settings), updated_at = now()
         where a.tenant = p_tenant and a.connector = p_connector and a.account = p_account
        returning a.*;
    else
        return query
        insert into pawl.connector_account as a (
            tenant, connector, account, channels, key_id, nonce, box, settings, hook_token
        )
        values (p_tenant, p_connector, p_account, p_channels, p_key_id, p_nonce, p_box, coalesce(p_settings, '{}'),
                p_hook_token)
            on conflict (tenant, connector, account) do update
           set channels = excluded.channels, key_id = excluded.key_id, nonce = excluded.nonce, box = excluded.box,
               settings = coalesce(p_settings, a.settings), updated_at = now()
        returning a.*;
    end if;
end
$$;

-- Which account each message goes through, one row for each place, in any order. One that is named; else the one whose
-- settings say `default: true`; else the one called default; else the only one. Without a connector, accounts of every
-- connector of the channel count. `problem`: why there is none. Called by prepare_messages.
create or replace function pawl.choose_accounts(
    p_tenant int[], p_channel text[], p_connector text[], p_account text[]
)
returns table (place int, connector text, account text, problem text)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    -- Most messages of a batch ask for the same: each kind is looked for once.
    with chosen as materialized (
        select u.places, c.connectors[1] as connector, c.accounts[1] as account,
               case
                   when c.total is null and u.account is not null then
                       format('there is no account %L of %s', u.account, u.what)
                   when c.total is null then
                       format('%s has no account: add one with its credentials', u.what)
                   when c.total > 1 then
                       format('%s has several accounts (%s) and none is the default: name one in the step, or give one'
                              ' the setting default: true', u.what, c.names)
               end as problem
          from (
              select n.tenant, n.channel, n.connector, n.account, array_agg(n.place::int) as places,
                     case when n.connector is null then format('channel %L', n.channel)
                          else format('connector %L', n.connector) end as what
                from unnest(p_tenant, p_channel, p_connector, p_account) with ordinality
                     as n (tenant, channel, connector, account, place)
               group by n.tenant, n.channel, n.connector, n.account
          ) as u
          left join lateral (
              select r.rank, count(*) as total, array_agg(r.connector order by r.connector, r.account) as connectors,
                     array_agg(r.account order by r.connector, r.account) as accounts,
                     string_agg(case when u.connector is null then r.connector || '/' else '' end || r.account, ', '
                                order by r.connector, r.account) as names
                from (
                    select a.connector, a.account,
                           case when u.account is not null or a.settings -> 'default' = 'true' then 1
                                when a.account = 'default' then 2 else 3 end as rank
                      from pawl.connector_account a
                     where a.tenant = u.tenant and (u.connector is null or a.connector = u.connector)
                       and (u.connector is not null or u.channel = any (a.channels))
                       and (u.account is null or a.account = u.account)
                ) as r
               group by r.rank
               order by r.rank
               limit 1
          ) as c on true
    )
    select p.place, c.connector, c.account, c.problem
      from chosen c cross join lateral unnest(c.places) as p (place);
end
$$;
