#include "api/sandbox/sandbox.hpp"

#include "cli/parse/listen_address.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"
#include "http/host_rules.hpp"
#include "http/server.hpp"
#include "sandbox/site.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <fmt/core.h>

#include <csignal>
#include <exception>

namespace pawl::cli {

namespace {

namespace asio = boost::asio;

struct SandboxOptions {
    Globals globals;
    ListenAddress listen{"127.0.0.1", 8090};
    ListenAddress smtp{"127.0.0.1", 0};
    long messages = 2000;
};

// LINE takes two megabytes, and says so itself when it is more.
constexpr std::size_t body_bytes_max = 4 << 20;

void check_sandbox(const SandboxOptions& options) {
    for (const ListenAddress& one : {options.listen, options.smtp}) {
        if (http::is_loopback_host(one.host)) continue;
        throw WrongUse(
            "the sandbox is for this machine alone, since it needs no key; listen on 127.0.0.1"
        );
    }
}

asio::awaitable<http::ServerResponse> answer(sandbox::Site& site, http::ServerRequest request) {
    if (sandbox::Site::serves(request.target)) co_return co_await site.handle(std::move(request));
    if (request.method == "GET" && request.target == "/sandbox") co_return api::sandbox_page();
    co_return site.console(request);
}

void print_ready(const SandboxOptions& options, const std::string& url, std::uint16_t smtp_port) {
    const std::string mail = fmt::format("smtp://{}:{}", options.smtp.host, smtp_port);
    if (options.globals.machine()) {
        print_json(options.globals, json::object{{"url", url}, {"smtp_url", mail}});
    } else {
        print_line(fmt::format(
            "Providers answer at {0}/sandbox/PROVIDER, mail goes to {1}.\n"
            "What they got: {0}/sandbox\n"
            "An account:    curl -X PUT {0}/sandbox/accounts/line/shop",
            url,
            mail
        ));
    }
    std::fflush(stdout);
}

asio::awaitable<void> stop(asio::signal_set& signals, http::Server& server, sandbox::Site& site) {
    co_await signals.async_wait(asio::use_awaitable);
    co_await server.stop();
    co_await site.stop();
}

int run_sandbox(const SandboxOptions& options) {
    asio::io_context loop(1);
    sandbox::SiteOptions about;
    about.messages_max = static_cast<std::size_t>(options.messages);
    about.smtp_host = options.smtp.host;
    about.smtp_port = options.smtp.port;
    sandbox::Site site(loop.get_executor(), about);
    http::ServerOptions serve;
    serve.host = options.listen.host;
    serve.port = options.listen.port;
    serve.body_bytes_max = body_bytes_max;
    serve.hosts.checked = true;
    http::Server server(loop.get_executor(), serve, [&site](http::ServerRequest request) {
        return answer(site, std::move(request));
    });
    server.listen();
    const std::string url = "http://" + to_string({options.listen.host, server.port()});
    site.start(url);
    print_ready(options, url, site.smtp_port());
    asio::signal_set signals(loop, SIGINT, SIGTERM);
    std::exception_ptr failed;
    asio::co_spawn(loop, stop(signals, server, site), [&](std::exception_ptr thrown) {
        failed = thrown;
        loop.stop();
    });
    loop.run();
    if (failed) std::rethrow_exception(failed);
    return exit_ok;
}

void add_sandbox(App& app, SandboxOptions& options) {
    add_parsed(app, "--listen", options.listen, parse_listen_address, "HTTP address")
        ->type_name("HOST:PORT")
        ->default_str("127.0.0.1:8090");
    add_parsed(app, "--smtp-listen", options.smtp, parse_listen_address, "SMTP address")
        ->type_name("HOST:PORT")
        ->default_str("127.0.0.1, any free port");
    add_number(
        app, "--messages", options.messages, 1, 1'000'000, "How many messages to keep [2000]"
    );
}

const RegisterCommand<run_sandbox, add_sandbox, check_sandbox> sandbox_command(
    {"sandbox", 15, "Simulated message providers, to try things out"},
    {{"pawl sandbox"}, {"pawl sandbox --listen 127.0.0.1:9001 --smtp-listen 127.0.0.1:2525"}}
);

}  // namespace

}  // namespace pawl::cli
