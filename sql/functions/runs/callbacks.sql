-- accepted, repeated (this answer was accepted before), answered (another one was), or closed (the run takes no more).
create or replace function pawl.answer_callback(
    p_bucket smallint, p_run uuid, p_token bytea, p_fingerprint bytea, p_expires timestamptz, p_data jsonb
) returns text
language plpgsql
set search_path = pg_catalog as $$
declare
    v_fingerprint bytea;
begin
    -- Waits for a transaction that uses the same token, so that the next statement sees what came of it.
    insert into pawl.callback_use (bucket, run_id, token, fingerprint, expires_at)
    values (p_bucket, p_run, p_token, p_fingerprint, p_expires)
        on conflict do nothing;
    if not found then
        select u.fingerprint into v_fingerprint from pawl.callback_use u
         where u.bucket = p_bucket and u.token = p_token;
        return case when v_fingerprint = p_fingerprint then 'repeated' else 'answered' end;
    end if;
    perform pawl.send_signals(p_bucket, array[p_run], array['callback'], array[p_data]);
    if not found then
        delete from pawl.callback_use u where u.bucket = p_bucket and u.token = p_token;
        return 'closed';
    end if;
    return 'accepted';
end
$$;
