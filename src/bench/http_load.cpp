#include "bench/http_load.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <charconv>
#include <exception>
#include <string_view>

namespace pawl::bench {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

struct Shared {
    LoadOptions options;
    LoadResult result;
    Steady::time_point end{};
    std::exception_ptr failed;
};

// The size of a whole answer once its head is there; 0 before.
std::size_t answer_size(std::string_view text) {
    const std::size_t head = text.find("\r\n\r\n");
    if (head == std::string_view::npos) return 0;
    constexpr std::string_view name = "\r\nContent-Length: ";
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos || at > head) return head + 4;
    std::size_t length = 0;
    std::from_chars(text.data() + at + name.size(), text.data() + text.size(), length);
    return head + 4 + length;
}

asio::awaitable<void> one_connection(Shared& shared) {
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect(
        {asio::ip::address_v4::loopback(), shared.options.port}, asio::use_awaitable
    );
    socket.set_option(tcp::no_delay(true));
    std::string buffer(16 << 10, '\0');
    while (Steady::now() < shared.end) {
        const auto begun = Steady::now();
        co_await asio::async_write(
            socket, asio::buffer(shared.options.request), asio::use_awaitable
        );
        std::size_t got = 0;
        std::size_t wanted = 0;
        while (wanted == 0 || got < wanted) {
            got += co_await socket.async_read_some(
                asio::buffer(buffer.data() + got, buffer.size() - got), asio::use_awaitable
            );
            if (wanted == 0) wanted = answer_size(std::string_view(buffer.data(), got));
        }
        const bool fine = std::string_view(buffer).starts_with("HTTP/1.1 2");
        ++(fine ? shared.result.answers : shared.result.others);
        shared.result.latency_ms.push_back(
            std::chrono::duration<float, std::milli>(Steady::now() - begun).count()
        );
    }
}

}  // namespace

LoadResult load_server(LoadOptions options) {
    asio::io_context loop(1);
    Shared shared;
    shared.options = std::move(options);
    const auto begun = Steady::now();
    shared.end = begun + std::chrono::duration_cast<Steady::duration>(
                             std::chrono::duration<double>(shared.options.seconds)
                         );
    for (int i = 0; i < shared.options.connections; ++i) {
        asio::co_spawn(loop, one_connection(shared), [&shared](std::exception_ptr thrown) {
            if (thrown) shared.failed = thrown;
        });
    }
    loop.run();
    if (shared.failed) std::rethrow_exception(shared.failed);
    shared.result.seconds = std::chrono::duration<double>(Steady::now() - begun).count();
    std::sort(shared.result.latency_ms.begin(), shared.result.latency_ms.end());
    return std::move(shared.result);
}

}  // namespace pawl::bench
