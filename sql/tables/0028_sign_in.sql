-- People sign in at the web UI: sessions, who belongs to a tenant with which role, and a list of what was done.
-- breaking: no

set local lock_timeout = '5s';

-- A named set of scopes (src/api/auth/roles.cpp), beside those that a key has one by one.
alter table pawl.api_key add column role text;
alter table pawl.api_key add constraint api_key_role_check
    check (role in ('viewer', 'operator', 'editor', 'approver', 'admin'));

alter table pawl.api_key drop constraint api_key_scopes_check;
alter table pawl.api_key add constraint api_key_scopes_check check (cardinality(scopes) > 0 or role is not null);

-- Who of those that an identity provider knows may act for a tenant.
create table pawl.member (
    tenant int not null,
    -- As the provider names them: an email address, or the subject of its tokens.
    subject text not null,
    role text not null,
    created_at timestamptz not null default now(),
    created_by text,
    constraint member_pk primary key (tenant, subject),
    constraint member_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint member_subject_check check (octet_length(subject) between 1 and 320),
    constraint member_role_check check (role in ('viewer', 'operator', 'editor', 'approver', 'admin'))
);
create index member_subject on pawl.member (subject);

-- A browser that is signed in. The token in its cookie is not kept, only its hash.
create table pawl.session (
    id bigint generated always as identity,
    hash bytea not null,
    -- For whom it acts now.
    tenant int not null,
    -- The key that it was begun with, whose rights it has. Null: a person, with the rights of a member.
    key int,
    subject text not null,
    -- What the identity provider said, beside pawl.member: {"TENANT": "ROLE"}.
    roles jsonb not null default '{}',
    created_at timestamptz not null default now(),
    used_at timestamptz not null default now(),
    -- It ends when it was not used for so long, and at its absolute end.
    idle interval not null,
    expires_at timestamptz not null,
    peer text,
    agent text,
    constraint session_pk primary key (id),
    constraint session_hash_unique unique (hash),
    constraint session_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint session_key_fk foreign key (key) references pawl.api_key (id),
    constraint session_hash_check check (octet_length(hash) = 32),
    constraint session_subject_check check (octet_length(subject) between 1 and 320)
);
create index session_subject on pawl.session (subject);
create index session_end on pawl.session (expires_at);
create index session_key on pawl.session (key);
create index session_tenant on pawl.session (tenant);

-- A link that signs in once.
create table pawl.session_ticket (
    hash bytea not null,
    tenant int not null,
    key int not null,
    expires_at timestamptz not null,
    constraint session_ticket_pk primary key (hash),
    constraint session_ticket_key_fk foreign key (key) references pawl.api_key (id),
    constraint session_ticket_hash_check check (octet_length(hash) = 32)
);
create index session_ticket_key on pawl.session_ticket (key);

-- What callers changed: only added to. Starts and events of programs are not here; the log of runs has them.
create table pawl.audit (
    id bigint generated always as identity,
    tenant int not null,
    at timestamptz not null default now(),
    -- Who: the prefix of a key, or a person.
    by text not null,
    person boolean not null,
    -- What: the operation of the API, and the path that it was called with.
    action text not null,
    target text not null,
    status int not null,
    -- From where: ui, api or cli; and the address.
    door text not null,
    peer text,
    request_id text,
    constraint audit_pk primary key (tenant, id),
    constraint audit_by_check check (octet_length(by) <= 500),
    constraint audit_action_check check (octet_length(action) <= 200)
);
create index audit_by on pawl.audit (tenant, by, id);
create index audit_action on pawl.audit (tenant, action, id);
create index audit_at on pawl.audit (at);
