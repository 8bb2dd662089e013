#include "sandbox/site.hpp"

#include "sandbox/wire.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace pawl::sandbox {

namespace {

constexpr std::string_view root = "/sandbox/";

// The first word behind /sandbox/.
std::string_view first_word(std::string_view target) {
    if (!target.starts_with(root)) return {};
    const std::string_view rest = target.substr(root.size());
    return rest.substr(0, rest.find_first_of("/?#"));
}

std::vector<std::string> segments(std::string_view path) {
    std::vector<std::string> all;
    path = path.substr(0, path.find_first_of("?#"));
    while (!path.empty()) {
        const std::string_view one = path.substr(0, path.find('/'));
        path.remove_prefix(std::min(one.size() + 1, path.size()));
        all.emplace_back(one);
    }
    return all;
}

}  // namespace

Site::Site(asio::any_io_executor executor, SiteOptions options)
    : executor_(executor),
      options_(std::move(options)),
      desk_(options_.messages_max),
      client_(executor),
      hooks_(executor, desk_, client_),
      smtp_(executor, desk_, faults_) {
    smtp_.on_accepted = [this] { follow_accepted(); };
}

void Site::start(std::string url) {
    url_ = std::move(url);
    smtp_.listen(options_.smtp_host, options_.smtp_port);
    hooks_.start();
}

asio::awaitable<void> Site::stop() {
    co_await smtp_.stop();
    co_await hooks_.stop();
}

bool Site::serves(std::string_view target) {
    const std::string_view word = first_word(target);
    return !word.empty() && find_provider(word) != nullptr;
}

void Site::follow_accepted() {
    for (const MessagePtr& message : desk_.take_accepted()) hooks_.follow(message);
}

asio::awaitable<http::ServerResponse> Site::handle(http::ServerRequest given) {
    const std::string_view word = first_word(given.target);
    const Provider* provider = find_provider(word);
    if (provider == nullptr) co_return http::ServerResponse{404, {}, "there is no such provider\n"};
    Request request;
    request.path =
        segments(std::string_view(given.target)
                     .substr(std::min(root.size() + word.size() + 1, given.target.size())));
    const std::size_t mark = given.target.find('?');
    if (mark != std::string::npos) request.query = given.target.substr(mark + 1);
    request.method = std::move(given.method);
    request.headers = std::move(given.headers);
    request.body = std::move(given.body);
    const auto fault = faults_.meet(provider->name(), desk_.rng());
    if (fault && fault->kind == Fault::Kind::limit) co_return provider->limited(fault->retry_after);
    if (fault && fault->kind == Fault::Kind::error) co_return provider->broken();
    if (fault && fault->kind == Fault::Kind::slow) {
        asio::steady_timer pause(executor_, fault->delay);
        co_await pause.async_wait(asio::use_awaitable);
    }
    request.now = wall_now();
    http::ServerResponse response = provider->answer(desk_, request);
    follow_accepted();
    response.hang_up = fault && fault->kind == Fault::Kind::drop;
    co_return response;
}

}  // namespace pawl::sandbox
