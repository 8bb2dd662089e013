-- The customers of two merchants, in tables as shops have them, and what journeys need to know of
-- them. May run again: nothing that is there is changed.

create table if not exists merchant (
    id uuid primary key,
    name text not null
);

create table if not exists user_accounts (
    id uuid primary key default gen_random_uuid(),
    merchant_id uuid not null references merchant,
    full_name text not null,
    first_name text not null,
    email text,
    phone text,
    line_id text,
    push_token text,
    tier text not null default 'member',
    birthday date,
    locale text not null default 'en',
    timezone text not null default 'Asia/Bangkok',
    created_at timestamptz not null default now()
);
create index if not exists user_accounts_merchant on user_accounts (merchant_id);
create index if not exists user_accounts_created on user_accounts (created_at);

create table if not exists wallet_ledger (
    id bigint generated always as identity primary key,
    merchant_id uuid not null,
    user_id uuid not null references user_accounts,
    amount int not null,
    transaction_type text not null,
    step text unique,
    created_at timestamptz not null default now()
);

create table if not exists purchase_ledger (
    id bigint generated always as identity primary key,
    merchant_id uuid not null,
    user_id uuid not null references user_accounts,
    amount numeric(12, 2) not null,
    status text not null default 'completed',
    created_at timestamptz not null default now()
);
create index if not exists purchase_ledger_user on purchase_ledger (user_id);

create table if not exists carts (
    id bigint generated always as identity primary key,
    merchant_id uuid not null,
    user_id uuid not null references user_accounts,
    items text not null,
    created_at timestamptz not null default now()
);

create table if not exists reviews (
    id bigint generated always as identity primary key,
    merchant_id uuid not null,
    user_id uuid not null references user_accounts,
    stars int not null
);

create or replace view user_wallet with (security_invoker = true) as
select u.id as user_id, u.merchant_id, coalesce(sum(l.amount), 0)::int as points_balance
  from user_accounts u
  left join wallet_ledger l on l.user_id = u.id
 group by u.id;

insert into merchant (id, name)
values ('a0000000-0000-4000-8000-000000000001', 'Siam Coffee'),
       ('b0000000-0000-4000-8000-000000000002', 'River Books')
    on conflict do nothing;
insert into pawl.tenant (name, organization)
values ('siam_coffee', 'a0000000-0000-4000-8000-000000000001'),
       ('river_books', 'b0000000-0000-4000-8000-000000000002')
    on conflict (name) do nothing;

-- Audiences and conditions of a merchant are read with a login of the merchant's own, which sees
-- the merchant's own customers. Its password is the one of this Postgres.
do $$
declare
    v_tenant text;
begin
    foreach v_tenant in array '{siam_coffee, river_books}'::text[] loop
        if to_regrole('demo_' || v_tenant) is null then
            execute format('create role %I login', 'demo_' || v_tenant);
        end if;
        execute format('alter role %I password %L', 'demo_' || v_tenant,
                       current_setting('demo.password'));
        execute format('grant select on user_accounts, purchase_ledger, wallet_ledger, user_wallet'
                       ' to %I', 'demo_' || v_tenant);
        perform pawl.allow_sql_role('demo_' || v_tenant, v_tenant);
    end loop;
end
$$;
create or replace function demo_merchant() returns uuid
language sql stable security definer
set search_path = public, pg_temp
as $$
    select t.organization::uuid from pawl.tenant t where 'demo_' || t.name = session_user
$$;
do $$
declare
    v_table regclass;
begin
    foreach v_table in array '{user_accounts, purchase_ledger, wallet_ledger}'::regclass[] loop
        execute format('alter table %s enable row level security', v_table);
        execute format('drop policy if exists own_customers on %s', v_table);
        execute format('create policy own_customers on %s for select'
                       ' using (merchant_id = (select demo_merchant()))', v_table);
    end loop;
end
$$;

-- A person number n: not everybody has every address.
create or replace function demo_person(p_merchant uuid, p_number int) returns user_accounts
language sql stable as $$
    select (gen_random_uuid(), p_merchant, f.name || ' ' || l.name, f.name,
            lower(f.name) || '.' || p_number || '@customers.example',
            case when p_number % 10 <> 3 then '+668' || (10000000 + p_number) end,
            case when p_number % 4 <> 1 then 'U' || md5('line ' || p_merchant || p_number) end,
            case when p_number % 3 = 0 then 'device-' || md5('push ' || p_merchant || p_number) end,
            (array['member', 'member', 'silver', 'gold'])[1 + p_number % 4],
            date '1970-01-01' + (p_number::bigint * 7919 % 14000)::int,
            case when p_number % 3 = 0 then 'th' else 'en' end, 'Asia/Bangkok', now()
           )::user_accounts
      from (select (array['Ann', 'Ben', 'Chai', 'Dao', 'Eve', 'Fon', 'Gun', 'Hana', 'Ivo', 'Joy',
                          'Kit', 'Lek', 'Mali', 'Nok', 'Oat', 'Ploy'])[1 + p_number % 16] as name
           ) as f,
           (select (array['Arun', 'Brown', 'Chan', 'Dee', 'Evans', 'Fujita', 'Gray', 'Hill',
                          'Inta', 'Jones', 'Kaew', 'Lin', 'Moon'])[1 + p_number % 13] as name
           ) as l;
