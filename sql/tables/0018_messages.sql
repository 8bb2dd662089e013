-- Messages to people: accounts at providers, templates, what was sent or skipped, what providers said about it, and
-- what keeps a message back.
-- breaking: no

set local lock_timeout = '5s';

-- A tenant's own connectors, beside those that the program brings.
create table pawl.connector_definition (
    tenant int not null,
    name text not null,
    definition jsonb not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint connector_definition_pk primary key (tenant, name),
    constraint connector_definition_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint connector_definition_name_check check (name ~ '^[a-z][a-z0-9_]*$' and octet_length(name) <= 60)
);

-- An account of a tenant at a provider.
create table pawl.connector_account (
    tenant int not null,
    connector text not null,
    account text not null,
    -- What the connector sends by, so that a message without a connector finds one.
    channels text[] not null,
    -- XChaCha20-Poly1305 over the credentials as JSON, as in pawl.credential.
    key_id text not null,
    nonce bytea not null,
    box bytea not null,
    -- `default: true`: taken where a message names no account.
    settings jsonb not null default '{}',
    -- The last part of the address that the provider calls.
    hook_token text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint connector_account_pk primary key (tenant, connector, account),
    constraint connector_account_hook_token_unique unique (hook_token),
    constraint connector_account_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint connector_account_connector_check check (octet_length(connector) <= 60),
    constraint connector_account_name_check
        check (account ~ '^[A-Za-z0-9][A-Za-z0-9_.-]*$' and octet_length(account) <= 60),
    constraint connector_account_hook_token_check check (octet_length(hook_token) <= 100 and length(hook_token) >= 16),
    constraint connector_account_box_check check (length(box) <= 66000)
);

