#include "store/repos/message_log.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

using pg::Params;

namespace {

Message message_of(const pg::Rows& rows, int row) {
    Message one;
    pg::RowReader(rows, row) >> one.id >> one.run >> one.workflow >> one.version >> one.node >>
        one.person >> one.channel >> one.connector >> one.account >> one.message_template >>
        one.template_version >> one.variant >> one.category >> one.address >> one.external_id >>
        one.state >> one.reason >> one.error >> one.created_at >> one.sent_at >> one.delivered_at >>
        one.opened_at >> one.machine_opened_at >> one.clicked_at >> one.bounced_at >>
        one.complained_at >> one.failed_at >> one.unsubscribed_at >> one.replied_at >> one.test;
    return one;
}

FactShown fact_of(const pg::Rows& rows, int row) {
    FactShown fact;
    pg::RowReader(rows, row) >> fact.kind >> fact.at >> fact.received_at >> fact.machine >>
        fact.connector >> fact.account >> fact.provider_event_id >> pg::shown(fact.detail);
    return fact;
}

ProvedMessage proved_of(const pg::Rows& rows, int row) {
    ProvedMessage one;
    pg::RowReader(rows, row) >> one.id >> one.run >> one.tenant >> one.node >> one.state >>
        one.channel >> one.connector >> one.account >> one.category >> one.message_template >>
        one.template_version >> one.external_id;
    return one;
}

}  // namespace

asio::awaitable<MessagePage> MessageLog::list(Tenant tenant, MessageFilter filter) {
    Params params;
    params.add(tenant.bucket).add(tenant.id).add(some(filter.external_id));
    params.add(some(filter.person)).add(some(filter.state));
    std::optional<Uuid> run, before;
    std::optional<Instant> before_at;
    if (filter.run) run = filter.run->uuid;
    if (filter.before) {
        before_at = filter.before->at;
        before = filter.before->id;
    }
    params.add(run).add(some(filter.workflow)).add(before_at).add(before);
    // One more than asked for tells whether there is a next page.
    params.add(std::int32_t{filter.limit} + 1).add(std::int32_t{filter.scan_max});
    const auto rows = co_await call_as(pool_, tenant.id, queries::list_messages, std::move(params));
    MessagePage page;
    for (int row = 0; row < rows.size(); ++row) {
        if (rows.is_null(row, 0)) {
            if (!page.next) page.next = MessageCursor{rows.instant(row, 18), rows.uuid(row, 1)};
        } else if (static_cast<int>(page.messages.size()) < filter.limit) {
            page.messages.push_back(message_of(rows, row));
        } else if (!page.messages.empty()) {
            page.next = MessageCursor{page.messages.back().created_at, page.messages.back().id};
        }
    }
    co_return page;
}

asio::awaitable<std::optional<Message>> MessageLog::find(Tenant tenant, Uuid id) {
    const auto rows = co_await call_as(
        pool_, tenant.id, queries::find_message, params_of(tenant.bucket, tenant.id, id)
    );
    co_return pg::first_row(rows, message_of);
}

asio::awaitable<std::vector<FactShown>> MessageLog::facts(Tenant tenant, Uuid id) {
    const auto rows = co_await call_as(
        pool_, tenant.id, queries::message_facts, params_of(tenant.bucket, tenant.id, id)
    );
    co_return pg::all_rows(rows, fact_of);
}

asio::awaitable<std::vector<PersonItem>> MessageLog::of_person(
    Tenant tenant, std::string person, std::optional<PersonItemCursor> before, int limit
) {
    Params params;
    params.add(tenant.bucket).add(tenant.id).add(std::string_view(person));
    if (before) {
        params.add(before->at).add(std::string_view(before->kind));
        params.add(std::string_view(before->id));
    } else {
        params.add_null().add_null().add_null();
    }
    params.add(std::int32_t{limit});
    const auto rows = co_await call_as(pool_, tenant.id, queries::person_items, std::move(params));
    std::vector<PersonItem> items;
    for (int row = 0; row < rows.size(); ++row) {
        json::value entry = rows.shown_jsonb(row, 3);
        items.push_back(
            {{rows.instant(row, 1), rows.text(row, 0), rows.text(row, 2)}, entry.as_object()}
        );
    }
    co_return items;
}

asio::awaitable<bool> MessageLog::settle(Tenant tenant, Uuid id, bool sent, std::string reason) {
    const auto rows = co_await call(
        pool_, queries::settle_message, params_of(tenant.bucket, tenant.id, id, sent, some(reason))
    );
    co_return rows.boolean(0, 0);
}

asio::awaitable<std::vector<ProvedMessage>> MessageLog::proved(Bucket bucket, int limit) {
    const auto rows = co_await call(pool_, queries::settled_messages, params_of(bucket, limit));
    co_return pg::all_rows(rows, proved_of);
}

asio::awaitable<void> MessageLog::drop_proved(Bucket bucket, std::vector<Uuid> ids) {
    pg::Array all(pg::Type::uuid);
    for (const Uuid& id : ids) all.add(id);
    co_await call(pool_, queries::drop_settled, params_of(bucket, std::move(all)));
}

}  // namespace pawl::store
