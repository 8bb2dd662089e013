-- The first bytes of a text, at most so many; a character stays whole.
create or replace function pawl.first_bytes(p_text text, p_bytes int) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_bytes bytea;
    v_end int := p_bytes;
begin
    if octet_length(p_text) <= p_bytes then
        return p_text;
    end if;
    v_bytes := substring(convert_to(p_text, 'UTF8') from 1 for p_bytes + 1);
    while v_end > 0 and get_byte(v_bytes, v_end) & 192 = 128 loop
        v_end := v_end - 1;
    end loop;
    return convert_from(substring(v_bytes from 1 for v_end), 'UTF8');
end
$$;

-- A text, or its beginning and "..." where it has more bytes.
create or replace function pawl.cut_text(p_text text, p_bytes int) returns text
language sql immutable parallel safe
return case when octet_length(p_text) <= p_bytes then p_text else pawl.first_bytes(p_text, p_bytes) || '...' end;

-- JSON as the engine writes it into a sentence: without spaces, and decimals without zeros at their end.
create or replace function pawl.plain_json(p_value jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return case jsonb_typeof(p_value)
        when 'number' then trim_scale(p_value::numeric)::text
        when 'array' then (
            select '[' || coalesce(string_agg(pawl.plain_json(e.value), ',' order by e.n), '') || ']'
              from jsonb_array_elements(p_value) with ordinality as e (value, n))
        when 'object' then (
            select '{' || coalesce(string_agg(to_jsonb(m.key)::text || ':' || pawl.plain_json(m.value), ','), '') || '}'
              from jsonb_each(p_value) as m)
        else p_value::text
    end;
end
$$;
