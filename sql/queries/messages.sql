-- name: prepare_messages
select place, person, address, template, template_version, language, category, connector, account, verdict, wait_until,
       problem, hidden
  from pawl.prepare_messages($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- name: project_messages
-- In the transaction of commit_runs.
select pawl.project_messages($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: begin_messages
select place, outcome, external_id from pawl.begin_messages($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: release_messages
select pawl.release_messages($1, $2)

-- name: pace_messages
select place, wait, later from pawl.pace_messages($1, $2, $3)

-- name: take_facts
select fresh, matched, waiting, coalesce(current_setting('pawl.facts_told', true), '') = 'on' as told
  from pawl.take_facts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
 cross join pawl.suppress_erased($1, $2, $3, $4, $6, $7, $8, $11, $12, $14)

-- name: put_account
select connector, account, to_jsonb(channels) as channels, settings, hook_token, key_id, created_at, updated_at
  from pawl.put_account($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: list_accounts
select connector, account, to_jsonb(channels) as channels, settings, hook_token, key_id, created_at, updated_at
  from pawl.connector_account
 where tenant = $1 and ($2::text is null or connector = $2)
 order by connector, account
 limit 1000

-- name: find_account
select connector, account, to_jsonb(channels) as channels, settings, hook_token, key_id, nonce, box
  from pawl.connector_account
 where tenant = $1 and connector = $2 and account = $3

-- name: find_account_by_hook_token
select a.tenant, t.bucket, a.connector, a.account, to_jsonb(a.channels) as channels, a.settings, a.key_id, a.nonce,
       a.box
  from pawl.connector_account a
  join pawl.tenant t on t.id = a.tenant
 where a.hook_token = $1

-- name: delete_account
delete from pawl.connector_account where tenant = $1 and connector = $2 and account = $3 returning account

-- name: other_accounts
-- Those that are not under this key, of all tenants.
select tenant, connector, account, key_id, nonce, box
  from pawl.connector_account
 where key_id <> $1
 order by tenant, connector, account

-- name: replace_account_box
-- Not when the credentials were set meanwhile.
update pawl.connector_account
   set key_id = $4, nonce = $5, box = $6
 where tenant = $1 and connector = $2 and account = $3 and nonce = $7
returning account

-- name: put_connector
insert into pawl.connector_definition (tenant, name, definition)
values ($1, $2, $3)
    on conflict (tenant, name) do update set definition = excluded.definition, updated_at = now()
returning name, created_at, updated_at

-- name: list_connectors
select name, definition, created_at, updated_at
  from pawl.connector_definition
 where tenant = $1
 order by name
 limit 1000

-- name: find_connector
select definition from pawl.connector_definition where tenant = $1 and name = $2

-- name: delete_connector
delete from pawl.connector_definition where tenant = $1 and name = $2 returning name

-- name: put_template
select version, changed from pawl.put_template($1, $2, $3, $4)

-- name: find_template
-- Version $3, or the newest one; a row for each language.
select t.version, t.language, t.content, t.category, t.created_at
  from pawl.message_template t
 where t.tenant = $1 and t.name = $2
   and t.version = coalesce($3::int, (select max(v.version) from pawl.message_template v
                                       where v.tenant = $1 and v.name = $2))
 order by t.language

-- name: list_templates
-- The newest version of each, after the name $2.
select t.name, t.version, min(t.category) as category, to_jsonb(array_agg(t.language order by t.language)) as languages,
       min(t.created_at) as created_at
  from pawl.message_template t
 where t.tenant = $1 and ($2::text is null or t.name > $2)
   and t.version = (select max(v.version) from pawl.message_template v where v.tenant = $1 and v.name = t.name)
 group by t.name, t.version
 order by t.name
 limit $3::int

-- name: templates_with_partials
-- Those whose newest version includes other templates: `written` has what their author wrote.
select distinct t.name
  from pawl.message_template t
 where t.tenant = $1 and t.content ? 'written'
   and t.version = (select max(v.version) from pawl.message_template v where v.tenant = $1 and v.name = t.name)
 order by t.name

-- name: delete_template
with gone as (delete from pawl.message_template where tenant = $1 and name = $2 returning version)
select max(g.version) as version from gone g having count(*) > 0

-- name: list_messages
select m.id, m.run_id, w.name as workflow, m.version, m.node, m.person, m.channel, m.connector, m.account, m.template,
       m.template_version, m.variant, m.category, m.address, m.external_id, pawl.message_state_name(m.state) as state,
       m.reason, pawl.message_error(m.bucket, m.id, m.state, m.error) as error, m.created_at, m.sent_at,
       m.delivered_at, m.opened_at, m.machine_opened_at, m.clicked_at, m.bounced_at, m.complained_at, m.failed_at,
       m.unsubscribed_at, m.replied_at, m.test
  from pawl.list_messages($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) with ordinality
       as m
  left join pawl.workflow w on w.id = m.workflow
 order by m.ordinality

-- name: find_message
select m.id, m.run_id, w.name as workflow, m.version, m.node, m.person, m.channel, m.connector, m.account, m.template,
       m.template_version, m.variant, m.category, m.address, m.external_id, pawl.message_state_name(m.state) as state,
       m.reason, pawl.message_error(m.bucket, m.id, m.state, m.error) as error, m.created_at, m.sent_at,
       m.delivered_at, m.opened_at, m.machine_opened_at, m.clicked_at, m.bounced_at, m.complained_at, m.failed_at,
       m.unsubscribed_at, m.replied_at, m.test
  from pawl.message m
  left join pawl.workflow w on w.id = m.workflow
 where m.bucket = $1 and m.tenant = $2 and m.id = $3

-- name: message_facts
select f.kind, f.at, f.received_at, f.machine, f.connector, f.account, f.provider_event_id, f.detail
  from pawl.message_fact f
 where f.bucket = $1 and f.tenant + 0 = $2 and f.message = $3
 order by f.at, f.received_at, f.provider_event_id
 limit 1000

-- name: set_subscription
select pawl.set_subscription($1, $2, $3, $4, $5, $6)

-- name: unsubscribe_person
select pawl.unsubscribe_person($1, $2, $3, $4, $5)

-- name: list_unsubscribes
select channel, category, at
  from pawl.unsubscribe
 where tenant = $1 and person = pawl.event_key($2) and (lifted_at is null or lifted_at < at)
 order by channel, category

-- name: preferences
select pawl.preferences($1, $2) as preferences

-- name: set_preferences
select pawl.set_preferences($1, $2, $3, $4, $5, $6)

-- name: suppress_address
select pawl.suppress_address($1, $2, $3, $4)

-- name: suppress_refused
select pawl.suppress_refused($1, $2, $3, $4)

-- name: lift_suppression
select pawl.lift_suppression($1, $2, $3, $4)

-- name: put_message_policy
-- $3: quiet_from, quiet_to, timezone, cap_count, cap_seconds, holdout.
insert into pawl.message_policy (tenant, channel, quiet_from, quiet_to, timezone, cap_count, cap_period, holdout)
values ($1, $2, $3::jsonb ->> 'quiet_from', $3 ->> 'quiet_to', coalesce($3 ->> 'timezone', 'UTC'),
        ($3 ->> 'cap_count')::int, make_interval(secs => ($3 ->> 'cap_seconds')::double precision),
        coalesce(($3 ->> 'holdout')::double precision, 0))
    on conflict (tenant, channel) do update
   set quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, timezone = excluded.timezone,
       cap_count = excluded.cap_count, cap_period = excluded.cap_period, holdout = excluded.holdout, updated_at = now()

-- name: list_message_policies
select channel, jsonb_build_object('quiet_from', quiet_from, 'quiet_to', quiet_to, 'timezone', timezone, 'cap_count',
       cap_count, 'cap_seconds', extract(epoch from cap_period), 'holdout', holdout) as policy, updated_at
  from pawl.message_policy
 where tenant = $1
 order by channel

-- name: delete_message_policy
delete from pawl.message_policy where tenant = $1 and channel = $2 returning channel

-- name: hook_tokens
-- Of accounts of a connector whose tenant is $2, where that is given; those whose settings name the receiver $3 first.
select a.hook_token
  from pawl.connector_account a
  join pawl.tenant t on t.id = a.tenant
 where a.connector = $1 and ($2::text is null or $2 in (t.name, t.organization::text))
 order by a.settings ->> 'bot_user_id' is not distinct from $3::text desc, a.created_at, a.hook_token
 limit $4::int
