#pragma once

#include "http/client.hpp"
#include "sandbox/desk.hpp"
#include "sandbox/faults.hpp"
#include "sandbox/hook_queue.hpp"
#include "sandbox/smtp_sink.hpp"

#include <string>
#include <string_view>

namespace pawl::sandbox {

struct SiteOptions {
    std::size_t messages_max = 2000;  // that are kept to be looked at
    std::string smtp_host = "127.0.0.1";
    std::uint16_t smtp_port = 0;  // 0: any free one
};

// All providers at one place. Requests of senders come below /sandbox/PROVIDER. Its console, for
// the person who runs the sandbox, is /sandbox/accounts, /sandbox/messages and /sandbox/faults.
// Lives on one executor that is run by one thread. Await stop() before the executor ends.
class Site {
public:
    Site(asio::any_io_executor executor, SiteOptions options = {});

    // Takes mail and tells hooks from now on. `url`: how senders reach its HTTP server.
    void start(std::string url);
    asio::awaitable<void> stop();

    // Whether a request is for a provider, and not for the console or another page.
    static bool serves(std::string_view target);
    asio::awaitable<http::ServerResponse> handle(http::ServerRequest request);
    http::ServerResponse console(const http::ServerRequest& request);

    std::uint16_t smtp_port() const { return smtp_.port(); }
    const HookQueue& hooks() const { return hooks_; }
    const Desk& desk() const { return desk_; }

private:
    using Answer = Result<json::value>;

    Answer on_accounts(const http::ServerRequest& request, const std::vector<std::string>& path);
    Answer on_messages(const http::ServerRequest& request, const std::vector<std::string>& path);
    Answer on_faults(const http::ServerRequest& request);
    Answer put_account(const Provider& provider, std::string name, const json::value& body);
    Answer tell(const Account& account, MessagePtr message, const json::value& body);
    Answer list_messages(std::string_view query) const;
    json::object shown_account(const Account& account) const;
    void follow_accepted();

    asio::any_io_executor executor_;
    SiteOptions options_;
    std::string url_;
    Desk desk_;
    Faults faults_;
    http::Client client_;
    HookQueue hooks_;
    SmtpSink smtp_;
};

}  // namespace pawl::sandbox
