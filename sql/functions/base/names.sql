-- The name of a type of event (enum EventType); null for a number that has none.
create or replace function pawl.event_type_name(p_type smallint) returns text
language sql immutable parallel safe
return (array['run_started', 'step_completed', 'step_failed', 'wait_started', 'run_completed', 'run_failed',
              'run_cancelled', 'node_passed', 'routed', 'joined', 'signal_received', 'wait_noted', 'run_paused',
              'run_resumed', 'compensation_started', 'items_listed', 'step_skipped', 'planned', 'run_repinned',
              'run_held', 'run_stopping', 'items_reopened', 'step_advanced'])[p_type + 1];

-- The name of a run's status (enum RunStatus); null for a number that has none.
create or replace function pawl.run_status_name(p_status smallint) returns text
language sql immutable parallel safe
return (array['running', 'completed', 'failed', 'cancelled'])[p_status + 1];

-- The name of a state of pawl.live_run; null for a number that has none.
create or replace function pawl.live_state_name(p_state smallint) returns text
language sql immutable parallel safe
return (array['ready', 'leased', 'parked', 'queued'])[p_state + 1];

-- The status of an open run as the API shows it, from the state of its row and when it is due.
create or replace function pawl.open_status_name(p_state smallint, p_due timestamptz) returns text
language sql stable parallel safe
return case when p_state = 1 then 'running'
            when p_state = 0 and p_due <= now() or p_state = 3 then 'queued'
            else 'waiting' end;

-- The statuses that a condition on open runs has to compare; null: every open run passes.
create or replace function pawl.open_statuses(p_status text[]) returns text[]
language sql immutable parallel safe
return case when not coalesce(p_status @> array['queued', 'waiting', 'running'], true) then p_status end;

-- Statuses of closed runs by their numbers; null: any.
create or replace function pawl.closed_statuses(p_status text[]) returns smallint[]
language sql immutable parallel safe
return case when p_status is not null then array(
    select s.status
      from unnest(array[1, 2, 3]::smallint[]) as s (status)
     where pawl.run_status_name(s.status) = any (p_status)
) end;

-- The name of a state of pawl.human_task; null for a number that has none.
create or replace function pawl.task_state_name(p_state smallint) returns text
language sql immutable parallel safe
return (array['open', 'approved', 'rejected', 'timed_out', 'withdrawn'])[p_state + 1];
