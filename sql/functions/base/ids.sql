-- The smallest UUIDv7 of a millisecond: partition bounds.
create or replace function pawl.uuid7_bound(p_at timestamptz) returns uuid
language sql immutable parallel safe
return (lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Whether a text has the form of a UUID.
create or replace function pawl.is_uuid(p_text text) returns boolean
language sql immutable parallel safe
return coalesce(p_text ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', false);

-- An instant as the engine writes it in JSON.
create or replace function pawl.rfc3339(p_at timestamptz) returns text
language sql immutable parallel safe
return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- Whether a JSON value is a whole number of at most nine digits.
create or replace function pawl.is_whole(p_value jsonb) returns boolean
language sql immutable parallel safe
return jsonb_typeof(p_value) = 'number' and p_value #>> '{}' ~ '^-?[0-9]{1,9}$';

-- A number from 0 to 9999 for a text, evenly spread: which share of the starts it falls into.
create or replace function pawl.place_of(p_text text) returns int
language sql immutable parallel safe
return mod(('x00' || left(encode(sha256(convert_to(p_text, 'UTF8')), 'hex'), 14))::bit(64)::bigint, 10000);

-- A duration as the definition JSON has it: a number of seconds, or text like "1h30m" or "PT5M".
create or replace function pawl.duration_ms(p_duration jsonb) returns bigint
language sql immutable parallel safe
return case
    when jsonb_typeof(p_duration) = 'number' then ceil((p_duration #>> '{}')::numeric * 1000)::bigint
    when p_duration #>> '{}' ~ '^ *P' then ceil(extract(epoch from (p_duration #>> '{}')::interval) * 1000)::bigint
    when p_duration #>> '{}' ~ '^ *[0-9.]+ *$' then ceil((p_duration #>> '{}')::numeric * 1000)::bigint
    else (
        select ceil(sum(m.part[1]::numeric * case m.part[2]
                   when 'd' then 86400000 when 'h' then 3600000 when 'm' then 60000 when 's' then 1000
                   when 'ms' then 1 when 'us' then 0.001 end))::bigint
          from regexp_matches(p_duration #>> '{}', '([0-9.]+)(d|h|ms|m|s|us)', 'g') as m (part)
    )
end;

-- Many new run ids of one moment, in order: its time, the place of each where a UUIDv7 may have one, and 62 bits that
-- no caller can guess. These are from digests of one secret number: a random number for each takes as long as the entry
-- of an index.
create or replace function pawl.fresh_ids(p_count int) returns uuid[]
language plpgsql volatile set search_path = pg_catalog as $$
declare
    c_version constant int := 28672;  -- 0x7000, and the place in its last 12 bits
    v_secret constant bytea := uuid_send(gen_random_uuid());
    v_ms constant bigint := extract(epoch from clock_timestamp()) * 1000;
begin
    return array(
        select (d.time || to_hex(c_version + n.place % 4096) || encode(
                   set_bit(set_bit(substring(d.digest from n.place % 8 * 8 + 1 for 8), 7, 1), 6, 0), 'hex'))::uuid
          from (
              select g.first, lpad(to_hex(v_ms + g.first / 4096), 12, '0') as time,
                     sha512(v_secret || int4send(g.first)) as digest
                from generate_series(0, p_count - 1, 8) as g (first)
              offset 0
          ) as d
         cross join lateral generate_series(d.first, least(d.first + 8, p_count) - 1) as n (place)
    );
end
$$;
