-- Who waits at a node in a state that few are in, as for the next attempt, is found among millions who do not.
-- breaking: no

set local lock_timeout = '5s';

-- The states that most runs wait in, and nearly all at a node, are found by run_place_node.
create index run_place_state on pawl.run_place (tenant, workflow, state, node, run_id, token)
 where state not in ('time', 'event', 'signal');
