-- What the workloads `journey` and `watch` need beside the schema pawl.
create table if not exists public.bench_people (
    id text primary key,
    first_name text not null,
    tier text not null,
    address text
);
create table if not exists public.bench_plain (
    id bigint generated always as identity primary key,
    user_id text not null,
    amount int not null,
    kind text not null
);
create table if not exists public.bench_unnamed (like public.bench_plain including all);
create table if not exists public.bench_unwanted (like public.bench_plain including all);
create table if not exists public.bench_wanted (like public.bench_plain including all);

create or replace function public.bench_insert_each(p_table text, p_rows int) returns bigint
language plpgsql as $$
declare
    v_begun timestamptz := clock_timestamp();
begin
    for n in 1 .. p_rows loop
        -- Not dynamic: what is measured is the insert.
        if p_table = 'bench_plain' then
            insert into public.bench_plain (user_id, amount, kind) values ('p', n, 'earn');
        elsif p_table = 'bench_unnamed' then
            insert into public.bench_unnamed (user_id, amount, kind) values ('p', n, 'earn');
        elsif p_table = 'bench_unwanted' then
            insert into public.bench_unwanted (user_id, amount, kind) values ('p', n, 'earn');
        else
            insert into public.bench_wanted (user_id, amount, kind) values ('p', n, 'earn');
        end if;
    end loop;
    return (extract(epoch from clock_timestamp() - v_begun) * 1000000)::bigint;
end
$$;
