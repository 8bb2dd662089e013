-- A server that starts runs remembers which version of a workflow it starts, and with every start it says by which row
-- of pawl.definition it knows. Any change of the row, by anybody, gives it another xmin: nothing is started then, and
-- the server looks again. So a definition that was changed a moment ago, anywhere, is the one that starts, and nobody
-- asks for it before each start.
-- breaking: no

set local lock_timeout = '5s';

create function pawl.assert_heads(p_workflow int[], p_stamp bigint[]) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    if exists (
        select 1
          from unnest(p_workflow, p_stamp) as u (workflow, stamp)
          left join pawl.definition d on d.workflow = u.workflow
         where d.xmin::text::bigint is distinct from u.stamp
    ) then
        raise exception 'a workflow was changed since it was looked up' using errcode = 'PW002';
    end if;
end
$$;
