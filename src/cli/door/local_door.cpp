#include "cli/door/local_door.hpp"

#include "api/http/problem.hpp"
#include "api/http/readable.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"
#include "base/exact_json.hpp"
#include "cli/door/database.hpp"
#include "cli/terminal/version.hpp"
#include "host/start_trips.hpp"
#include "steps/program_check.hpp"

#include <boost/asio/this_coro.hpp>
#include <fmt/core.h>

#include <exception>

namespace pawl::cli {

namespace {

constexpr int matched_at_once = 1000;

class LocalDoor : public Door {
public:
    LocalDoor(asio::any_io_executor executor, pg::Pool& pool, store::Tenant tenant, Vault vault)
        : store_(pool),
          tenant_(tenant),
          app_(executor, pool, host::start_in_store(store_), {}),
          services_(app_),
          router_(api::all_routes(services_)) {
        app_.encrypt_with(std::move(vault));
        app_.wake_workers_by([this] { wake_ = true; });
        app_.publisher().on_published = [this] { published_ = true; };
        // Programs are compiled where the file is read.
        app_.check_programs_by([&pool](Definition definition, store::TenantId) {
            return steps::check_statements(pool, std::move(definition));
        });
    }

    asio::awaitable<Result<json::value>> call(Ask ask) override {
        api::Call call = call_of(ask);
        const auto target = api::parse_target(call.request.target);
        if (!target) co_return target.error();
        call.target = *target;
        api::Match match = router_.match(call.request.method, call.target.segments);
        PAWL_ASSERT(match.route != nullptr);
        call.params = std::move(match.params);
        http::ServerResponse response;
        try {
            api::refuse_unreadable(call);
            response = co_await match.route->handler(std::move(call));
        } catch (const api::Refused& refused) {
            response = api::to_response(refused.problem(), "");
        }
        co_await tell_others();
        co_return read_answer(response.status, response.body);
    }

    asio::awaitable<void> stop() { return app_.stop(); }

private:
    api::Call call_of(const Ask& ask) const {
        api::Call call;
        call.request.method = ask.method;
        call.request.target = target_of(ask);
        call.request.headers.push_back({"User-Agent", fmt::format("pawl-cli/{}", version)});
        if (ask.body) call.request.body = plain_json(*ask.body);
        call.principal.tenant = tenant_.id;
        call.principal.bucket = tenant_.bucket;
        call.principal.name = "cli";
        call.principal.scopes = {api::Scope::admin};
        return call;
    }

    // A server does this in the background; here the process ends with the command.
    asio::awaitable<void> tell_others() {
        if (published_) co_await store_.match_inbox(tenant_.bucket, matched_at_once);
        if (published_ || wake_) co_await store_.notify_workers(tenant_.bucket);
        published_ = wake_ = false;
    }

    store::PgStore store_;
    store::Tenant tenant_;
    app::App app_;
    api::Services services_;
    api::Router router_;
    bool wake_ = false;
    bool published_ = false;
};

asio::awaitable<int> run_inside(
    pg::Pool& pool, store::Tenant tenant, Vault vault, WithDoor command
) {
    LocalDoor door(co_await asio::this_coro::executor, pool, tenant, std::move(vault));
    int code = exit_error;
    std::exception_ptr failed;
    try {
        code = co_await command(door);
    } catch (...) {
        failed = std::current_exception();
    }
    co_await door.stop();
    if (failed) std::rethrow_exception(failed);
    co_return code;
}

}  // namespace

int with_local_door(const Globals& globals, Vault vault, WithDoor command) {
    return with_tenant(globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return run_inside(pool, tenant, vault, command);
    });
}

}  // namespace pawl::cli
