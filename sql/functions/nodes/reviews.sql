-- What is wrong with what a person is asked, as src/model/people_reader.cpp reads it.
-- needs: functions/nodes/fields
-- needs: functions/versions/input_schema
-- needs: functions/people/names

-- What is wrong with a list of people, or a template that gives one; null: nothing. p_one: one name will do.
create or replace function pawl.people_list_problem(p_people jsonb, p_one boolean) returns text
language sql immutable parallel safe
return case when p_people is null or pawl.is_template(p_people) then pawl.template_problem(p_people)
            when p_one and jsonb_typeof(p_people) = 'string' and p_people <> '""' then null
            when jsonb_typeof(p_people) <> 'array' or p_people = '[]'
                 or jsonb_path_exists(p_people, 'strict $[*] ? (@.type() != "string")')
            then 'must be a list of names, or a template that gives one'
            else pawl.template_problem(p_people) end;

-- What is wrong with the number of votes; null: nothing. What could never be decided is refused.
create or replace function pawl.votes_problem(p_asked jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select coalesce(
        'approvers: ' || pawl.people_list_problem(p_asked -> 'approvers', false),
        'exclude: ' || pawl.people_list_problem(p_asked -> 'exclude', true),
        case when jsonb_typeof(p_asked -> 'approvers') = 'array' and not pawl.has_template(p_asked -> 'approvers')
             then (
                 select case when v.yes > s.seats then 'approvals: asks for more approvals than there are approvers'
                             when v.no > s.seats - v.yes + 1
                             then format('rejections_needed: may be %s at most', s.seats - v.yes + 1) end
                   from (
                       select count(distinct pawl.person_key(n.name)) as seats
                         from jsonb_array_elements_text(p_asked -> 'approvers') as n (name)
                   ) as s
                  cross join (
                      select case when jsonb_typeof(p_asked -> 'approvals') = 'number'
                                  then (p_asked ->> 'approvals')::numeric else 1 end as yes,
                             case when jsonb_typeof(p_asked -> 'rejections_needed') = 'number'
                                  then (p_asked ->> 'rejections_needed')::numeric else 1 end as no
                  ) as v
             ) end)
    );
end
$$;

-- What is wrong with a number that a template may give; null: nothing.
create or replace function pawl.count_problem(p_count jsonb) returns text
language sql immutable parallel safe
return case when pawl.is_template(p_count) then pawl.template_problem(p_count)
            else pawl.field_problem('whole 1 100', p_count) end;

-- What is wrong with the review of an agent, beside true and false; null: nothing.
create or replace function pawl.review_problem(p_review jsonb) returns text
language plpgsql stable set search_path = pg_catalog as $$
begin
    return (
    select case
        when coalesce(jsonb_typeof(p_review), 'null') in ('null', 'boolean') then null
        when jsonb_typeof(p_review) <> 'object' then 'must be true, or say who is asked: {assignee, due}'
        else coalesce(
            pawl.fields_problem(p_review, array[
                array['title', 'text', null], array['description', 'text', null], array['form', 'any', null],
                array['assignee', 'text', null], array['group', 'text', null], array['due', 'duration', null],
                array['remind_after', 'duration', null], array['approvers', 'any', null],
                array['exclude', 'any', null], array['approvals', 'any', null],
                array['rejections_needed', 'any', null], array['escalate_after', 'duration', null],
                array['escalate_to', 'text', null], array['escalate', 'any', null]]),
            case when p_review ? 'form' and jsonb_typeof(p_review -> 'form') <> 'object'
                 then 'form: must be a JSON Schema, such as {properties: {...}}'
                 when not pawl.has_template(p_review -> 'form')
                 then 'form: ' || pawl.schema_problem(p_review -> 'form') end,
            'approvals: ' || pawl.count_problem(p_review -> 'approvals'),
            'rejections_needed: ' || pawl.count_problem(p_review -> 'rejections_needed'),
            pawl.votes_problem(p_review),
            case when p_review ? 'escalate_after' <> p_review ? 'escalate_to'
                 then 'escalate_to: and escalate_after go together'
                 when p_review ?& '{escalate,escalate_to}' then 'escalate: and escalate_to are the same: keep one'
                 when p_review -> 'escalate' = '[]' then 'escalate: must be a list of {after, to}, 20 at most' end,
            pawl.items_problem(p_review, 'escalate', 20, array[
                array['after', 'duration', 'must say how long after the task was opened'],
                array['to', 'text', 'must name the person to ask then']])) end
    );
end
$$;
