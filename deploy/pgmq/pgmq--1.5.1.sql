-- `pawl migrate up` creates the queues, and they stay when the extension is dropped: it only declares that they exist.
do $$
begin
    if coalesce(obj_description('pgmq'::regnamespace, 'pg_namespace'), '') not like '%made by Pawl' then
        raise exception 'there are no queues of Pawl in this database'
            using errcode = 'object_not_in_prerequisite_state', hint = 'Run pawl migrate up first.';
    end if;
end
$$;
