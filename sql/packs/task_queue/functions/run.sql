-- An id out of a payload; null when there is none that could be one.
create or replace function internal.payload_id(payload jsonb, key text) returns bigint language sql immutable
set search_path = pg_catalog, pg_temp
return case when payload ->> key ~ '^[0-9]{1,18}$' then (payload ->> key)::bigint end;

-- The answer of a function that did its work.
create or replace function internal.succeeded(payload jsonb default null) returns jsonb language sql immutable
set search_path = pg_catalog, pg_temp
return jsonb_build_object('success', true) ||
       case when payload is null then '{}'::jsonb else jsonb_build_object('payload', payload) end;

-- The answer of a function that was called with a wrong payload.
create or replace function internal.invalid(message text) returns jsonb language sql immutable
set search_path = pg_catalog, pg_temp
return jsonb_build_object('success', false, 'validation_failure_message', message);

-- The answer of a function whose payload names a row that does not exist.
create or replace function internal.unknown(payload jsonb, key text) returns jsonb language sql immutable
set search_path = pg_catalog, pg_temp
return internal.invalid(format('there is no %s %s', key, coalesce(payload ->> key, 'null')));

-- Runs a function (jsonb) returns jsonb by its name, with the caller's rights: it needs a grant of its own, to the
-- caller or to a role that the caller is in; a grant to public does not count. The name has a schema, so no search_path
-- matters, and only the one function with that signature is meant, whatever else has its name.
create or replace function internal.run_function(function_name text, payload jsonb) returns jsonb
language plpgsql security invoker
set search_path = pg_catalog, pg_temp as $$
declare
    v_parts text[];
    v_acl aclitem[];
    v_result jsonb;
begin
    begin
        v_parts := parse_ident(function_name);
    exception when invalid_parameter_value then
        v_parts := null;
    end;
    if v_parts is null or cardinality(v_parts) <> 2 then
        raise exception '% is not the name of a function', coalesce(quote_literal(left(function_name, 200)), 'null')
              using errcode = 'invalid_name', hint = 'Write it with its schema: comms.send_email_supervisor';
    end if;
    select coalesce(p.proacl, acldefault('f', p.proowner)) into v_acl
      from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = v_parts[1] and p.proname = v_parts[2] and p.prokind = 'f' and not p.proretset
       and p.pronargs = 1 and p.proargtypes[0] = 'pg_catalog.jsonb'::regtype and p.provariadic = 0
       and p.prorettype = 'pg_catalog.jsonb'::regtype;
    if not found then
        raise exception 'there is no function %.%(jsonb) returns jsonb', v_parts[1], v_parts[2]
              using errcode = 'undefined_function';
    end if;
    if not exists (
        select 1
          from aclexplode(v_acl) a
         where a.privilege_type = 'EXECUTE' and a.grantee <> 0 and pg_has_role(a.grantee, 'usage')
    ) then
        raise exception '% may not run %.%(jsonb)', current_user, v_parts[1], v_parts[2]
              using errcode = 'insufficient_privilege',
                    hint = format('grant execute on function %I.%I(jsonb) to %I', v_parts[1], v_parts[2], current_user);
    end if;
    execute format('select %I.%I($1)', v_parts[1], v_parts[2]) into v_result using payload;
    return v_result;
end
$$;

revoke execute on function
       internal.payload_id, internal.succeeded, internal.invalid, internal.unknown, internal.run_function
  from public;

grant execute on function
       internal.run_function
    to worker_service_user;
