#include "server_fixture.hpp"

#include <boost/json/parse.hpp>

namespace pawl::http {
namespace {

namespace json = boost::json;

class ServerProtocolTest : public ServerTest {
protected:
    static std::string close_after(std::string_view line_and_headers, std::string_view body = "") {
        return fmt::format("{}\r\nConnection: close\r\n\r\n{}", line_and_headers, body);
    }
};

TEST_F(ServerProtocolTest, RefusesWithAProblem) {
    ServerOptions options;
    options.header_bytes_max = 1024;
    options.body_bytes_max = 100;
    options.header_timeout = options.body_timeout = options.idle_timeout = 1s;
    auto server = serve(options);
    server.listen();
    const std::string get = "GET / HTTP/1.1\r\nHost: x\r\n";
    const std::string post = "POST / HTTP/1.1\r\nHost: x\r\n";
    const std::string many_headers = [&] {
        std::string text = get;
        for (int i = 0; i < 200; ++i) text += fmt::format("X-{}: y\r\n", i);
        return text + "\r\n";
    }();
    const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
    const std::vector<std::pair<std::string, int>> table = {
        {get + "X: " + std::string(5000, 'x') + "\r\n\r\n", 431},
        {"GET /" + std::string(5000, 'x') + " HTTP/1.1\r\nHost: x\r\n\r\n", 431},
        {many_headers, 431},
        {chunked + "1;" + std::string(5000, 'x'), 431},
        {chunked + "0\r\nX: " + std::string(5000, 'x'), 431},
        {post + "Content-Length: 101\r\n\r\n" + std::string(101, 'x'), 413},
        {chunked + "1000\r\n" + std::string(0x1000, 'x') + "\r\n0\r\n\r\n", 413},
        {chunked + "33\r\n" + std::string(0x33, 'x') + "\r\n33\r\n" + std::string(0x33, 'x'), 413},
        {chunked + "xyz\r\n", 400},
        {chunked + "-1\r\n", 400},
        {chunked + "2\r\nabcdef\r\n", 400},
        {"complete garbage\r\n\r\n", 400},
        {"GET / HTTP/2.0\r\nHost: x\r\n\r\n", 400},
        {get + "no colon\r\n\r\n", 400},
        {get + "X : space before the colon\r\n\r\n", 400},
        {std::string("\x16\x03\x01\x02\x00\x01\r\n\r\n", 10), 400},
    };
    for (const auto& [text, status] : table) {
        const std::string answer = run(exchange(server.port(), text));
        EXPECT_TRUE(answer.starts_with(fmt::format("HTTP/1.1 {} ", status)))
            << text.substr(0, 60) << "\n"
            << answer;
        EXPECT_NE(answer.find("Connection: close"), std::string::npos);
        EXPECT_NE(answer.find("Content-Type: application/problem+json"), std::string::npos);
        const auto body = json::parse(answer.substr(answer.find("\r\n\r\n") + 4)).as_object();
        EXPECT_EQ(body.at("status").as_int64(), status);
        const std::string code = body.at("code").as_string().c_str();
        EXPECT_EQ(body.at("type").as_string(), "urn:pawl:problem:" + code);
        EXPECT_FALSE(body.at("title").as_string().empty());
        EXPECT_FALSE(body.at("detail").as_string().empty());
        if (status == 413)
            EXPECT_EQ(body.at("detail").as_string(), "the request body has more than 100 bytes");
    }
    EXPECT_EQ(handled, 0);
    run(server.stop());
}

// Where two proxies could disagree about where a request ends, or which host it is for.
TEST_F(ServerProtocolTest, RefusesWhatCouldSmuggle) {
    ServerOptions options;
    options.header_timeout = options.body_timeout = options.idle_timeout = 1s;
    auto server = serve(options);
    server.listen();
    const std::string post = "POST / HTTP/1.1\r\nHost: x\r\n";
    const std::string hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n";
    const std::vector<std::string> table = {
        post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
        post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        post + "Content-Length: 3, 3\r\n\r\nabc",
        post + "Content-Length: +3\r\n\r\nabc",
        post + "Content-Length: 0x3\r\n\r\nabc",
        post + "Content-Length: -3\r\n\r\nabc",
        post + "Content-Length: 99999999999999999999999\r\n\r\nabc",
        post + "Content-Length:\r\n\r\nabc",
        post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
        post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + hidden,
        post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        post + "Transfer-Encoding: identity\r\n\r\n" + hidden,
        post + "Transfer-Encoding: chunked, identity\r\n\r\n" + hidden,
        post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + hidden,
        post + "Transfer-Encoding: xchunked\r\n\r\n" + hidden,
        post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + hidden,
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        "GET / HTTP/1.1\nHost: x\n\n",
        std::string("GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n", 31),
        "GET /a\x01"
        "b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /a\x7f HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /a\tb HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /\xc3\xa4 HTTP/1.1\r\nHost: x\r\n\r\n",
        std::string("GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n", 36),
        "GET a HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET * HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http:///path HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n",
    };
    for (const std::string& text : table) {
        const std::string answer = run(exchange(server.port(), text));
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 ")) << text << "\n" << answer;
        EXPECT_EQ(count(answer, "Content-Length: "), 1U) << text << "\n" << answer;
    }
    EXPECT_EQ(handled, 0);
    run(server.stop());
}

TEST_F(ServerProtocolTest, CallTargets) {
    auto server = serve();
    server.listen();
    const std::vector<std::pair<std::string, std::string>> table = {
        {"GET /a%20b?c=%00 HTTP/1.1\r\nHost: x", "/a%20b?c=%00"},
        {"GET http://other:81/a?b HTTP/1.1\r\nHost: x", "/a?b"},
        {"GET HTTPS://other HTTP/1.1\r\nHost: x", "/"},
        {"GET http://other?b HTTP/1.1\r\nHost: x", "/?b"},
        {"OPTIONS * HTTP/1.1\r\nHost: x", "*"},
    };
    for (const auto& [text, target] : table) {
        const std::string answer = run(exchange(server.port(), close_after(text)));
        EXPECT_TRUE(answer.ends_with("\r\n\r\n" + target + " ")) << text << "\n" << answer;
        const std::string* host = find_header(last.headers, "host");
        ASSERT_NE(host, nullptr);
        EXPECT_TRUE(text.find("other") == std::string::npos || host->starts_with("other")) << *host;
    }
    run(server.stop());
}

TEST_F(ServerProtocolTest, AnswersPipelinedRequestsInOrder) {
    auto server = serve();
    server.listen();
    std::string text;
    for (int i = 0; i < 200; ++i) text += fmt::format("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", i);
    text += close_after("POST /last HTTP/1.1\r\nHost: x\r\nContent-Length: 2", "hi");
    const std::string answer = run(exchange(server.port(), text + "GET /never HTTP/1.1\r\n\r\n"));
    std::size_t at = 0;
    for (int i = 0; i < 200; ++i) {
        at = answer.find(fmt::format("\r\n\r\n/{} HTTP/1.1 200", i), at);
        ASSERT_NE(at, std::string::npos) << i << "\n" << answer;
    }
    EXPECT_TRUE(answer.ends_with("\r\n\r\n/last hi")) << answer;
    EXPECT_EQ(handled, 201);
    run(server.stop());
}

TEST_F(ServerProtocolTest, ChunkedBodiesAndTheirTrailers) {
    auto server = serve();
    server.listen();
    const std::string head =
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n";
    const std::string answer = run(exchange(
        server.port(), head + "3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nAuthorization: evil\r\n\r\n"
    ));
    EXPECT_TRUE(answer.ends_with("\r\n\r\n/ abc0123456789")) << answer;
    EXPECT_EQ(find_header(last.headers, "authorization"), nullptr);
    run(server.stop());
}

TEST_F(ServerProtocolTest, ARequestMayArriveByteByByte) {
    auto server = serve();
    server.listen();
    const std::string body(3000, 'b');
    const std::string head =
        "POST /slow HTTP/1.1\r\nHost: x\r\nX: " + std::string(1500, 'x') + "\r\n";
    tcp::socket socket(io);
    socket.connect(tcp::endpoint(asio::ip::make_address("127.0.0.1"), server.port()));
    socket.set_option(tcp::no_delay(true));
    const std::string text = head + "Content-Length: 3000\r\nConnection: close\r\n\r\n" + body;
    for (const char& byte : text) {
        asio::write(socket, asio::buffer(&byte, 1));
        io.poll();
    }
    run_until([&] { return handled == 1; });
    EXPECT_EQ(last.body, body);
    EXPECT_EQ(find_header(last.headers, "x")->size(), 1500U);
    run(server.stop());
}

TEST_F(ServerProtocolTest, ContinuesOnlyWhenTheClientWaits) {
    auto server = serve();
    server.listen();
    const std::string head =
        "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n"
        "Connection: close\r\n\r\n";
    const std::string at_once = run(exchange(server.port(), head + "hi"));
    EXPECT_TRUE(at_once.starts_with("HTTP/1.1 200 OK")) << at_once;
    tcp::socket socket(io);
    socket.connect(tcp::endpoint(asio::ip::make_address("127.0.0.1"), server.port()));
    asio::write(socket, asio::buffer(head));
    run_until([&] { return socket.available() >= 25; });
    std::string go_on(25, ' ');
    asio::read(socket, asio::buffer(go_on));
    EXPECT_EQ(go_on, "HTTP/1.1 100 Continue\r\n\r\n");
    asio::write(socket, asio::buffer(std::string_view("hi")));
    run_until([&] { return handled == 2; });
    EXPECT_EQ(last.body, "hi");
    run(server.stop());
}

}  // namespace
}  // namespace pawl::http
