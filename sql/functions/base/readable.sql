-- Whether the engine could read data back (pawl.refuse_unreadable). Planned with the statement that asks, if it calls
-- nothing that is less than immutable, such as pg_column_size. What is nested too deep has at least 129 characters, and
-- a number that is out of range 309 digits.
create or replace function pawl.is_readable(p_data jsonb) returns boolean
language sql immutable parallel safe
return octet_length(p_data::text) < 129
       or not jsonb_path_exists(p_data, 'strict $.**{64 to last}')
       and (octet_length(p_data::text) < 309 or not jsonb_path_exists(
           p_data, 'strict $.** ? (@ > 1.7976931348623158e308 || @ < -1.7976931348623158e308)'
       ));

-- Refuses data that the engine could not read back: nested deeper than 64 levels (invalid_parameter_value), or with
-- numbers beyond a double (numeric_value_out_of_range).
create or replace function pawl.refuse_unreadable(p_data jsonb) returns void
language plpgsql immutable
set search_path = pg_catalog
as $$
begin
    -- Depth takes room: small data need not be walked for it.
    if pg_column_size(p_data) > 200 and jsonb_path_exists(p_data, 'strict $.**{64 to last}') then
        raise exception 'data is nested deeper than 64 levels' using errcode = 'invalid_parameter_value',
            hint = 'Give it as text, or give the key of a row that has it.';
    elsif jsonb_path_exists(
        -- What is above rounds to infinity.
        p_data, 'strict $.** ? (@.type() == "number" && (@ > 1.7976931348623158e308 || @ < -1.7976931348623158e308))'
    ) then
        raise exception 'a number in data is out of range' using errcode = 'numeric_value_out_of_range',
            hint = 'Numbers are double precision here: give it as text.';
    end if;
end
$$;

-- JSON as Postgres keeps it: U+0000, and half of a pair of surrogates, become U+FFFD; what it cannot keep either is
-- left out, and said to be. Called for values that an application has written, whose statements must not fail by it.
create or replace function pawl.kept_json(p_data json) returns jsonb
language plpgsql immutable set search_path = pg_catalog as $$
begin
    return p_data::jsonb;
exception when others then
    begin
        return pawl.storable_text(p_data::text)::jsonb;
    exception when others then
        return jsonb_build_object('pawl.left_out', 'Postgres cannot keep it');
    end;
end
$$;

-- JSON without escapes that Postgres does not take. Those of backslashes stay.
create or replace function pawl.storable_text(p_json text) returns text
language sql immutable parallel safe
return regexp_replace(regexp_replace(
    p_json, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89ab][0-9a-f]{2}(?!\\ud[c-f]))', '\1\\ufffd', 'gi'
), '(?<!\\ud[89ab][0-9a-f]{2})(?<!\\)((?:\\\\)*)\\ud[c-f][0-9a-f]{2}', '\1\\ufffd', 'gi');

-- The same for a row of a table, column by column where it has to be.
create or replace function pawl.kept_row(p_row json) returns jsonb
language plpgsql immutable set search_path = pg_catalog as $$
begin
    return p_row::jsonb;
exception when others then
    return (select coalesce(jsonb_object_agg(c.key, pawl.kept_json(c.value)), '{}')
              from json_each(pawl.storable_text(p_row::text)::json) as c);
end
$$;

-- What an event says without what the engine could not read (refuse_unreadable): of such a column it says why it is
-- left out. Called where pawl.is_readable is false.
create or replace function pawl.readable_part(p_data jsonb) returns jsonb
language plpgsql immutable set search_path = pg_catalog as $$
begin
    return (
        select jsonb_object_agg(m.key, case
                   when pawl.is_readable(jsonb_build_object('', m.value)) then m.value
                   when m.key not in ('old', 'new') or jsonb_typeof(m.value) <> 'object' then pawl.left_out(m.value)
                   else (
                       select jsonb_object_agg(c.key, case
                                  when pawl.is_readable(jsonb_build_object('', jsonb_build_object('', c.value)))
                                  then c.value else pawl.left_out(c.value) end)
                         from jsonb_each(m.value) as c
                   ) end)
          from jsonb_each(p_data) as m
    );
