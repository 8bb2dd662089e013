-- Pages from p_first on, of an effect that this very transaction has begun, as a worker writes them: one after the
-- other, up to 1000 rows in each and 100,000 in all.
create or replace function pawl.add_sql_pages(p_bucket smallint, p_run uuid, p_key text, p_first int, p_rows jsonb[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    c_page_rows constant int := 1000;
    c_page_bytes constant int := 16777216;
    c_rows constant int := 100000;
    c_bytes constant bigint := 134217728;
    v_effect pawl.sql_effect;
    v_page jsonb;
begin
    select e.* into v_effect
      from pawl.sql_effect e
     where e.bucket = p_bucket and e.run_id = p_run and e.key = p_key and e.begun_in = pg_current_xact_id()
       for update;
    if not found then
        raise exception 'this transaction has not begun the effect %', p_key using errcode = 'PW001';
    elsif p_first is distinct from v_effect.pages + 1 then
        raise exception 'page % does not come next', p_first using errcode = 'PW001';
    end if;
    foreach v_page in array p_rows loop
        if jsonb_typeof(v_page) is distinct from 'array'
           or jsonb_array_length(v_page) not between 1 and c_page_rows then
            raise exception 'a page is a list of 1 to % rows', c_page_rows using errcode = 'invalid_parameter_value';
        end if;
        perform pawl.refuse_rows(v_page, c_page_bytes);
        v_effect.pages := v_effect.pages + 1;
        v_effect.page_rows := v_effect.page_rows + jsonb_array_length(v_page);
        v_effect.page_bytes := v_effect.page_bytes + octet_length(v_page::text);
        if v_effect.page_rows > c_rows or v_effect.page_bytes > c_bytes then
            raise exception 'the pages have more than % rows, or more than % bytes as JSON', c_rows, c_bytes
                using errcode = 'program_limit_exceeded';
        end if;
        insert into pawl.sql_page (bucket, run_id, key, page, rows)
        values (p_bucket, p_run, p_key, v_effect.pages, v_page);
    end loop;
    update pawl.sql_effect e
       set pages = v_effect.pages, page_rows = v_effect.page_rows, page_bytes = v_effect.page_bytes
     where e.bucket = p_bucket and e.run_id = p_run and e.key = p_key;
end
$$;

-- A page, for the login of the tenant whose run has made it; null: there is none. The run may be one that has ended and
-- that another one goes on from.
create or replace function pawl.read_sql_page(
    p_bucket smallint, p_run uuid, p_key text, p_page int, p_as_engine boolean
) returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_tenant int := (select l.tenant from pawl.sql_login l where l.role_name = session_user);
    v_rows jsonb;
begin
    if v_tenant is null and p_as_engine and pawl.is_engine() then
        v_tenant := 1;
    end if;
    select p.rows into v_rows
      from pawl.sql_page p
     where p.bucket = p_bucket and p.run_id = p_run and p.key = p_key and p.page = p_page
       and (exists (select 1
                      from pawl.live_run l
                     where l.bucket = p_bucket and l.run_id = p_run and l.tenant = v_tenant)
            or exists (select 1
                         from pawl.run r
                        where r.bucket = p_bucket and r.run_id = p_run and r.tenant = v_tenant));
    if jsonb_typeof(v_rows) <> 'array' or jsonb_array_length(v_rows) > 1000 then
        raise exception 'this is not a page of up to 1000 rows' using errcode = 'program_limit_exceeded';
    elsif v_rows is not null then
        perform pawl.refuse_rows(v_rows, 16777216);
    end if;
    return v_rows;
end
$$;