-- A version is a set of languages, written once; the newest one counts.
create table pawl.message_template (
    tenant int not null,
    name text not null,
    version int not null,
    language text not null,
    content jsonb not null,
    category text not null default 'marketing',
    created_at timestamptz not null default now(),
    constraint message_template_pk primary key (tenant, name, version, language),
    constraint message_template_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint message_template_name_check check (octet_length(name) <= 200 and name <> ''),
    constraint message_template_language_check
        check (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' and octet_length(language) <= 35)
);

-- One row for each message that was sent or skipped, written in the commit of its step. No foreign keys and no index on
-- what facts change: an update by a fact stays on its page.
create table pawl.message (
    id uuid not null,
    run_id uuid not null,
    created_at timestamptz not null default now(),
    sent_at timestamptz,
    delivered_at timestamptz,
    opened_at timestamptz,
    -- Opened by a program: a mail proxy, a scanner. Says nothing about the person.
    machine_opened_at timestamptz,
    clicked_at timestamptz,
    bounced_at timestamptz,
    complained_at timestamptz,
    failed_at timestamptz,
    unsubscribed_at timestamptz,
    replied_at timestamptz,
    tenant int not null,
    workflow int not null,
    version int not null,
    template_version int,
    bucket smallint not null,
    -- What the engine says, and the most that a provider said; the state is the higher of the two, so that facts may
    -- come late, twice and in any order (pawl.message_state_name).
    said smallint not null,
    heard smallint not null default 0,
    state smallint not null,
    node text not null,
    person text,
    channel text not null,
    connector text,
    account text,
    template text,
    variant text,
    category text not null,
    address text,
    external_id text,
    reason text,
    error text,
    constraint message_pk primary key (bucket, id),
    constraint message_said_check check (said between 0 and 4),
    constraint message_heard_check check (heard between 0 and 9),
    constraint message_state_check check (state = greatest(said, heard)),
    constraint message_person_fits_check check (octet_length(person) <= 500),
    constraint message_external_id_fits_check check (octet_length(external_id) <= 500)
) with (fillfactor = 70, autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_vacuum_scale_factor = 0.05);
-- Without the bucket: a tenant is in one, and a condition on `bucket + 0` keeps the planner from the primary key. The
-- oldest of each tenant go first.
create index message_made on pawl.message (tenant, created_at, id);
create index message_person on pawl.message (tenant, person, created_at, id) where person is not null;
create index message_run on pawl.message (run_id, created_at, id);
-- Led by the id, so that no other index can serve a look-up by it: `tenant + 0` there.
create index message_external on pawl.message (external_id, tenant) where external_id is not null;

-- What a provider said. `message`: the one it is about; null until that is known, or when it is about none.
create table pawl.message_fact (
    at timestamptz not null,
    received_at timestamptz not null default now(),
    message uuid,
    -- As the provider named it.
    message_id uuid,
    tenant int not null,
    bucket smallint not null,
    machine boolean not null default false,
    connector text not null,
    account text not null,
    provider_event_id text not null,
    kind text not null,
    external_id text,
    person text,
    channel text,
    address text,
    detail jsonb,
    constraint message_fact_pk primary key (bucket, tenant, connector, account, provider_event_id),
    constraint message_fact_connector_check check (octet_length(connector) <= 60),
    constraint message_fact_account_check check (octet_length(account) <= 60),
    constraint message_fact_event_fits_check check (octet_length(provider_event_id) <= 200),
    constraint message_fact_external_id_fits_check check (octet_length(external_id) <= 500),
    constraint message_fact_kind_check check (
        kind in ('sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed', 'failed', 'replied',
                 'followed', 'unfollowed')
    )
) with (autovacuum_vacuum_insert_scale_factor = 0.2);
create index message_fact_message on pawl.message_fact (bucket, message, at) where message is not null;
create index message_fact_named on pawl.message_fact (message_id, bucket)
    where message is null and message_id is not null;
create index message_fact_external on pawl.message_fact (external_id, tenant)
    where message is null and external_id is not null;
-- By age: those of a message that is not there, and those of none. Not in the words of the look-ups above, which these
-- could serve otherwise, by reading all of them.
create index message_fact_unknown on pawl.message_fact (bucket, received_at)
    where message is null and coalesce(message_id::text, external_id) is not null;
create index message_fact_alone on pawl.message_fact (bucket, received_at)
    where message is null and coalesce(message_id::text, external_id) is null;

-- Facts whose message was not there. The commit of that message may have been under way and may not have seen them:
-- match_facts looks again, and a last time when every transaction that was open at `horizon` has ended.
create table pawl.fact_pending (
    bucket smallint not null,
    id bigint generated always as identity,
    tenant int not null,
    connector text not null,
    account text not null,
    provider_event_id text not null,
    horizon xid8,
    constraint fact_pending_pk primary key (bucket, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index fact_pending_horizon on pawl.fact_pending (bucket, horizon);

-- Messages whose send had an unknown outcome until a fact proved it: their steps are to be settled.
create table pawl.message_settled (
    bucket smallint not null,
    id uuid not null,
    run_id uuid not null,
    constraint message_settled_pk primary key (bucket, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Addresses that get nothing. A row stays when it is lifted: a fact that is older than that changes nothing.
create table pawl.suppression (
    tenant int not null,
    channel text not null,
    address text not null,
    reason text not null,
    at timestamptz not null,
    lifted_at timestamptz,
    constraint suppression_pk primary key (tenant, channel, address, reason),
    constraint suppression_channel_check check (octet_length(channel) <= 60),
    constraint suppression_address_fits_check check (octet_length(address) <= 500),
    constraint suppression_reason_check check (octet_length(reason) <= 60)
);

-- What a person does not want. '*': every channel, every category but transactional.
create table pawl.unsubscribe (
    tenant int not null,
    person text not null,
    channel text not null default '*',
    category text not null default '*',
    at timestamptz not null,
    lifted_at timestamptz,
    constraint unsubscribe_pk primary key (tenant, person, channel, category),
    constraint unsubscribe_person_fits_check check (octet_length(person) <= 500),
    constraint unsubscribe_channel_check check (octet_length(channel) <= 60),
    constraint unsubscribe_category_fits_check check (octet_length(category) <= 500)
);

-- When, how often and to what share of the people messages go that are not transactional. The row of a channel counts
-- before that of '*'; its cap counts that channel alone, the cap of '*' all channels.
create table pawl.message_policy (
    tenant int not null,
    channel text not null default '*',
    -- HH:MM, in the person's zone.
    quiet_from text,
    quiet_to text,
    -- Of people who have none.
    timezone text not null default 'UTC',
    cap_count int,
    cap_period interval,
    -- Percent of the people who get nothing.
    holdout double precision not null default 0,
    updated_at timestamptz not null default now(),
    constraint message_policy_pk primary key (tenant, channel),
    constraint message_policy_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint message_policy_channel_check check (octet_length(channel) <= 60),
    constraint message_policy_quiet_check check (
        quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
        and quiet_from <> quiet_to or quiet_from is null and quiet_to is null
    ),
    constraint message_policy_cap_check check (
        cap_count between 1 and 1000 and cap_period > interval '0' or cap_count is null and cap_period is null
    ),
    constraint message_policy_holdout_check check (holdout between 0 and 100)
);

-- What counts towards a cap: the messages of a person within the period, no more than the cap. Its lock makes sessions
-- that count at once come one after the other. Only where a cap is set.
create table pawl.message_reservation (
    bucket smallint not null,
    tenant int not null,
    person text not null,
    channel text not null,
    messages uuid[] not null default '{}',
    times timestamptz[] not null default '{}',
    constraint message_reservation_pk primary key (bucket, tenant, person, channel),
    constraint message_reservation_person_fits_check check (octet_length(person) <= 500),
    constraint message_reservation_channel_check check (octet_length(channel) <= 60)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
