#include "store/repos/message_log.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

using pg::Params;

namespace {

std::string text_of(const pg::Rows& rows, int row, int column) {
    return rows.is_null(row, column) ? std::string() : rows.text(row, column);
}

std::optional<std::int32_t> number_of(const pg::Rows& rows, int row, int column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return rows.int4(row, column);
}

Message message_of(const pg::Rows& rows, int row) {
    Message one;
    one.id = rows.uuid(row, 0);
    one.run = RunId{rows.uuid(row, 1)};
    one.workflow = text_of(rows, row, 2);
    one.version = rows.int4(row, 3);
    one.node = rows.text(row, 4);
    one.person = text_of(rows, row, 5);
    one.channel = rows.text(row, 6);
    one.connector = text_of(rows, row, 7);
    one.account = text_of(rows, row, 8);
    one.message_template = text_of(rows, row, 9);
    one.template_version = number_of(rows, row, 10);
    one.variant = text_of(rows, row, 11);
    one.category = rows.text(row, 12);
    one.address = text_of(rows, row, 13);
    one.external_id = text_of(rows, row, 14);
    one.state = rows.text(row, 15);
    one.reason = text_of(rows, row, 16);
    one.error = text_of(rows, row, 17);
    one.created_at = rows.instant(row, 18);
    one.sent_at = rows.instant_or_none(row, 19);
    one.delivered_at = rows.instant_or_none(row, 20);
    one.opened_at = rows.instant_or_none(row, 21);
    one.machine_opened_at = rows.instant_or_none(row, 22);
    one.clicked_at = rows.instant_or_none(row, 23);
    one.bounced_at = rows.instant_or_none(row, 24);
    one.complained_at = rows.instant_or_none(row, 25);
    one.failed_at = rows.instant_or_none(row, 26);
    one.unsubscribed_at = rows.instant_or_none(row, 27);
    one.replied_at = rows.instant_or_none(row, 28);
    one.test = rows.boolean(row, 29);
    return one;
}

ProvedMessage proved_of(const pg::Rows& rows, int row) {
    ProvedMessage one;
    one.id = rows.uuid(row, 0);
    one.run = RunId{rows.uuid(row, 1)};
    one.node = text_of(rows, row, 3);
    if (one.node.empty()) return one;
    one.tenant = rows.int4(row, 2);
    one.state = rows.text(row, 4);
    one.channel = rows.text(row, 5);
    one.connector = text_of(rows, row, 6);
    one.account = text_of(rows, row, 7);
    one.category = text_of(rows, row, 8);
    one.message_template = text_of(rows, row, 9);
    one.template_version = number_of(rows, row, 10);
    one.external_id = text_of(rows, row, 11);
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
    Params params;
    params.add(tenant.bucket).add(tenant.id).add(id);
    const auto rows = co_await call_as(pool_, tenant.id, queries::find_message, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    co_return message_of(rows, 0);
}

asio::awaitable<std::vector<FactShown>> MessageLog::facts(Tenant tenant, Uuid id) {
    Params params;
    params.add(tenant.bucket).add(tenant.id).add(id);
    const auto rows = co_await call_as(pool_, tenant.id, queries::message_facts, std::move(params));
    std::vector<FactShown> facts;
    for (int row = 0; row < rows.size(); ++row) {
        facts.push_back(
            {rows.text(row, 0),
             rows.instant(row, 1),
             rows.instant(row, 2),
             rows.boolean(row, 3),
             rows.text(row, 4),
             rows.text(row, 5),
             rows.text(row, 6),
             rows.shown_jsonb(row, 7)}
        );
    }
    co_return facts;
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

asio::awaitable<std::vector<ProvedMessage>> MessageLog::proved(Bucket bucket, int limit) {
    Params params;
    params.add(bucket).add(std::int32_t{limit});
    const auto rows = co_await call(pool_, queries::settled_messages, std::move(params));
    std::vector<ProvedMessage> proved;
    for (int row = 0; row < rows.size(); ++row) proved.push_back(proved_of(rows, row));
    co_return proved;
}

asio::awaitable<void> MessageLog::drop_proved(Bucket bucket, std::vector<Uuid> ids) {
    pg::Array all(pg::Type::uuid);
    for (const Uuid& id : ids) all.add(id);
    Params params;
    params.add(bucket).add(std::move(all));
    co_await call(pool_, queries::drop_settled, std::move(params));
}

}  // namespace pawl::store
