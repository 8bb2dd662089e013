-- Contacts, tickets, knowledge and a calendar, for the workers that ship with Pawl.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

set local lock_timeout = '5s';

-- The words of an article, those of the title first. Index knowledge_search is made of it: a change is a numbered file
-- that builds the index again.
create function pawl.knowledge_words(p_title text, p_body text) returns tsvector
language sql immutable parallel safe
return setweight(to_tsvector('english', p_title), 'A') || setweight(to_tsvector('english', p_body), 'B');

create table pawl.crm_contact (
    tenant int not null default 1,
    id text not null,
    name text not null default '',
    email text,
    company text,
    fields jsonb not null default '{}',
    created_at timestamptz not null default now(),
    constraint crm_contact_pk primary key (tenant, id),
    constraint crm_contact_id_check check (length(id) between 1 and 200),
    constraint crm_contact_email_fits_check check (octet_length(email) <= 1000)
);
create index crm_contact_email on pawl.crm_contact (tenant, lower(email));

create table pawl.crm_ticket (
    tenant int not null default 1,
    id text not null,
    contact text,
    subject text not null default '',
    body text not null default '',
    status text not null default 'open',
    fields jsonb not null default '{}',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint crm_ticket_pk primary key (tenant, id),
    constraint crm_ticket_id_check check (length(id) between 1 and 200)
);

-- Only added. A step that is done again has the same key.
create table pawl.crm_activity (
    tenant int not null default 1,
    idempotency_key text not null,
    contact text,
    ticket text,
    kind text not null,
    text text not null default '',
    data jsonb not null default '{}',
    at timestamptz not null default now(),
    constraint crm_activity_pk primary key (tenant, idempotency_key),
    constraint crm_activity_contact_fits_check check (octet_length(contact) <= 2000),
    constraint crm_activity_key_fits_check check (octet_length(idempotency_key) <= 2000)
);
create index crm_activity_contact on pawl.crm_activity (tenant, contact, at);

create table pawl.knowledge (
    tenant int not null default 1,
    id text not null,
    title text not null default '',
    body text not null,
    updated_at timestamptz not null default now(),
    constraint knowledge_pk primary key (tenant, id),
    constraint knowledge_id_fits_check check (octet_length(id) <= 2000)
);
create index knowledge_search on pawl.knowledge using gin (pawl.knowledge_words(title, body));

create table pawl.calendar_event (
    tenant int not null default 1,
    uid text not null,
    title text not null,
    description text not null default '',
    attendee text,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    constraint calendar_event_pk primary key (tenant, uid),
    constraint calendar_event_check check (ends_at > starts_at),
    constraint calendar_event_uid_fits_check check (octet_length(uid) <= 2000)
);
create index calendar_event_ends on pawl.calendar_event (tenant, ends_at);
