-- What the workers csr, bdr, sdr and va know and keep when nothing else is connected: customers, their tickets, what
-- was done for them, what is known, and a calendar.
-- breaking: no

set local lock_timeout = '5s';

create table pawl.crm_contact (
    tenant int not null default 1,
    id text not null,
    name text not null default '',
    email text,
    company text,
    fields jsonb not null default '{}',
    created_at timestamptz not null default now(),
    constraint crm_contact_pk primary key (tenant, id),
    constraint crm_contact_id_check check (length(id) between 1 and 200)
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
    constraint crm_activity_pk primary key (tenant, idempotency_key)
);
create index crm_activity_contact on pawl.crm_activity (tenant, contact, at);

create table pawl.knowledge (
    tenant int not null default 1,
    id text not null,
    title text not null default '',
    body text not null,
    updated_at timestamptz not null default now(),
    constraint knowledge_pk primary key (tenant, id)
);
create function pawl.knowledge_words(p_title text, p_body text) returns tsvector
language sql immutable parallel safe
return setweight(to_tsvector('english', p_title), 'A') || setweight(to_tsvector('english', p_body), 'B');
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
    constraint calendar_event_check check (ends_at > starts_at)
);
create index calendar_event_times on pawl.calendar_event (tenant, starts_at);

-- Keeps vectors beside what is known, where the extension vector is installed. False: it is not.
create function pawl.use_vectors(p_dimensions int) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_schema text := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
                       where e.extname = 'vector');
begin
    if v_schema is null or to_regclass('pawl.knowledge_vector') is not null then
        return v_schema is not null;
    end if;
    execute format(
        'create table pawl.knowledge_vector (tenant int not null default 1, id text not null, '
        'embedding %I.vector(%s) not null, constraint knowledge_vector_pk primary key (tenant, id), '
        'constraint knowledge_vector_fk foreign key (tenant, id) references pawl.knowledge on delete cascade)',
        v_schema, p_dimensions);
    execute format(
        'create index knowledge_vector_near on pawl.knowledge_vector using hnsw (embedding %I.vector_cosine_ops)',
        v_schema
    );
    perform pawl.secure();
    return true;
end
$$;

-- What is known about a text, the best first: by its words, any of them; and by its vector where there are vectors and
-- one is given ('[0.1,0.2]'). Scores of the two are added.
create function pawl.knowledge_search(p_tenant int, p_text text, p_limit int, p_vector text default null)
returns table (id text, title text, body text, score double precision)
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    v_words tsquery := (
        select string_agg(quote_literal(w.lexeme), ' | ')::tsquery
          from (select u.lexeme from unnest(to_tsvector('english', left(p_text, 4000))) as u limit 100) as w
    );
    v_schema text := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
                       where e.extname = 'vector');
begin
    if p_vector is null or v_schema is null or to_regclass('pawl.knowledge_vector') is null then
        return query
        select k.id, k.title, k.body, ts_rank_cd(pawl.knowledge_words(k.title, k.body), v_words, 32)::float8 as s
          from pawl.knowledge k
         where k.tenant = p_tenant and pawl.knowledge_words(k.title, k.body) @@ v_words
         order by s desc, k.id limit p_limit;
        return;
    end if;
    return query execute format(
        'with near as (select v.id, 1 - (v.embedding operator(%1$I.<=>) $3::%1$I.vector) as s '
        'from pawl.knowledge_vector v where v.tenant = $1 '
        'order by v.embedding operator(%1$I.<=>) $3::%1$I.vector limit $4 * 4), '
        'words as (select k.id, ts_rank_cd(pawl.knowledge_words(k.title, k.body), $2, 32)::float8 as s '
        'from pawl.knowledge k where k.tenant = $1 and pawl.knowledge_words(k.title, k.body) @@ $2 '
        'order by s desc limit $4 * 4), '
        'both as (select a.id, sum(a.s) as s from (select * from near union all select * from words) a group by a.id) '
        'select k.id, k.title, k.body, b.s::float8 from both b join pawl.knowledge k on k.tenant = $1 and k.id = b.id '
        'order by b.s desc, k.id limit $4', v_schema) using p_tenant, v_words, p_vector, p_limit;
end
$$;

-- The next times at which nothing is in the calendar: on the hour, on weekdays from 9 to 17 in UTC, from tomorrow on.
create function pawl.free_slots(p_tenant int, p_minutes int, p_count int, p_from timestamptz default now())
returns setof timestamptz
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    select s.at
      from generate_series(date_trunc('day', p_from at time zone 'UTC') at time zone 'UTC' + interval '33 hours',
                           p_from + interval '30 days', interval '1 hour') as s (at)
     where extract(isodow from s.at at time zone 'UTC') < 6
       and extract(hour from s.at at time zone 'UTC') between 9 and 16
       and not exists (
           select 1 from pawl.calendar_event e
            where e.tenant = p_tenant and e.starts_at < s.at + make_interval(mins => p_minutes) and e.ends_at > s.at
       )
     order by s.at limit p_count;
end;

-- Puts a meeting into the calendar, once for each uid, and returns when it is. Null: something else is there then.
create function pawl.book_meeting(
    p_tenant int, p_uid text, p_title text, p_description text, p_attendee text, p_starts timestamptz, p_minutes int
) returns timestamptz
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform pg_advisory_xact_lock(hashtext('pawl.calendar'), p_tenant);
    insert into pawl.calendar_event (tenant, uid, title, description, attendee, starts_at, ends_at)
    select p_tenant, p_uid, p_title, p_description, p_attendee, p_starts, p_starts + make_interval(mins => p_minutes)
     where not exists (
         select 1 from pawl.calendar_event e
          where e.tenant = p_tenant and e.ends_at > p_starts
            and e.starts_at < p_starts + make_interval(mins => p_minutes)
     )
        on conflict do nothing;
    return (select e.starts_at from pawl.calendar_event e where e.tenant = p_tenant and e.uid = p_uid);
end
$$;
