-- Journeys that are played into the log, an event at a time, by sessions that commit late or not at all; and what must
-- be counted of them, which comes from the script and not from the log.

create schema play;

insert into pawl.workflow (tenant, name) values (1, 'played');
insert into pawl.workflow_version (workflow, version, definition)
select w.id, 1, '{"name": "played", "nodes": [
    {"id": "bought", "type": "trigger"}, {"id": "week", "type": "wait"}, {"id": "loyal", "type": "condition"},
    {"id": "ab", "type": "split"}, {"id": "hello", "type": "message", "config": {"channel": "email"}}], "edges": []}'
  from pawl.workflow w where w.name = 'played';

-- The log of each kind of journey, and what each line counts as: WHAT or WHAT:DETAIL.
create table play.line (
    kind int, seq int, type smallint, node text, data jsonb, error jsonb, marks text[], primary key (kind, seq)
);
insert into play.line
select k, x.* from generate_series(0, 9) k,
    (values (0, 0, null, '{}'::jsonb, null::jsonb, '{started,entered}'::text[]),
            (1, 7, 'bought', '{"handle": "default"}', null, '{passed:default}'),
            (2, 3, 'week', '{"until": 1}', null, '{waited}')) as x (seq, type, node, data, error, marks);
insert into play.line
select k, x.* from generate_series(0, 2) k,
    (values (3, 1, 'week', null::jsonb, null::jsonb, '{passed:default}'::text[]),
            (4, 1, 'loyal', '{"result": true}', null, '{passed:true}')) as x (seq, type, node, data, error, marks);
insert into play.line
select k, 5, 7, 'ab', jsonb_build_object('handle', v, 'value', jsonb_build_object('variant', v)), null,
       array['passed:' || v]
  from (values (0, 'a'), (1, 'b'), (2, 'a'), (6, 'b'), (7, 'b')) as x (k, v);
insert into play.line values
    (0, 6, 1, 'hello', '{"state": "sent", "channel": "email"}', null, '{passed:default,sent}'),
    (0, 7, 4, null, '{}', null, '{completed}'),
    (1, 6, 1, 'hello', '{"state": "skipped", "reason": "no_address", "channel": "email"}', null,
     '{passed:skipped,skipped:no_address}'),
    (1, 7, 4, null, null, null, '{completed}'),
    (2, 6, 2, 'hello', '{"retry_at": 1}', '{"code": "http_500"}', '{retried:http_500}'),
    (2, 7, 2, 'hello', null, '{"code": "http_500"}', '{failed:http_500}'),
    (2, 8, 5, null, null, '{"code": "http_500"}', '{failed:http_500}'),
    (3, 3, 10, null, '{"kind": "event"}', null, '{}'),
    (3, 4, 4, null, '{"exited_by": "message.unsubscribed"}', null, '{exited:message.unsubscribed}'),
    (4, 3, 6, null, '{"reason": "by hand"}', null, '{cancelled}'),
    (6, 3, 1, 'week', null, null, '{}'),
    (6, 4, 7, 'loyal', '{"handle": "false"}', null, '{passed:false}'),
    (6, 6, 1, 'hello', '{"state": "sent", "channel": "email"}', null, '{passed:default,sent}'),
    (6, 7, 4, null, '{}', null, '{completed}'),
    (7, 3, 1, 'week', null, null, '{passed:default}'),
    (7, 4, 7, 'loyal', '{"handle": "false"}', null, '{passed:false}'),
    (7, 6, 2, 'hello', '{"caught": "failed"}', '{"code": "refused"}', '{failed:refused,passed:failed}'),
    (7, 7, 4, null, '{}', null, '{completed}'),
    (8, 3, 16, 'week', '{"by": "ann"}', null, '{passed:default,skipped:by_hand}'),
    (8, 4, 8, 'week', '{"edges": [2, 5]}', null, '{routed:2,routed:5}'),
    (8, 5, 4, null, '{}', null, '{completed}'),
    (9, 3, 1, 'week', null, null, '{passed:default}'),
    (9, 4, 4, null, '{}', null, '{completed}');
-- Runs that continue others: what they copied was counted there, and comes at once. One still waits.
update play.line set marks = case seq when 0 then '{started}'::text[] else '{}' end where kind in (6, 9) and seq <= 2;
update play.line set data = jsonb_build_object('copied', case kind when 6 then 3 else 2 end)
 where kind in (6, 9) and seq = 0;

create table play.run (run_id uuid primary key, kind int, subject text, session int, at timestamptz);

