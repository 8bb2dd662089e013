#include "app/messages/credential_sealer.hpp"

#include "app/messages/account_uses.hpp"
#include "engine/async/batches.hpp"

namespace pawl::app {

namespace {

constexpr Duration look_every = std::chrono::seconds(2);
constexpr int batch = 50;

}  // namespace

asio::awaitable<std::size_t> CredentialSealer::seal_all() {
    auto all = co_await inbox_.take(batch);
    for (store::LeftCredentials& left : all) {
        std::string problem = left.problem;
        if (problem.empty()) {
            AccountParams params;
            params.connector = left.connector;
            params.account = left.account;
            params.credentials = std::move(left.credentials);
            params.settings = left.settings;
            const auto kept = co_await put_account(uses_, left.tenant, std::move(params));
            if (!kept) problem = kept.error().message;
        }
        co_await inbox_.finish(std::move(left), std::move(problem));
    }
    co_return all.size();
}

asio::awaitable<std::size_t> CredentialSealer::look() {
    if (!uses_.vault.usable()) co_return 0;
    if (!ready_) co_await inbox_.ensure_key();
    ready_ = true;
    co_return co_await seal_all();
}

asio::awaitable<void> CredentialSealer::run() {
    return engine::work_batches(gate_, trouble_, batch, look_every, [this] { return look(); });
}

}  // namespace pawl::app
