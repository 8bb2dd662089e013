#include "steps/inquire.hpp"

#include "base/clock.hpp"

namespace pawl::steps {

asio::awaitable<Result<connect::Found>> inquire_once(http::Client& client, SingleInquiry single) {
    auto request = connect::make_inquiry(*single.connector, single.account, single.inquiry);
    if (!request) co_return request.error();
    request->tenant = single.tenant;
    request->timeout = single.timeout;
    const http::Outcome outcome = co_await client.send(std::move(*request));
    if (!outcome) {
        connect::Found none;
        none.means = connect::Means::retry;
        none.why = outcome.error().message;
        co_return none;
    }
    co_return connect::read_found(*single.connector, single.inquiry, *outcome, wall_now());
}

}  // namespace pawl::steps
