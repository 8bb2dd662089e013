-- Runs that SQL starts are counted by the worker that takes them up first: the metric of started runs has them too.
-- breaking: no

set local lock_timeout = '5s';

-- What plan::run_started writes, and that no process has counted it yet. Absent is not null here: input may hold nulls,
-- so they are not stripped.
create or replace function pawl.first_event(
    p_head pawl.definition, p_input jsonb, p_correlation text, p_subject text, p_start_at timestamptz,
    p_triggered_by text
) returns jsonb
language sql stable
return jsonb_strip_nulls(jsonb_build_object(
    'workflow', (p_head).workflow,
    'version', (p_head).version,
    'subject', nullif(p_subject, ''),
    'timeout_ms', coalesce(pawl.duration_ms((p_head).settings -> 'timeout'), (p_head).timeout_seconds::bigint * 1000),
    'correlation_id', nullif(p_correlation, ''),
    'triggered_by', nullif(p_triggered_by, ''),
    'start_at', (extract(epoch from p_start_at) * 1000000)::bigint,
    'uncounted', true
)) || jsonb_build_object('input', coalesce(p_input, '{}'));
