#include "http/server_sessions.hpp"
#include "server_fixture.hpp"

#include <sys/resource.h>

namespace pawl::http {
namespace {

class ServerCrowdTest : public ServerTest {
protected:
    tcp::socket connect(std::uint16_t port, std::string_view text = "") {
        tcp::socket socket(io);
        socket.connect(tcp::endpoint(asio::ip::make_address("127.0.0.1"), port));
        if (!text.empty()) asio::write(socket, asio::buffer(text));
        return socket;
    }
    // Whether the other side has closed it.
    static bool is_over(tcp::socket& socket) {
        char byte = 0;
        boost::system::error_code failed;
        socket.non_blocking(true);
        socket.read_some(asio::buffer(&byte, 1), failed);
        return failed && failed != asio::error::would_block;
    }
};

constexpr const char* get = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
constexpr const char* half = "GET / HTTP/1.1\r\nHos";

TEST_F(ServerCrowdTest, TheConnectionThatWaitedLongestMakesRoom) {
    ServerOptions options;
    options.connections_max = 3;
    auto server = serve(options);
    server.listen();
    auto busy = start(exchange(server.port(), "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"));
    run_until([&] { return handled == 1; });
    auto first = connect(server.port(), half);
    run_until([&] { return server.connections() == 2; });
    auto second = connect(server.port());
    run_until([&] { return server.connections() == 3; });
    EXPECT_TRUE(run(exchange(server.port(), get)).starts_with("HTTP/1.1 200 "));
    run_until([&] { return is_over(first); });
    EXPECT_FALSE(is_over(second));
    gate.open();
    run(server.stop());
    run_until([&] { return busy->done(); });
    EXPECT_TRUE(busy->value && busy->value->starts_with("HTTP/1.1 200 "));
}

TEST_F(ServerCrowdTest, ANewcomerIsTurnedAwayWhenAllAreBusy) {
    ServerOptions options;
    options.connections_max = 1;
    auto server = serve(options);
    server.listen();
    auto busy = start(exchange(server.port(), "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"));
    run_until([&] { return handled == 1; });
    EXPECT_TRUE(run(exchange(server.port(), "")).starts_with("HTTP/1.1 503 "));
    gate.open();
    run(server.stop());
    run_until([&] { return busy->done(); });
}

TEST_F(ServerCrowdTest, AProbeIsAnsweredWhenAllAreBusy) {
    ServerOptions options;
    options.connections_max = 2;
    options.stop_timeout = 20ms;
    options.probes = {"/alive"};
    auto server = serve(options);
    server.listen();
    auto first = connect(server.port(), "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    auto second = connect(server.port(), "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    run_until([&] { return streams.size() == 2; });
    constexpr const char* probe = "GET /alive?full=1 HTTP/1.1\r\nHost: x\r\n\r\n";
    const std::string alive = run(exchange(server.port(), probe));
    EXPECT_TRUE(alive.starts_with("HTTP/1.1 200 ")) << alive;
    EXPECT_NE(alive.find("Connection: close"), std::string::npos) << "others need its place";
    const std::string other = run(exchange(server.port(), get));
    EXPECT_TRUE(other.starts_with("HTTP/1.1 503 ")) << other;
    EXPECT_NE(other.find("too many connections"), std::string::npos);
    // Those that take the kept places and say nothing make room.
    std::vector<tcp::socket> silent;
    for (int i = 0; i < 100; ++i) {
        silent.push_back(connect(server.port(), half));
        io.poll();
    }
    EXPECT_TRUE(run(exchange(server.port(), probe)).starts_with("HTTP/1.1 200 "));
    EXPECT_LE(server.connections(), 40U);
    EXPECT_EQ(streams.size(), 2U);
    run(server.stop());
}

TEST_F(ServerCrowdTest, AConnectionThatHasItsAnswerAndDoesNotHangUpMakesRoom) {
    ServerOptions options;
    options.connections_max = 2;
    auto server = serve(options);
    server.listen();
    auto first = connect(server.port(), get);
    auto second = connect(server.port(), get);
    run_until([&] { return handled == 2; });
    EXPECT_TRUE(run(exchange(server.port(), get)).starts_with("HTTP/1.1 200 "));
    run(server.stop());
}

TEST_F(ServerCrowdTest, OnePeerHasItsShareOnly) {
    ServerOptions options;
    options.connections_per_peer = 2;
    auto server = serve(options);
    server.listen();
    auto first = connect(server.port());
    auto second = connect(server.port());
    run_until([&] { return server.connections() == 2; });
    EXPECT_TRUE(run(exchange(server.port(), "")).starts_with("HTTP/1.1 503 "));
    tcp::socket other(io, tcp::endpoint(asio::ip::make_address("127.0.0.2"), 0));
    other.connect(tcp::endpoint(asio::ip::make_address("127.0.0.1"), server.port()));
    run_until([&] { return server.connections() == 3; });
    first.close();
    run_until([&] { return server.connections() == 2; });
    EXPECT_TRUE(run(exchange(server.port(), get)).starts_with("HTTP/1.1 200 "));
    run(server.stop());
}

TEST_F(ServerCrowdTest, SlowPeersDoNotKeepAGoodOneWaiting) {
    ServerOptions options;
    options.connections_max = 200;
    options.stop_timeout = 20ms;
    auto server = serve(options);
    server.listen();
    std::vector<tcp::socket> slow;
    for (std::size_t i = 0; i < 100; ++i) {
        slow.push_back(connect(server.port(), "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"));
    }
    run_until([&] { return streams.size() == 100; });
    // More than fit: each new one takes the place of an older one, never that of a stream.
    for (std::size_t i = 0; i < 300; ++i) {
        slow.push_back(connect(server.port(), half));
        io.poll();
    }
    for (int i = 0; i < 50; ++i) {
        EXPECT_TRUE(run(exchange(server.port(), get)).starts_with("HTTP/1.1 200 "));
    }
    EXPECT_LE(server.connections(), 200U);
    EXPECT_EQ(streams.size(), 100U);
    run(server.stop());
    EXPECT_EQ(streams_ended, 100);
}

TEST_F(ServerCrowdTest, LongAnswersTogetherHaveALimit) {
    ServerOptions options;
    options.answers_bytes_max = 20 << 20;
    auto server = serve(options);
    server.listen();
    const std::string asks = "GET /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    auto slow = connect(server.port(), asks);
    run_until([&] { return server.answer_bytes() >= (16U << 20); });
    const std::string refused = run(exchange(server.port(), asks));
    EXPECT_TRUE(refused.starts_with("HTTP/1.1 503 ")) << refused.substr(0, 200);
    EXPECT_NE(refused.find("Retry-After"), std::string::npos);
    EXPECT_TRUE(run(exchange(server.port(), get)).starts_with("HTTP/1.1 200 ")) << "a short one";
    slow.close();
    run_until([&] { return server.answer_bytes() == 0; });
    const std::string whole = run(exchange(server.port(), asks));
    EXPECT_TRUE(whole.starts_with("HTTP/1.1 200 "));
    EXPECT_GT(whole.size(), 16U << 20);
    EXPECT_EQ(server.answer_bytes(), 0U);
    run(server.stop());
}

TEST_F(ServerCrowdTest, KeepsDescriptorsForTheRestOfTheProcess) {
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const std::size_t most = fitting_connections(std::size_t(1) << 40);
    EXPECT_LT(most, limit.rlim_max);
    EXPECT_EQ(fitting_connections(10), 10U);
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    EXPECT_EQ(limit.rlim_cur, limit.rlim_max) << "the soft limit is raised";
}

}  // namespace
}  // namespace pawl::http
