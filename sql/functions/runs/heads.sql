-- Refuses (PW002) a batch of starts when a workflow was changed since the caller looked it up. p_stamp is the xmin of
-- each definition as the caller read it. Called first in the transaction that starts the runs; locks nothing.
create or replace function pawl.assert_heads(p_workflow int[], p_stamp bigint[]) returns void
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