$$;

insert into user_accounts
select p.*
  from merchant m, generate_series(1, 1000) as n, lateral demo_person(m.id, n) as p
 where not exists (select 1 from user_accounts);
insert into purchase_ledger (merchant_id, user_id, amount, created_at)
select u.merchant_id, u.id, 50 + (hashtext(u.id::text) & 1023),
       now() - (hashtext(u.id::text) & 15) * interval '1 day'
  from user_accounts u
 where u.tier <> 'member' and not exists (select 1 from purchase_ledger);

select pawl.set_person_source(
    'public.user_accounts', key => 'id', tenant => 'merchant_id',
    address => '{"email": "email", "sms": "phone", "line": "line_id", "push": "push_token"}',
    locale => 'locale', timezone => 'timezone', columns => '{first_name, full_name, tier, birthday}'
);
select pawl.watch_table('public.user_accounts', operations => '{INSERT,UPDATE}',
                        tenant => 'merchant_id', subject => 'id');
select pawl.watch_table('public.' || t.name, operations => '{INSERT}', tenant => 'merchant_id',
                        subject => 'user_id', event => t.event)
  from (values ('purchase_ledger', null), ('carts', null), ('wallet_ledger', null),
               ('reviews', 'review.written')) as t (name, event);
select pawl.register_action(
    'award_points',
    'insert into public.wallet_ledger (merchant_id, user_id, amount, transaction_type, step)
     values ($organization::uuid, $person::uuid, $amount, ''earn'', $key)
         on conflict (step) do nothing returning amount'
);
select pawl.allow_condition_table('public.' || t.name, 'user_id', tenant => 'merchant_id')
  from (values ('purchase_ledger'), ('user_wallet')) as t (name);

-- One customer does one thing, by chance. Returns what.
create or replace function demo_act() returns text
language plpgsql as $$
declare
    v_user user_accounts;
    v_dice int := floor(random() * 100);
    v_new user_accounts;
begin
    if v_dice % 2 = 0 then
        -- One who has just come, left a cart or bought: journeys see what follows.
        select u.* into v_user
          from (
              (select c.user_id from carts c order by c.id desc limit 40)
               union all
              (select p.user_id from purchase_ledger p order by p.id desc limit 40)
               union all
              (select n.id from user_accounts n order by n.created_at desc limit 40)
          ) as r
          join user_accounts u on u.id = r.user_id
         order by random()
         limit 1;
    else
        select u.* into v_user from user_accounts u
         where u.id >= gen_random_uuid() order by u.id limit 1;
    end if;
    if v_user.id is null then
        select u.* into v_user from user_accounts u order by u.id limit 1;
    end if;
    if v_dice < 20 then
        v_new := demo_person(v_user.merchant_id, (1001 + floor(random() * 1000000))::int);
        v_new.tier := 'member';
        insert into user_accounts select v_new.*;
        return 'signed up';
    elsif v_dice < 50 then
        insert into purchase_ledger (merchant_id, user_id, amount)
        values (v_user.merchant_id, v_user.id, (20 + random() * 400)::numeric(12, 2));
        return 'bought';
    elsif v_dice < 70 then
        insert into carts (merchant_id, user_id, items)
        values (v_user.merchant_id, v_user.id,
                (array['a teapot', 'two novels', 'beans', 'a mug'])[1 + v_dice % 4]);
        return 'left a cart';
    elsif v_dice < 80 then
        update user_accounts u
           set tier = case u.tier when 'member' then 'silver' when 'silver' then 'gold'
                      else 'platinum' end
         where u.id = v_user.id and u.tier <> 'platinum';
        return 'reached a tier';
    elsif v_dice < 88 then
        insert into reviews (merchant_id, user_id, stars)
        values (v_user.merchant_id, v_user.id, 1 + v_dice % 5);
        return 'wrote a review';
    elsif v_dice < 94 then
        update user_accounts u
           set birthday = (now() at time zone u.timezone)::date - interval '30 years'
         where u.id = v_user.id;
        return 'has a birthday';
    end if;
    -- The next audience of the journey that writes to such customers finds this one.
    if exists (select 1 from purchase_ledger p where p.user_id = v_user.id) then
        update purchase_ledger p set created_at = p.created_at - interval '31 days'
         where p.user_id = v_user.id;
    else
        insert into purchase_ledger (merchant_id, user_id, amount, status, created_at)
        values (v_user.merchant_id, v_user.id, 90, 'imported', now() - interval '31 days');
    end if;
    return 'was not seen for a month';
end
$$;
