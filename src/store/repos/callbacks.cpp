#include "store/repos/callbacks.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<CallbackOutcome> Callbacks::answer(CallbackAnswer answer) {
    pg::Params params;
    params.add(answer.bucket).add(answer.run.uuid).add(std::string_view(answer.token));
    params.add(std::string_view(answer.fingerprint)).add(answer.expires).add_json(answer.data);
    const auto rows = co_await call(pool_, queries::answer_callback, std::move(params));
    const std::string outcome = rows.text(0, 0);
    if (outcome == "accepted") co_return CallbackOutcome::accepted;
    // The others rest on an earlier answer, which must be as durable as this one.
    co_await confirm_found(pool_);
    if (outcome == "repeated") co_return CallbackOutcome::repeated;
    if (outcome == "answered") co_return CallbackOutcome::answered;
    PAWL_ASSERT(outcome == "closed");
    co_return CallbackOutcome::closed;
}

asio::awaitable<std::int64_t> Callbacks::purge(int batch) {
    const auto rows =
        co_await call(pool_, queries::purge_callbacks, params_of(static_cast<std::int64_t>(batch)));
    co_return rows.affected();
}

}  // namespace pawl::store