-- Journeys for p_sessions sessions; each person has about two.
create function play.cast(p_runs int, p_sessions int) returns void language sql as $$
    insert into play.run
    select pawl.uuid7(), n % 10, 'p' || abs(hashint4(n)) % greatest(1, p_runs / 2), n % p_sessions,
           date_trunc('hour', now()) - abs(hashint4(n + 7)) % 100 * interval '1 hour'
      from generate_series(1, p_runs) n;
$$;

-- The next event of p_count journeys of a session. A message that is sent gets its row.
create function play.advance(p_session int, p_count int) returns bigint language sql as $$
    with due as (
        select r.*, e.next
          from play.run r
         cross join lateral (
             select coalesce(max(x.seq), -1) + 1 as next from pawl.event x where x.bucket = 0 and x.run_id = r.run_id
         ) as e
         where r.session = p_session
           and exists (select 1 from play.line l where l.kind = r.kind and l.seq = e.next)
         order by random()
         limit p_count
    ), line as (
        select d.run_id, d.subject, l.*, d.at + l.seq * interval '10 minutes' as at
          from due d
          join play.line l on l.kind = d.kind and (l.seq = d.next or d.next = 0 and d.kind = 6 and l.seq <= 3
                                                   or d.next = 0 and d.kind = 9 and l.seq <= 2)
    ), sent as (
        insert into pawl.message (bucket, id, tenant, run_id, workflow, version, node, person, channel, category, said,
                                  state, created_at)
        select 0, md5(l.run_id || 'm')::uuid, 1, l.run_id, w.id, 1, 'hello', l.subject, 'email', 'marketing', 3, 3, l.at
          from line l join pawl.workflow w on w.name = 'played'
         where l.data ->> 'state' = 'sent'
    ), written as (
        insert into pawl.event (run_id, at, seq, bucket, type, node, data, error)
        select l.run_id, l.at, l.seq, 0, l.type, l.node,
               case when l.type = 0
                    then l.data || jsonb_build_object('workflow', w.id, 'version', 1, 'subject', l.subject)
                    when l.data ->> 'state' = 'sent'
                    then l.data || jsonb_build_object('message', md5(l.run_id || 'm')::uuid)
                    else l.data end, l.error
          from line l join pawl.workflow w on w.name = 'played'
        returning 1
    )
    select count(*) from written;
$$;

-- Facts about messages, some of them twice, some before they know their message, which comes with another call.
create function play.say(p_session int, p_count int) returns void language sql as $$
    update pawl.message_fact f set message = f.message_id, xid = txid_current()
     where f.message is null and f.connector = 'c' || p_session;
    insert into pawl.message_fact (at, message, message_id, tenant, bucket, machine, connector, account,
                                   provider_event_id, kind)
    select m.created_at + interval '1 minute', case when random() < 0.7 then m.id end, m.id, 1, 0, random() < 0.3,
           'c' || p_session, 'a', gen_random_uuid()::text,
           (array['delivered', 'opened', 'opened', 'clicked', 'bounced'])[1 + floor(random() * 5)::int]
      from pawl.message m
      join play.run r on r.run_id = m.run_id
     where r.session = p_session
     order by random()
     limit p_count;
$$;

-- What must have been counted. `variant`: empty, or that of the split.
create view play.truth as
with played as (
    select r.run_id, l.seq, l.type, coalesce(l.node, '') as node, m.mark,
           case when l.seq >= 5 and r.kind in (0, 2) then 'ab:a' when l.seq >= 5 and r.kind in (1, 6, 7) then 'ab:b' end
               as variant
      from pawl.event e
      join play.run r on r.run_id = e.run_id
      join play.line l on l.kind = r.kind and l.seq = e.seq
     cross join lateral unnest(l.marks) as m (mark)
     where e.bucket = 0
), facts as (
    select f.message, 'hello' as node, case r.kind when 0 then 'ab:a' else 'ab:b' end as variant, k.mark
      from pawl.message_fact f
      join pawl.message m on m.bucket = 0 and m.id = f.message
      join play.run r on r.run_id = m.run_id
     cross join lateral unnest(case when f.kind in ('delivered', 'bounced') then array[f.kind]
                                    when f.kind = 'opened' and f.machine then '{machine_opened}'
                                    when f.kind = 'opened' then '{opened,opens}'
                                    when f.kind = 'clicked' and not f.machine then '{clicked,clicks,opened}'
                                    else '{}' end) as k (mark)
), counted as (
    select v.variant, p.node, p.mark, count(*) as count
      from played p cross join lateral (select '' union all select p.variant where p.variant is not null) v (variant)
     group by 1, 2, 3
     union all
    select v.variant, f.node, f.mark,
           case when f.mark in ('opens', 'clicks') then count(*) else count(distinct f.message) end
      from facts f cross join lateral (values (''), (f.variant)) v (variant)
     group by 1, 2, 3
)
select c.variant, c.node, split_part(c.mark, ':', 1) as what, substr(c.mark, strpos(c.mark || ':', ':') + 1) as detail,
       c.count
  from counted c;

