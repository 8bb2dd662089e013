#include "app/messages/credential_sealer.hpp"

#include "app/messages/account_uses.hpp"

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

asio::awaitable<void> CredentialSealer::run() {
    bool ready = false;
    for (;;) {
        try {
            if (uses_.vault.usable() && !ready) {
                co_await inbox_.ensure_key();
                ready = true;
            }
            while (ready && co_await seal_all() == static_cast<std::size_t>(batch)) {
            }
            trouble_.fine();
        } catch (const Failure& failure) {
            trouble_.failed(failure.what());
        }
        co_await gate_.wait(Steady::now() + look_every);
    }
}

}  // namespace pawl::app
