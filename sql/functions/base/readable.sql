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
