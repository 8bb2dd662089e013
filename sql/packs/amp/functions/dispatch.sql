-- needs: packs/amp/functions/watch
-- needs: functions/journeys/take

-- Takes in a change of a table that another program tells of, as a watch of the table would: an event for the workflows
-- of the tenant that want it. p_record is the row as it is now, or was; p_old what it was before an UPDATE. Returns
-- {foreign}: p_merchant is another tenant's; {watched}: the table is watched, so the change is known without it;
-- {workflows: [{workflow_id, workflow_code, name}], repeated}: those that it starts. The change of a record is taken in
-- once where the record has an id, and each update. Called by the server, for the tenant of the caller's key.
create or replace function pawl.amp_dispatch_call(
    p_bucket smallint, p_tenant int, p_merchant text, p_table text, p_operation text, p_user text, p_record_id text,
    p_record jsonb, p_old jsonb
) returns jsonb
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_parts text[] := pawl.table_parts(p_table);
    v_event text := v_parts[2];
    v_watch pawl.watch;
    v_unsaid text[] := pawl.unsaid_columns(v_parts[1], v_parts[2]);
    v_id text := 'dispatch:' || case when p_record_id is null or p_operation = 'UPDATE' then gen_random_uuid()::text
                                     else md5(concat_ws(':', p_table, p_operation, p_record_id)) end;
    v_data jsonb;
    v_told jsonb;
    v_workflows jsonb;
    v_fresh int;
begin
    if p_merchant is not null and not exists (
        select 1 from pawl.tenant t where t.id = p_tenant and p_merchant in (t.name, t.organization::text)
    ) then
        return '{"foreign": true}';
    end if;
    select w.* into v_watch from pawl.watch w where w.schema_name = v_parts[1] and w.table_name = v_parts[2];
    if p_operation = any (v_watch.operations)
       and pawl.watch_sees(to_regclass(format('%I.%I', v_parts[1], v_parts[2])), p_operation) then
        return '{"watched": true}';
    end if;
    v_event := coalesce(v_watch.event, v_event);
    v_data := jsonb_strip_nulls(jsonb_build_object('id', p_record_id, 'user_id', p_user, 'merchant_id', p_merchant))
        || p_record || jsonb_build_object('source', v_parts[2], 'operation', p_operation) || case p_operation
               when 'UPDATE' then jsonb_build_object('old', coalesce(p_old, '{}'), 'new', p_record, 'changed',
                   coalesce(pawl.changed_members(coalesce(p_old, '{}'), p_record), '[]'))
               when 'DELETE' then jsonb_build_object('old', p_record) else '{}' end;
    select coalesce(jsonb_agg(distinct jsonb_build_object(
               'workflow_id', coalesce(a.id::text, w.name), 'workflow_code', coalesce(a.workflow_code, w.name),
               'name', coalesce(a.name, w.name))) filter (where x.place >= 0), '[]'), count(*)
      into v_workflows, v_fresh
      from pawl.watch_wish x
      join pawl.workflow w on w.id = x.workflow
      left join pawl.amp_workflow a on a.workflow = x.workflow
     where x.tenant = p_tenant and x.event in (v_event, '*')
       and (x.operations is null or p_operation = any (x.operations))
       and (x.path is null or jsonb_path_match(v_data, x.path, '{}', true));
    if v_fresh > 0 then
        if v_unsaid <> '{}' then
            v_told := pawl.told_of(p_tenant, v_event, v_data, v_unsaid);
            v_data := pawl.without_columns(v_data, v_unsaid);
        end if;
        perform pawl.refuse_unreadable(v_data);
        select count(*) into v_fresh
          from pawl.publish_events(
              p_bucket, array[p_tenant], array[v_id], array[v_event], array[coalesce(p_user, '')], array[p_user],
              array['dispatch-workflow-trigger'], array[now()], array[v_data]);
        if v_fresh > 0 and v_told is not null then
            update pawl.inbox i set met = v_told
             where i.bucket = p_bucket and i.tenant = p_tenant and i.event_id = v_id;
        end if;
        return jsonb_build_object('workflows', v_workflows, 'repeated', v_fresh = 0);
    end if;
    return '{"workflows": [], "repeated": false}';
end
$$;