end
$$;

-- The same for data that may be readable.
create or replace function pawl.readable_whole(p_data jsonb) returns jsonb
language plpgsql immutable set search_path = pg_catalog as $$
begin
    return case when pawl.is_readable(p_data) then p_data else pawl.readable_part(p_data) end;
end
$$;

-- What stands for a value that is not readable.
create or replace function pawl.left_out(p_value jsonb) returns jsonb
language sql immutable parallel safe
return jsonb_build_object('pawl.left_out', case when jsonb_path_exists(p_value, 'strict $.**{62 to last}')
                                                then 'nested deeper than 64 levels'
                                                else 'a number is out of range' end);

-- Whether the engine can read every value of a column of this type. A numeric with a precision says how many digits it
-- has at most, and one with a negative scale has zeros behind them.
create or replace function pawl.is_plain_type(p_type oid, p_typmod int) returns boolean
language sql immutable parallel safe
return p_type = any (array['int2', 'int4', 'int8', 'text', 'varchar', 'bpchar', 'uuid', 'bool', 'date', 'timestamp',
                           'timestamptz', 'float4', 'float8']::regtype[])
       or p_type = 'numeric'::regtype and (p_typmod - 4) >> 16 between 1 and 308 and (p_typmod - 4) & 1024 = 0;

-- Whether the engine can read every row of a table.
create or replace function pawl.is_plain_table(p_relation regclass) returns boolean
language sql stable
begin atomic
    select not exists (
        select 1 from pg_attribute a
         where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped
           and not pawl.is_plain_type(a.atttypid, a.atttypmod));
end;

-- Whether every value of this type can be made jsonb: json cannot, nor what may hold some, or has a cast of its own.
create or replace function pawl.is_always_jsonb(p_type oid) returns boolean
language sql stable
begin atomic
    select exists (
        select 1
          from pg_type t
          join pg_type e on e.oid = case when t.typsubscript = 'array_subscript_handler'::regproc then t.typelem
                                         else t.oid end
         where t.oid = p_type and e.typtype in ('b', 'e', 'r', 'm') and e.oid <> 'json'::regtype
           and (e.oid = 'jsonb'::regtype or not exists (
                    select 1 from pg_cast c
                     where c.castsource = e.oid and c.casttarget in ('json'::regtype, 'jsonb'::regtype))));
end;

-- A column as SQL: as it is, or as jsonb where that could fail; p_jsonb: as jsonb.
create or replace function pawl.kept_column(p_column text, p_type oid, p_jsonb boolean) returns text
language sql stable
begin atomic
    select case when not pawl.is_always_jsonb(p_type) then format('pawl.kept_json(to_json(%s))', p_column)
                when p_jsonb then format('to_jsonb(%s)', p_column) else p_column end;
end;

-- The same for a column of a row that was changed, but for a value of more than 1 MiB, which is left out: a few hundred
-- of them could not be written down together. Its digest tells whether it is another one. What is stored in 4000
-- bytes is less, however well it is compressed.
create or replace function pawl.said_column(p_column text, p_type oid, p_jsonb boolean) returns text
language sql stable
begin atomic
    select case when t.typlen <> -1 or t.oid = 'numeric'::regtype then pawl.kept_column(p_column, p_type, p_jsonb)
                else format('case when pg_column_size(%1$s) > 4000 and octet_length(%2$s) > 1048576'
                            ' then %3$s_build_object(''pawl.left_out'', ''longer than 1 MiB'', ''md5'', md5(%2$s))'
                            ' else %4$s end',
                            p_column, case when t.oid = 'bytea'::regtype then p_column else p_column || '::text' end,
                            k.kind, case when k.kind = 'json' then format('to_json(%s)', p_column)
                                         else pawl.kept_column(p_column, p_type, true) end) end
      from pg_type t
     cross join lateral (
         select case when p_jsonb or not pawl.is_always_jsonb(p_type) then 'jsonb' else 'json' end as kind
     ) as k
     where t.oid = p_type;
end;
