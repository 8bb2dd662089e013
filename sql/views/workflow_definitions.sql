-- needs: functions/security/tenants

-- Only the default tenant has this one: ON CONFLICT (name) needs a name that is unique by itself. Others publish with
-- pawl.apply_workflow, the command line or the API.
create or replace view pawl.workflow_definitions with (security_barrier) as
select id, document_name as name, description, steps, required_fields, timeout_seconds, visibility_timeout,
       max_retries, active, created_at, updated_at, created_by, version
  from pawl.definition
 where document_name is not null and tenant = (select pawl.current_tenant());
