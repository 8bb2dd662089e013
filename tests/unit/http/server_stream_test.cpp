#include "server_fixture.hpp"

namespace pawl::http {
namespace {

constexpr const char* get_stream = "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n";

class ServerStreamTest : public ServerTest {
protected:
    // A peer that asked for the stream and has seen its first piece.
    tcp::socket listener(std::uint16_t port, std::size_t nth = 1) {
        tcp::socket socket(io);
        socket.connect(tcp::endpoint(asio::ip::make_address("127.0.0.1"), port));
        asio::write(socket, asio::buffer(std::string_view(get_stream)));
        run_until([&] { return streams.size() == nth; });
        return socket;
    }
};

TEST_F(ServerStreamTest, WritesChunksUntilTheFunctionEnds) {
    auto server = serve();
    server.listen();
    auto answer = start(exchange(server.port(), get_stream));
    run_until([&] { return streams.size() == 1; });
    end_streams = true;
    streams.front()->wake();
    run_until([&] { return answer->done(); });
    EXPECT_TRUE(answer->value->starts_with("HTTP/1.1 200 OK")) << *answer->value;
    EXPECT_NE(answer->value->find("Transfer-Encoding: chunked"), std::string::npos);
    EXPECT_EQ(answer->value->find("Content-Length"), std::string::npos);
    EXPECT_TRUE(answer->value->ends_with("\r\n\r\n5\r\ntick\n\r\n0\r\n\r\n")) << *answer->value;
    run(server.stop());
}

TEST_F(ServerStreamTest, AnOldClientReadsUntilTheConnectionEnds) {
    auto server = serve();
    server.listen();
    auto answer = start(exchange(server.port(), "GET /stream HTTP/1.0\r\n\r\n"));
    run_until([&] { return streams.size() == 1; });
    end_streams = true;
    streams.front()->wake();
    run_until([&] { return answer->done(); });
    EXPECT_EQ(answer->value->find("Transfer-Encoding"), std::string::npos) << *answer->value;
    EXPECT_TRUE(answer->value->ends_with("\r\n\r\ntick\n")) << *answer->value;
    run(server.stop());
}

TEST_F(ServerStreamTest, HeadDoesNotStartIt) {
    auto server = serve();
    server.listen();
    const std::string answer =
        run(exchange(server.port(), "HEAD /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        );
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK")) << answer;
    EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
    EXPECT_EQ(streams_ended, 0);
    run(server.stop());
}

TEST_F(ServerStreamTest, NoticesAPeerThatGoesAwayWhileNothingIsWritten) {
    auto server = serve();
    server.listen();
    auto socket = listener(server.port());
    socket.close();
    run_until([&] { return streams_ended == 1 && server.connections() == 0; });
    run(server.stop());
}

TEST_F(ServerStreamTest, DropsAPeerThatDoesNotRead) {
    ServerOptions options;
    options.write_timeout = 50ms;
    tick_text = std::string(1 << 20, 'x');
    auto server = serve(options);
    server.listen();
    auto socket = listener(server.port());
    run_until([&] {
        for (auto* stream : streams) stream->wake();
        return streams_ended == 1 && server.connections() == 0;
    });
    run(server.stop());
}

TEST_F(ServerStreamTest, StopEndsStreamsAtOnce) {
    ServerOptions options;
    options.stop_timeout = 1h;
    auto server = serve(options);
    server.listen();
    auto first = listener(server.port());
    auto second = listener(server.port(), 2);
    EXPECT_EQ(server.connections(), 2U);
    run(server.stop());
    EXPECT_EQ(streams_ended, 2);
    EXPECT_EQ(server.connections(), 0U);
}

TEST_F(ServerStreamTest, StopEndsAStreamSoThatItsPeerSeesAWholeBody) {
    auto server = serve();
    server.listen();
    auto answer = start(exchange(server.port(), get_stream));
    run_until([&] { return streams.size() == 1; });
    run(server.stop());
    run_until([&] { return answer->done(); });
    EXPECT_TRUE(answer->value->ends_with("5\r\ntick\n\r\n0\r\n\r\n")) << *answer->value;
}

}  // namespace
}  // namespace pawl::http
