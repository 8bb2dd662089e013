-- The metrics of a bucket that only the database knows, [name, labels, value] each. Takes them anew if they are older
-- than p_every and no other process is doing so; `pawl_figures_age_seconds` says how old they are, because figures that
-- nothing takes any more look like those of a quiet service.
create or replace function pawl.take_figures(p_bucket smallint, p_every interval) returns jsonb
language plpgsql
set search_path = pg_catalog as $$
begin
    if not exists (select 1 from pawl.figures f where f.bucket = p_bucket) then
        insert into pawl.figures (bucket, taken_at, figures) values (p_bucket, '-infinity', '[]')
            on conflict do nothing;
    end if;
    perform 1 from pawl.figures f where f.bucket = p_bucket and f.taken_at <= now() - p_every for update skip locked;
    if found then
        perform pawl.rate_runs(p_bucket);
        update pawl.figures f
           set taken_at = now(),
               figures = (
                   select coalesce(jsonb_agg(jsonb_build_array(c.metric, c.labels, c.value)), '[]')
                     from (select * from pawl.figures_of_work(p_bucket)
                           union all
                           select * from pawl.figures_of_waiting(p_bucket)
                           union all
                           select * from pawl.figures_of_queues()
                           union all
                           select * from pawl.figures_of_outbox(p_bucket)
                           union all
                           select * from pawl.figures_of_held(p_bucket)
                           union all
                           select * from pawl.figures_of_database()) as c)
         where f.bucket = p_bucket;
    end if;
    return (
        select case when isfinite(f.taken_at)
                    then f.figures || jsonb_build_array(jsonb_build_array(
                             'pawl_figures_age_seconds', null, extract(epoch from now() - f.taken_at)))
                    else f.figures end
          from pawl.figures f
         where f.bucket = p_bucket
    );
end
$$;
