-- Rows of journeys are checked by the rules of the engine: pawl.config_problem. amp_condition has other parameters, and
-- what calls it is made anew.
-- breaking: no

set local lock_timeout = '5s';

drop function if exists pawl.amp_condition(jsonb) cascade;
drop function if exists pawl.amp_query_problem(int, jsonb);
drop function if exists pawl.amp_message_problem(jsonb);
drop function if exists pawl.amp_wait_problem(jsonb);
drop function if exists pawl.amp_agent_problem(jsonb);
drop function if exists pawl.amp_unknown_key(jsonb, text[]);
drop function if exists pawl.amp_check_trigger(pawl.amp_workflow_trigger);
