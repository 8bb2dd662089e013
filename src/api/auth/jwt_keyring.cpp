#include "api/auth/jwt_keyring.hpp"

#include "base/log.hpp"
#include "engine/async/coroutine_group.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

#include <fstream>
#include <optional>
#include <sstream>

namespace pawl::api {

namespace {

constexpr auto retry_after = std::chrono::minutes(1);
constexpr auto first_retry_after =
    std::chrono::seconds(5);  // as long as there is nothing to go on with
constexpr auto stale_after = std::chrono::minutes(10);
constexpr auto fetch_timeout = std::chrono::seconds(5);

using KeyList = std::vector<JwtKey>;

Result<KeyList> read_keys(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) return Error{Errc::invalid, "cannot read the JWK set", {{"file", path}}};
    auto keys = parse_jwks(text.str());
    if (!keys) return std::move(keys.error()).with("file", path);
    return keys;
}

asio::awaitable<Result<KeyList>> fetch_keys(http::Client& client, std::string url) {
    http::Request request;
    request.trusted = true;
    request.url = std::move(url);
    request.headers = {{"Accept", "application/json"}};
    request.timeout = fetch_timeout;
    const auto answer = co_await client.send(std::move(request));
    if (!answer) co_return Error{Errc::unavailable, answer.error().message, {}};
    if (answer->status != 200) {
        co_return Error{Errc::unavailable, fmt::format("answered with {}", answer->status), {}};
    }
    co_return parse_jwks(answer->body);
}

}  // namespace

// Shared with the task that fetches: it may end later than the keyring.
struct JwtKeyring::State {
    State(const asio::any_io_executor& executor, KeyringOptions given, http::Client& http)
        : options(std::move(given)), client(http), fetched(executor), tasks(executor) {
        fetched.expires_at(Steady::time_point::max());
    }

    KeyringOptions options;
    http::Client& client;
    asio::steady_timer fetched;  // cancelled, which wakes all who wait, when a fetch has ended
    KeyList from_secret;
    KeyList from_file;
    std::optional<KeyList> from_url;  // none: never had
    Keys all = std::make_shared<KeyList>();
    bool fetching = false;
    std::optional<Steady::time_point> tried_at;
    Steady::time_point loaded_at{};
    engine::CoroutineGroup tasks;

    bool has_sets() const { return !options.jwks_file.empty() || !options.jwks_url.empty(); }
    bool waits_for_url() const { return !options.jwks_url.empty() && !from_url; }
    bool may_try(Steady::time_point now) const {
        const Duration pause = waits_for_url() ? Duration(first_retry_after) : retry_after;
        return !fetching && (!tried_at || now - *tried_at >= pause);
    }

    void join() {
        KeyList keys = from_secret;
        keys.insert(keys.end(), from_file.begin(), from_file.end());
        if (from_url) keys.insert(keys.end(), from_url->begin(), from_url->end());
        all = std::make_shared<KeyList>(std::move(keys));
    }

    void take(Result<KeyList> keys, KeyList& into, const char* what) {
        if (keys) {
            into = std::move(*keys);
        } else {
            log::warn(
                "cannot get the keys that check tokens; going on with those at hand",
                {log::field("from", what), log::field("error", to_string(keys.error()))}
            );
        }
    }

    // Wakes the waiting requests however the fetch ends.
    struct FetchEnd {
        State& state;
        explicit FetchEnd(State& given) : state(given) {}
        FetchEnd(const FetchEnd&) = delete;
        FetchEnd& operator=(const FetchEnd&) = delete;
        ~FetchEnd() {
            state.fetching = false;
            state.fetched.cancel();
        }
    };
    static asio::awaitable<void> fetch(std::shared_ptr<State> state);
};

asio::awaitable<void> JwtKeyring::State::fetch(std::shared_ptr<State> state) {
    const FetchEnd end(*state);
    if (!state->options.jwks_file.empty()) {
        state->take(read_keys(state->options.jwks_file), state->from_file, "file");
    }
    if (!state->options.jwks_url.empty()) {
        auto keys = co_await fetch_keys(state->client, state->options.jwks_url);
        KeyList taken = state->from_url.value_or(KeyList());
        const bool had = state->from_url.has_value() || keys.has_value();
        state->take(std::move(keys), taken, "URL");
        if (had) state->from_url = std::move(taken);
    }
    state->loaded_at = state->options.clock();
    state->join();
}

JwtKeyring::JwtKeyring(asio::any_io_executor executor, KeyringOptions options, http::Client& client)
    : state_(std::make_shared<State>(executor, std::move(options), client)) {
    const auto& given = state_->options;
    if (!given.secret.empty()) {
        state_->from_secret.push_back(JwtKey::from_secret(given.secret).value());
    }
    if (!given.jwks_file.empty()) state_->from_file = read_keys(given.jwks_file).value();
    state_->loaded_at = given.clock();
    state_->join();
}

JwtKeyring::~JwtKeyring() {
    state_->tasks.cancel();
}

asio::awaitable<Result<JwtKeyring::Keys>> JwtKeyring::keys_for(Jwt token) {
    const auto state = state_;
    // Sets hold public keys only: a shared secret would be none any more.
    if (token.alg == JwtAlg::hs256 || !state->has_sets()) co_return state->all;
    const auto now = state->options.clock();
    const bool fits = has_key_for(token, *state->all);
    const bool stale = now - state->loaded_at >= stale_after;
    if ((!fits || stale) && state->may_try(now)) {
        state->fetching = true;
        state->tried_at = now;
        state->tasks.spawn(State::fetch(state));
    }
    // A request that has its key does not wait: a slow issuer must not delay every request.
    while (!fits && state->fetching) {
        boost::system::error_code woken;
        co_await state->fetched.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    if (!has_key_for(token, *state->all) && state->waits_for_url()) {
        co_return Error{
            Errc::unavailable,
            "the keys that check tokens could not be fetched yet; the server's log says why",
            {}};
    }
    co_return state->all;
}

}  // namespace pawl::api