-- What is counted, for a span of time: hours or days.
create view play.counted as
select f.span, f.variant, f.node, f.what, f.detail, sum(f.count) as count
  from pawl.funnel_count f
  join pawl.workflow w on w.id = f.workflow and w.name = 'played'
 where f.span <> 'n'
 group by 1, 2, 3, 4, 5;

-- Counts that are wrong, as text; none is right.
create view play.wrong as
select format('%s %s %s %s %s: %s instead of %s', s.span, coalesce(c.variant, t.variant), coalesce(c.node, t.node),
              coalesce(c.what, t.what), coalesce(c.detail, t.detail), c.count, t.count) as text
  from (values ('h'::"char"), ('d')) as s (span)
 cross join lateral (
     select t.*, c.variant as v, c.node as n, c.what as w, c.detail as d, c.count as c
       from play.truth t
       full join (select * from play.counted x where x.span = s.span) as c using (variant, node, what, detail)
 ) as b (variant, node, what, detail, truth, v, n, w, d, c)
 cross join lateral (select b.v as variant, b.n as node, b.w as what, b.d as detail, b.c as count) as c
 cross join lateral (select b.variant, b.node, b.what, b.detail, b.truth as count) as t
 where c.count is distinct from t.count
 union all
select format('entered from %s for %s hours: %s instead of %s', h.since, h.hours, f.count, t.count)
  from (select s.since, l.hours
          from generate_series(date_trunc('hour', now()) - interval '99 hours', now(), interval '17 hours') as s (since)
         cross join unnest(array[1, 7, 24, 31, 75]) as l (hours)) as h
 cross join lateral (
     select count(*) as count from pawl.event e join play.run r on r.run_id = e.run_id
      where e.bucket = 0 and e.seq = 0 and r.kind not in (6, 9) and e.at >= h.since
        and e.at < h.since + h.hours * interval '1 hour'
 ) as t
 cross join lateral (
     select coalesce(sum(p.count), 0) as count
       from pawl.workflow w
      cross join lateral pawl.funnel_rows(1, w.id, h.since, h.since + h.hours * interval '1 hour', null, null) as p
      where w.name = 'played' and p.what = 'entered'
 ) as f
 where t.count <> f.count
 union all
select format('people: %s instead of %s', f.count, t.count)
  from (select count(distinct r.subject) as count from play.run r
          join pawl.event e on e.bucket = 0 and e.run_id = r.run_id and e.seq = 0 where r.kind not in (6, 9)) as t
 cross join lateral (
     select coalesce(sum(p.count), 0) as count
       from pawl.workflow w
      cross join lateral pawl.funnel_people_of(1, w.id, '-infinity', 'infinity', null) as p
      where w.name = 'played'
 ) as f
 where t.count <> f.count
 union all
select format('people of %s from %s: %s instead of %s', v.variant, h.since, f.count, t.count)
  from (values (''), ('ab:a'), ('ab:b')) as v (variant)
 cross join generate_series(date_trunc('hour', now()) - interval '90 hours', now(), interval '13 hours') as h (since)
 cross join lateral (
     select count(distinct r.subject) as count
       from play.run r
       join pawl.event e on e.bucket = 0 and e.run_id = r.run_id and e.seq = case v.variant when '' then 0 else 5 end
      where case v.variant when '' then r.kind not in (6, 9) when 'ab:a' then r.kind in (0, 2)
                           else r.kind in (1, 6, 7) end
        and e.at >= h.since and e.at < h.since + interval '40 hours'
 ) as t
 cross join lateral (
     select coalesce(sum(p.count), 0) as count
       from pawl.workflow w
      cross join lateral pawl.funnel_people_of(1, w.id, h.since, h.since + interval '40 hours',
                                               case v.variant when '' then null else 'variant' end) as p
      where w.name = 'played' and p.key = v.variant
 ) as f
 where t.count <> f.count
 union all
select format('waiting at %s: %s instead of %s', t.node, f.count, t.count)
  from (select x.node, count(*) as count
          from (select distinct on (e.run_id) e.type, e.node, e.data from pawl.event e
                 where e.bucket = 0 and e.type <> 10 order by e.run_id, e.seq desc) as x
         where x.type = 3 or x.type = 2 and x.data ? 'retry_at'
         group by 1) as t
  left join (select c.node, sum(c.count) as count from pawl.funnel_count c where c.what = 'waiting' group by 1) as f
    on f.node = t.node
 where f.count is distinct from t.count;
