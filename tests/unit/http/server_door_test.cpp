#include "server_fixture.hpp"

namespace pawl::http {
namespace {

constexpr std::size_t mebibyte = 1 << 20;

// A server whose door lets in requests with a key, as an API does.
class ServerDoorTest : public ServerTest {
protected:
    int asked = 0;

    Server with_door(ServerOptions options = {}) {
        return Server(
            io.get_executor(),
            std::move(options),
            [this](ServerRequest request) { return answer(std::move(request)); },
            [this](ServerRequest head) { return look(std::move(head)); }
        );
    }

    asio::awaitable<Entry> look(ServerRequest head) {
        ++asked;
        EXPECT_EQ(head.body, "");
        EXPECT_EQ(head.peer, "127.0.0.1");
        const std::string* key = find_header(head.headers, "Key");
        if (key != nullptr) co_return Entry{std::nullopt, key->front()};
        co_return Entry{ServerResponse{401, {{"Content-Type", "text/plain"}}, "no key"}};
    }

    static std::string post(std::string_view headers, std::size_t length) {
        return fmt::format(
            "POST / HTTP/1.1\r\nHost: x\r\n{}Content-Length: {}\r\n\r\n", headers, length
        );
    }

    tcp::socket peer(std::uint16_t port, const std::string& text) {
        tcp::socket socket(io);
        socket.connect(tcp::endpoint(asio::ip::make_address("127.0.0.1"), port));
        asio::write(socket, asio::buffer(text));
        return socket;
    }
};

TEST_F(ServerDoorTest, ALongBodyWithoutAKeyIsNotRead) {
    auto server = with_door();
    server.listen();
    // None of the body has been sent: the answer does not wait for it.
    const std::string refused = run(exchange(server.port(), post("", mebibyte)));
    EXPECT_TRUE(refused.starts_with("HTTP/1.1 401")) << refused;
    EXPECT_NE(refused.find("Connection: close"), std::string::npos) << refused;
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(handled, 0);
    run_until([&] { return server.body_bytes() == 0; });
    run(server.stop());
}

TEST_F(ServerDoorTest, ChunksAreCounted) {
    auto server = with_door();
    server.listen();
    std::string text = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (int i = 0; i < 5; ++i) text += "400\r\n" + std::string(0x400, 'x') + "\r\n";
    const std::string refused = run(exchange(server.port(), text));
    EXPECT_TRUE(refused.starts_with("HTTP/1.1 401")) << refused;
    EXPECT_EQ(handled, 0);
    run(server.stop());
}

TEST_F(ServerDoorTest, ContinueIsNotSentInVain) {
    auto server = with_door();
    server.listen();
    const std::string head = post("Expect: 100-continue\r\n", mebibyte);
    const std::string refused = run(exchange(server.port(), head));
    EXPECT_TRUE(refused.starts_with("HTTP/1.1 401")) << refused;
    run(server.stop());
}

TEST_F(ServerDoorTest, ALongBodyWithAKeyIsRead) {
    auto server = with_door();
    server.listen();
    const std::string body(mebibyte, 'x');
    const std::string head = post("Key: k\r\nConnection: close\r\n", body.size());
    const std::string answer = run(exchange(server.port(), head + body));
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer.substr(0, 200);
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(last.body.size(), body.size());
    run_until([&] { return server.body_bytes() == 0; });
    run(server.stop());
}

TEST_F(ServerDoorTest, AShortBodyGoesToTheHandlerAlone) {
    auto server = with_door();
    server.listen();
    const std::string head = post("Connection: close\r\n", 2);
    EXPECT_TRUE(run(exchange(server.port(), head + "hi")).starts_with("HTTP/1.1 200"));
    EXPECT_EQ(asked, 0);
    run(server.stop());
}

TEST_F(ServerDoorTest, ADoorThatFailsIsClosed) {
    Server server(
        io.get_executor(),
        {},
        [this](ServerRequest request) { return answer(std::move(request)); },
        [](ServerRequest) -> asio::awaitable<Entry> {
            throw std::runtime_error("boom");
            co_return Entry{};
        }
    );
    server.listen();
    const std::string refused = run(exchange(server.port(), post("", mebibyte)));
    EXPECT_TRUE(refused.starts_with("HTTP/1.1 500")) << refused;
    EXPECT_EQ(handled, 0);
    run(server.stop());
}

TEST_F(ServerDoorTest, AllBodiesTogetherHaveALimit) {
    ServerOptions options;
    options.bodies_bytes_max = 2 * mebibyte;
    auto server = with_door(options);
    server.listen();
    const std::string half(mebibyte - 1, 'x');
    auto slow = peer(server.port(), post("Key: k\r\n", mebibyte) + half);
    run_until([&] { return server.body_bytes() >= half.size(); });
    const std::string whole(mebibyte, 'x');
    const std::string head = post("Key: k\r\nConnection: close\r\n", whole.size());
    const std::string refused = run(exchange(server.port(), head + whole));
    EXPECT_TRUE(refused.starts_with("HTTP/1.1 503")) << refused.substr(0, 200);
    EXPECT_NE(refused.find("Retry-After"), std::string::npos) << refused;
    slow.close();
    run_until([&] { return server.body_bytes() == 0; });
    EXPECT_TRUE(run(exchange(server.port(), head + whole)).starts_with("HTTP/1.1 200"));
    run(server.stop());
}

TEST_F(ServerDoorTest, BodiesThatDoNotArriveLeaveRoomForOtherTenants) {
    ServerOptions options;
    options.bodies_bytes_max = 32 * mebibyte;
    auto server = with_door(options);
    server.listen();
    const std::string most(mebibyte - 1, 'x');
    std::vector<tcp::socket> slow;
    for (bool refused = false; !refused;) {
        const std::size_t before = server.body_bytes();
        slow.push_back(peer(server.port(), post("Key: hostile\r\n", mebibyte) + most));
        run_until([&] {
            refused = slow.back().available() > 0;
            return refused || server.body_bytes() >= before + most.size();
        });
        ASSERT_LT(slow.size(), 33U) << "none was refused";
    }
    const std::string whole(mebibyte, 'x');
    const auto answer_to = [&](const std::string& headers, const std::string& body) {
        const std::string head = post(headers + "Connection: close\r\n", body.size());
        return run(exchange(server.port(), head + body)).substr(0, 12);
    };
    EXPECT_EQ(answer_to("Key: other\r\n", whole), "HTTP/1.1 200");
    EXPECT_EQ(answer_to("Key: hostile\r\n", "short"), "HTTP/1.1 200");
    slow.clear();
    run_until([&] { return server.body_bytes() == 0; });
    run(server.stop());
}

TEST_F(ServerDoorTest, AnotherHostIsRefusedBeforeTheHandler) {
    ServerOptions options;
    options.hosts = rules_for("127.0.0.1", {}, {});
    auto server = with_door(options);
    server.listen();
    const std::string rebound =
        run(exchange(server.port(), "GET / HTTP/1.1\r\nHost: rebind.test\r\n\r\n"));
    EXPECT_TRUE(rebound.starts_with("HTTP/1.1 421 Misdirected Request")) << rebound;
    EXPECT_NE(rebound.find("--allowed-host"), std::string::npos) << rebound;
    const std::string page = run(exchange(
        server.port(), "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.test\r\n\r\n"
    ));
    EXPECT_TRUE(page.starts_with("HTTP/1.1 403")) << page;
    EXPECT_EQ(handled, 0);
    const std::string fine = run(
        exchange(server.port(), "GET / HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n")
    );
    EXPECT_TRUE(fine.starts_with("HTTP/1.1 200")) << fine;
    run(server.stop());
}

// Says yes until it is told otherwise.
TEST_F(ServerDoorTest, AGuardEndsAStream) {
    bool allowed = true;
    int looks = 0;
    Server server(io.get_executor(), {}, [&](ServerRequest) -> asio::awaitable<ServerResponse> {
        ServerResponse response{200, {}, ""};
        response.stream = [&](BodyStream& out) -> asio::awaitable<void> {
            out.guard(
                [&]() -> asio::awaitable<std::optional<Steady::time_point>> {
                    ++looks;
                    if (!allowed) co_return std::nullopt;
                    co_return Steady::now() + 5ms;
                },
                Steady::now()
            );
            co_await tick(out);
            EXPECT_TRUE(out.ended_by_guard());
            const bool late = co_await out.write("too late\n");
            EXPECT_FALSE(late);
            co_await out.write_last("over\n");
        };
        co_return response;
    });
    server.listen();
    auto answer = start(exchange(server.port(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    run_until([&] { return looks >= 3; });
    EXPECT_EQ(streams_ended, 0);
    allowed = false;
    run_until([&] { return answer->done(); });
    EXPECT_TRUE(answer->value->ends_with("5\r\ntick\n\r\n5\r\nover\n\r\n0\r\n\r\n"))
        << *answer->value;
    run(server.stop());
}

}  // namespace
}  // namespace pawl::http
