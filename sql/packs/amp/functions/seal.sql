-- HMAC with SHA-256.
create or replace function pawl.hmac_sha256(p_key bytea, p_data bytea) returns bytea
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_key bytea := case when length(p_key) > 64 then sha256(p_key) else p_key end;
    v_inner bytea := decode(repeat('36', 64), 'hex');
    v_outer bytea := decode(repeat('5c', 64), 'hex');
begin
    for i in 0 .. length(v_key) - 1 loop
        v_inner := set_byte(v_inner, i, get_byte(v_inner, i) # get_byte(v_key, i));
        v_outer := set_byte(v_outer, i, get_byte(v_outer, i) # get_byte(v_key, i));
    end loop;
    return sha256(v_outer || sha256(v_inner || p_data));
end
$$;

-- A number of so many 32-bit words as bytes; the first byte is the highest.
create or replace function pawl.number_bytes(p_number numeric, p_words int) returns bytea
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_hex text := '';
    v_rest numeric := p_number;
begin
    for i in 1 .. p_words loop
        v_hex := lpad(to_hex(mod(v_rest, 4294967296)::bigint), 8, '0') || v_hex;
        v_rest := div(v_rest, 4294967296);
    end loop;
    return decode(v_hex, 'hex');
end
$$;

-- Bytes, four for each 32-bit word, as a number; the first byte is the highest.
create or replace function pawl.bytes_number(p_bytes bytea) returns numeric
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_hex text := encode(p_bytes, 'hex');
    v_number numeric := 0;
begin
    for i in 0 .. length(v_hex) / 8 - 1 loop
        v_number := v_number * 4294967296 + ('x' || substr(v_hex, i * 8 + 1, 8))::bit(32)::bigint;
    end loop;
    return v_number;
end
$$;

-- XOR with the stream of a key: SHA-256 of the key and a counter. Twice is the text again.
create or replace function pawl.stream_sha256(p_key bytea, p_data bytea) returns bytea
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_out bytea := '';
    v_block bytea;
    v_stream bytea;
begin
    for i in 0 .. (length(p_data) - 1) / 32 loop
        v_block := substr(p_data, i * 32 + 1, 32);
        v_stream := sha256(p_key || int4send(i));
        for j in 0 .. length(v_block) - 1 loop
            v_block := set_byte(v_block, j, get_byte(v_block, j) # get_byte(v_stream, j));
        end loop;
        v_out := v_out || v_block;
    end loop;
    return v_out;
end
$$;

-- Encrypts a text so that only the server can read it (RSA-KEM: a random number goes under the public key, and keys
-- that follow from it encrypt and sign the text). p_about is signed too: what is moved to another row is not opened.
-- src/base/wrapped_secret reads it. Raises when no server with a key has worked with this database.
create or replace function pawl.wrap_text(
    p_text text, p_about text, out wrap_key uuid, out wrapped bytea, out data bytea, out mac bytea
)
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
declare
    v_modulus numeric;
    v_seed bytea := '';
    v_number numeric;
    v_power numeric;
begin
    select k.id, k.modulus into wrap_key, v_modulus from pawl.wrap_key k order by k.created_at desc, k.id limit 1;
    if not found then
        raise exception 'credentials cannot be written with SQL yet: no server with a key has worked with this database'
            using errcode = 'object_not_in_prerequisite_state', hint = 'Start pawl serve with PAWL_SECRET_KEY.';
    elsif octet_length(p_text) > 16384 then
        raise exception 'credentials have at most 16 KiB' using errcode = 'string_data_right_truncation';
    end if;
    -- 63 words: less than any modulus of 64.
    for i in 1 .. 8 loop
        v_seed := v_seed || sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
                                   || uuid_send(gen_random_uuid()));
    end loop;
    v_seed := substr(v_seed, 1, 252);
    v_number := pawl.bytes_number(v_seed);
    v_power := v_number;
    for i in 1 .. 16 loop
        v_power := mod(v_power * v_power, v_modulus);
    end loop;
    wrapped := pawl.number_bytes(mod(v_power * v_number, v_modulus), 64);
    data := pawl.stream_sha256(pawl.hmac_sha256(v_seed, 'encrypt'::bytea), convert_to(p_text, 'UTF8'));
    mac := pawl.hmac_sha256(pawl.hmac_sha256(v_seed, 'sign'::bytea), wrapped || data || convert_to(p_about, 'UTF8'));
end
$$;
