-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'

-- 47 characters leave room for the names that are made of it.
create or replace function pgmq.validate_queue_name(queue_name text) returns void
language plpgsql as $$
begin
    if length(queue_name) > 47 then
        raise exception 'queue name is too long, maximum length is 47 characters';
    end if;
end $$;

-- The name of a table of a queue: the prefix, _ and the name, in lower case. Refuses names with $, ;, -- or a quote.
create or replace function pgmq.format_table_name(queue_name text, prefix text) returns text
language plpgsql immutable as $$
begin
    if queue_name ~ '[$;'']|--' then
        raise exception 'queue name contains invalid characters: $, ;, --, or \''';
    end if;
    return lower(prefix || '_' || queue_name);
end $$;

-- One queue is made, changed or dropped by one session at a time.
create or replace function pgmq._lock_queue(queue_name text) returns void
language sql as $$ select pg_advisory_xact_lock(hashtext('pgmq.queue_' || queue_name)) $$;
