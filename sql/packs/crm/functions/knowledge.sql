-- What is known about a text, the best first: by its words, any of them; and by its vector where there are vectors and
-- one is given ('[0.1,0.2]'). Scores of the two are added.
create or replace function pawl.knowledge_search(p_tenant int, p_text text, p_limit int, p_vector text default null)
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

-- Keeps vectors beside what is known, where the extension vector is installed. False: it is not.
create or replace function pawl.use_vectors(p_dimensions int) returns boolean
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
