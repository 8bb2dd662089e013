-- Workflows in C++: one more type of event, for what their plans ask for.
-- breaking: no

set local lock_timeout = '5s';

create or replace function pawl.event_type_name(p_type smallint) returns text
language sql immutable parallel safe
return (array['run_started', 'step_completed', 'step_failed', 'wait_started', 'run_completed', 'run_failed',
              'run_cancelled', 'node_passed', 'routed', 'joined', 'signal_received', 'wait_noted', 'run_paused',
              'run_resumed', 'compensation_started', 'items_listed', 'step_skipped', 'planned'])[p_type + 1];
