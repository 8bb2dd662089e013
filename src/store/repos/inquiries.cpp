#include "store/repos/inquiries.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

using pg::Array;
using pg::Params;
using pg::Type;

namespace {

std::string text_or_empty(const pg::Rows& rows, int row, int column) {
    return rows.is_null(row, column) ? std::string() : rows.text(row, column);
}

}  // namespace

asio::awaitable<std::vector<MessageInquiry>> Inquiries::take(
    Bucket bucket, int limit, Duration lease
) {
    Params params;
    params.add(bucket).add(std::int32_t{limit}).add(std::int64_t{lease.count()});
    const auto rows = co_await call(pool_, queries::take_inquiries, std::move(params));
    std::vector<MessageInquiry> all;
    for (int row = 0; row < rows.size(); ++row) {
        MessageInquiry one;
        one.id = rows.uuid(row, 0);
        one.tenant = rows.int4(row, 1);
        one.run = RunId{rows.uuid(row, 2)};
        one.node = rows.text(row, 3);
        one.connector = text_or_empty(rows, row, 4);
        one.account = text_or_empty(rows, row, 5);
        one.address = text_or_empty(rows, row, 6);
        if (!rows.is_null(row, 7)) one.text_hash = rows.int8(row, 7);
        one.begun = rows.instant(row, 8);
        one.tries = rows.int4(row, 9);
        one.since = rows.instant(row, 10);
        all.push_back(std::move(one));
    }
    co_return all;
}

asio::awaitable<void> Inquiries::put_off(
    Bucket bucket, const MessageInquiry& inquiry, Duration wait
) {
    Params params;
    params.add(bucket).add(inquiry.id).add(std::int32_t{inquiry.tries});
    params.add(std::int64_t{wait.count()});
    co_await call(pool_, queries::put_off_inquiry, std::move(params));
}

asio::awaitable<void> Inquiries::drop(Bucket bucket, const MessageInquiry& inquiry) {
    Params params;
    params.add(bucket).add(inquiry.id).add(std::int32_t{inquiry.tries});
    co_await call(pool_, queries::drop_inquiry, std::move(params));
}

asio::awaitable<std::vector<std::string>> Inquiries::others(
    TenantId tenant, Uuid message, std::vector<std::string> external_ids
) {
    Array ids(Type::text);
    for (const std::string& id : external_ids) ids.add(std::string_view(id));
    Params params;
    params.add(tenant).add(message).add(std::move(ids));
    const auto rows = co_await call(pool_, queries::other_messages, std::move(params));
    std::vector<std::string> others;
    for (int row = 0; row < rows.size(); ++row) others.push_back(rows.text(row, 0));
    co_return others;
}

}  // namespace pawl::store
