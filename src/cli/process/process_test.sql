-- Tests of the process @N@: psql -v ON_ERROR_STOP=1 -f @N@_test.sql
-- Leaves nothing behind, and ends with an error when something is wrong.

begin;

do $test$
declare
    v_task bigint;
    v_again bigint;
    v_payload jsonb;
    v_answer jsonb;
    v_refused boolean := false;
begin
    insert into @S@.@N@ (@TEST_COLUMNS@) values (@TEST_VALUES@);
    v_task := @S@.kickoff_@N@_task((select max(m.@N@_id) from @S@.@N@ m));
    v_again := @S@.kickoff_@N@_task((select max(m.@N@_id) from @S@.@N@ m));
    v_payload := jsonb_build_object('@N@_task_id', v_task);
    assert v_task = v_again, 'kicking off twice is kicking off once';

    -- From here on as the worker, which may run what was granted and nothing else.
    set local role worker_service_user;
    v_answer := internal.run_function('@S@.@N@_supervisor', v_payload);
    assert v_answer #>> '{payload,state}' = 'open', v_answer::text;
    v_answer := internal.run_function('@S@.@N@_supervisor', v_payload);
    assert v_answer #>> '{payload,failures}' = '0', v_answer::text;
    reset role;
    assert @S@.count_@N@_task_scheduled(v_task) = 1, 'two supervisors schedule one attempt';

    set local role worker_service_user;
    v_answer := internal.run_function('@S@.get_@N@_payload', v_payload || '{"attempt": 1}');
    assert (v_answer ->> 'success')::boolean, v_answer::text;
    assert v_answer -> 'payload' ? 'to', 'the payload has a recipient';
    v_answer := internal.run_function('@S@.record_@N@_failure', jsonb_build_object(
        'original_payload', v_payload || '{"attempt": 1}',
        'error', 'the provider is down'));
    assert (v_answer ->> 'success')::boolean, v_answer::text;
    v_answer := internal.run_function('@S@.@N@_supervisor', v_payload);
    assert v_answer #>> '{payload,failures}' = '1', v_answer::text;
    v_answer := internal.run_function('@S@.get_@N@_payload', v_payload || '{"attempt": 1}');
    assert v_answer ? 'validation_failure_message', 'the first attempt is over';
    v_answer := internal.run_function('@S@.record_@N@_success', jsonb_build_object(
        'original_payload', v_payload || '{"attempt": 2}',
        'worker_payload', jsonb_build_object('message_id', 'm')));
    assert (v_answer ->> 'success')::boolean, v_answer::text;
    v_answer := internal.run_function('@S@.@N@_supervisor', v_payload);
    assert v_answer #>> '{payload,state}' = 'succeeded', v_answer::text;
    v_answer := internal.run_function('@S@.@N@_supervisor', '{"@N@_task_id": "no-such-task"}');
    assert v_answer ? 'validation_failure_message', v_answer::text;
    begin
        perform internal.run_function('@S@.kickoff_@N@_task', '{}');
    exception when undefined_function or insufficient_privilege then
        v_refused := true;
    end;
    assert v_refused, 'the worker begins nothing';
    reset role;

    assert @S@.has_@N@_task_succeeded(v_task), 'it is done';
    assert @S@.count_@N@_task_scheduled(v_task) = 2, 'in two attempts';
    assert @S@.count_@N@_task_failures(v_task) = 1, 'one of which failed';

    v_refused := false;
    begin
        delete from @S@.@N@_task_failed;
    exception when integrity_constraint_violation then
        v_refused := true;
    end;
    assert v_refused, 'facts are only added';
    raise notice '@S@.@N@: all tests passed';
end
$test$;

rollback;
