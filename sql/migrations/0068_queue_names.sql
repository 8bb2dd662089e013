-- A queue name that is too long is refused in the words of pgmq.
-- breaking: no
-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'
-- left out: The schema pgmq is not Pawl's; it is used as it is.

set local lock_timeout = '5s';

-- 47 characters leave room for the names that are made of it.
create or replace function pgmq.validate_queue_name(queue_name text) returns void
language plpgsql as $$
begin
    if length(queue_name) > 47 then
        raise exception 'queue name is too long, maximum length is 47 characters';
    end if;
end $$;
