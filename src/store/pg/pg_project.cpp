#include "store/pg/pg_project.hpp"

#include <set>

namespace pawl::store {

using pg::Array;
using pg::Params;
using pg::Type;

namespace {

std::int32_t number(std::uint32_t token) {
    return static_cast<std::int32_t>(token);
}

// When the outcome of an earlier try is unknown: the first event of each run tells whether it came
// through.
void add_resent(Params& params, const CommitBatch& batch) {
    if (!batch.resend) {
        params.add_null().add_null();
        return;
    }
    Array run(Type::uuid), seq(Type::int4);
    std::set<RunId> seen;
    for (const LogRow& row : batch.events) {
        if (!seen.insert(row.run).second) continue;
        run.add(row.run.uuid);
        seq.add(row.event.seq);
    }
    params.add(std::move(run)).add(std::move(seq));
}

void add_subscribes(Params& params, const Projections& rows) {
    Array run(Type::uuid), token(Type::int4), tenant(Type::int4), event(Type::text),
        key(Type::text), since(Type::timestamptz);
    for (const Subscribe& row : rows.subscribes) {
        run.add(row.run.uuid);
        token.add(number(row.token));
        tenant.add(row.tenant);
        event.add(std::string_view(row.event));
        key.add(std::string_view(row.key));
        since.add(row.since);
    }
    params.add(std::move(run)).add(std::move(token)).add(std::move(tenant));
    params.add(std::move(event)).add(std::move(key)).add(std::move(since));
}

void add_unsubscribes(Params& params, const Projections& rows) {
    Array run(Type::uuid), token(Type::int4);
    for (const Unsubscribe& row : rows.unsubscribes) {
        run.add(row.run.uuid);
        token.add(number(row.token));
    }
    params.add(std::move(run)).add(std::move(token));
}

void add_opened(Params& params, const Projections& rows) {
    Array run(Type::uuid), token(Type::int4), tenant(Type::int4), workflow(Type::int4),
        node(Type::text), subject(Type::text), data(Type::jsonb);
    for (const OpenTask& row : rows.opened) {
        run.add(row.run.uuid);
        token.add(number(row.token));
        tenant.add(row.tenant);
        workflow.add(row.workflow);
        node.add(std::string_view(row.node));
        subject.add_or_null(row.subject);
        data.add_json(row.data);
    }
    params.add(std::move(run)).add(std::move(token)).add(std::move(tenant));
    params.add(std::move(workflow)).add(std::move(node)).add(std::move(subject));
    params.add(std::move(data));
}

void add_noted(Params& params, const Projections& rows) {
    Array run(Type::uuid), token(Type::int4), data(Type::jsonb);
    for (const NoteTask& row : rows.noted) {
        run.add(row.run.uuid);
        token.add(number(row.token));
        data.add_json(row.data);
    }
    params.add(std::move(run)).add(std::move(token)).add(std::move(data));
}

void add_closed(Params& params, const Projections& rows) {
    Array run(Type::uuid), token(Type::int4), state(Type::text);
    for (const CloseTask& row : rows.closed) {
        run.add(row.run.uuid);
        token.add(number(row.token));
        state.add(std::string_view(row.state));
    }
    params.add(std::move(run)).add(std::move(token)).add(std::move(state));
}

void add_published(Params& params, const Projections& rows) {
    Array run(Type::uuid), tenant(Type::int4), id(Type::text), event(Type::text), key(Type::text),
        data(Type::jsonb);
    for (const Publish& row : rows.published) {
        run.add(row.run.uuid);
        tenant.add(row.tenant);
        id.add(std::string_view(row.id));
        event.add(std::string_view(row.event));
        key.add(std::string_view(row.key));
        data.add_json(row.data);
    }
    params.add(std::move(run)).add(std::move(tenant)).add(std::move(id));
    params.add(std::move(event)).add(std::move(key)).add(std::move(data));
}

void add_children(Params& params, const Projections& rows) {
    Array parent(Type::uuid), data(Type::jsonb);
    for (const ChildClosed& row : rows.children) {
        parent.add(row.parent.uuid);
        data.add_json(row.data);
    }
    params.add(std::move(parent)).add(std::move(data));
}

}  // namespace

Params project_params(const CommitBatch& batch) {
    const Projections& rows = batch.projections;
    Params params;
    params.add(batch.bucket);
    add_resent(params, batch);
    add_subscribes(params, rows);
    add_unsubscribes(params, rows);
    add_opened(params, rows);
    add_noted(params, rows);
    add_closed(params, rows);
    add_published(params, rows);
    add_children(params, rows);
    Array ended(Type::uuid);
    for (const RunId& run : rows.ended) ended.add(run.uuid);
    params.add(std::move(ended));
    return params;
}

Params leave_params(Bucket bucket, const std::vector<LeavePlace>& places) {
    Array run(Type::uuid), token(Type::int4), key(Type::text);
    for (const LeavePlace& place : places) {
        run.add(place.run.uuid);
        token.add(number(place.token));
        if (place.key) {
            key.add(std::string_view(*place.key));
        } else {
            key.add_null();
        }
    }
    Params params;
    params.add(bucket).add(std::move(run)).add(std::move(token)).add(std::move(key));
    return params;
}

Params put_off_params(const CommitBatch& batch) {
    Array run(Type::uuid), due(Type::timestamptz);
    for (const Park& one : batch.parks) {
        if (!one.due_at) continue;
        run.add(one.run.uuid);
        due.add(*one.due_at);
    }
    Params params;
    params.add(batch.bucket).add(std::move(run)).add(std::move(due));
    return params;
}

Params end_params(Bucket bucket, const std::vector<EndChild>& ends) {
    Array child(Type::uuid), reason(Type::text);
    for (const EndChild& one : ends) {
        child.add(one.child.uuid);
        reason.add(std::string_view(one.reason));
    }
    Params params;
    params.add(bucket).add(std::move(child)).add(std::move(reason));
    return params;
}

Params message_params(Bucket bucket, const std::vector<MessageRow>& rows) {
    Array id(Type::uuid), tenant(Type::int4), run(Type::uuid), workflow(Type::int4),
        version(Type::int4), node(Type::text), person(Type::text), data(Type::jsonb);
    for (const MessageRow& row : rows) {
        id.add(row.id);
        tenant.add(row.tenant);
        run.add(row.run.uuid);
        workflow.add(row.workflow);
        version.add(row.version);
        node.add(std::string_view(row.node));
        person.add_or_null(row.person);
        data.add_json(row.data);
    }
    Params params;
    params.add(bucket).add(std::move(id)).add(std::move(tenant)).add(std::move(run));
    params.add(std::move(workflow)).add(std::move(version)).add(std::move(node));
    params.add(std::move(person)).add(std::move(data));
    return params;
}

Params repin_params(Bucket bucket, const std::vector<Repin>& repinned) {
    Array run(Type::uuid), version(Type::int4);
    for (const Repin& one : repinned) {
        run.add(one.run.uuid);
        version.add(one.version);
    }
    Params params;
    params.add(bucket).add(std::move(run)).add(std::move(version));
    return params;
}

}  // namespace pawl::store
