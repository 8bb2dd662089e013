#include "http_fixture.hpp"
#include "raw_peer.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <set>

namespace pawl::http {
namespace {

class ClientTest : public HttpTest {
protected:
    static Request get(std::string to) {
        Request request;
        request.url = std::move(to);
        request.timeout = 10s;
        return request;
    }
    static Request post(std::string to, std::string body) {
        Request request = get(std::move(to));
        request.method = "POST";
        request.body = std::move(body);
        return request;
    }
    static std::string_view kind(const Outcome& outcome) {
        return outcome ? "response" : name(outcome.error().kind);
    }

    Server echo(std::size_t connections_max = 1024) {
        ServerOptions options;
        options.connections_max = connections_max;
        return Server(io.get_executor(), options, [this](ServerRequest request) {
            return echoed(std::move(request));
        });
    }

    asio::awaitable<ServerResponse> echoed(ServerRequest request) {
        last = std::move(request);
        co_return ServerResponse{201, {{"X-Echo", last.method}}, last.body};
    }

    ServerRequest last;
};

TEST_F(ClientTest, SendsAndReceives) {
    auto server = echo();
    server.listen();
    Client client(io.get_executor(), anywhere());
    Request request = post(url(server.port(), "/a?b=c"), "{\"x\":1}");
    request.headers = {{"X-One", "1"}, {"X-Empty", ""}};
    const Outcome outcome = run(client.send(request));
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->status, 201);
    EXPECT_EQ(outcome->body, "{\"x\":1}");
    ASSERT_NE(find_header(outcome->headers, "x-echo"), nullptr);
    EXPECT_EQ(*find_header(outcome->headers, "x-echo"), "POST");
    EXPECT_EQ(last.target, "/a?b=c");
    EXPECT_EQ(*find_header(last.headers, "x-one"), "1");
    EXPECT_EQ(*find_header(last.headers, "x-empty"), "");
    EXPECT_EQ(find_header(last.headers, "content-type"), nullptr);
    EXPECT_EQ(find_header(last.headers, "expect"), nullptr);
    run(server.stop());
}

TEST_F(ClientTest, EveryMethod) {
    auto server = echo();
    server.listen();
    Client client(io.get_executor(), anywhere());
    for (const char* method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
        Request request = get(url(server.port()));
        request.method = method;
        const Outcome outcome = run(client.send(request));
        ASSERT_TRUE(outcome) << method << ": " << outcome.error().message;
        EXPECT_EQ(last.method, method);
        EXPECT_EQ(outcome->status, 201);
    }
    run(server.stop());
}

TEST_F(ClientTest, AThousandRequestsShareAConnection) {
    // A second connection would be turned away.
    auto server = echo(1);
    server.listen();
    Client client(io.get_executor(), anywhere());
    for (int i = 0; i < 1000; ++i) {
        const Outcome outcome = run(client.send(post(url(server.port()), std::to_string(i))));
        ASSERT_TRUE(outcome) << outcome.error().message;
        ASSERT_EQ(outcome->status, 201);
        ASSERT_EQ(outcome->body, std::to_string(i));
    }
    EXPECT_EQ(server.connections(), 1U);
    run(server.stop());
}

TEST_F(ClientTest, MoreThanTheCapWaitInLine) {
    auto server = echo();
    server.listen();
    ClientOptions options = anywhere();
    options.concurrent_max = 4;
    Client client(io.get_executor(), options);
    std::vector<std::shared_ptr<Started<Outcome>>> all;
    for (int i = 0; i < 1000; ++i) {
        all.push_back(start(client.send(post(url(server.port()), std::to_string(i)))));
    }
    std::size_t active_max = 0;
    std::size_t queued_max = 0;
    run_until([&] {
        active_max = std::max(active_max, client.active());
        queued_max = std::max(queued_max, client.queued());
        return all.back()->done() && client.active() == 0;
    });
    EXPECT_EQ(active_max, 4U);
    EXPECT_GT(queued_max, 900U);
    EXPECT_LE(server.connections(), 4U);
    run_until([&] {
        return std::all_of(all.begin(), all.end(), [](const auto& one) { return one->done(); });
    });
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(*all[static_cast<std::size_t>(i)]->value);
        ASSERT_EQ((*all[static_cast<std::size_t>(i)]->value)->body, std::to_string(i));
    }
    run(server.stop());
}

TEST_F(ClientTest, RefusedBeforeSent) {
    std::uint16_t closed = 0;
    {
        RawPeer peer(io);
        closed = peer.port();
    }
    Client client(io.get_executor(), anywhere());
    EXPECT_EQ(kind(run(client.send(post(url(closed), "x")))), "refused_before_sent");
    EXPECT_EQ(kind(run(client.send(get("http://no-such-host.invalid/")))), "refused_before_sent");
}

TEST_F(ClientTest, InterruptedAfterSent) {
    RawPeer peer(io);
    Client client(io.get_executor(), anywhere());
    for (const char* answer :
         {"", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"}) {
        auto serving = start(peer.answer_and_close(answer));
        EXPECT_EQ(kind(run(client.send(post(url(peer.port()), "x")))), "interrupted_after_sent")
            << answer;
    }
}

TEST_F(ClientTest, APostIsNotSilentlySentAgain) {
    RawPeer peer(io);
    Client client(io.get_executor(), anywhere());
    auto serving = start(peer.close_on_second("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    EXPECT_TRUE(run(client.send(get(url(peer.port())))));
    auto again = start(peer.answer_and_close("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    EXPECT_EQ(kind(run(client.send(post(url(peer.port()), "x")))), "interrupted_after_sent");
    EXPECT_EQ(peer.requests, 2);
}

TEST_F(ClientTest, AGetIsSentAgainOnAFreshConnection) {
    RawPeer peer(io);
    Client client(io.get_executor(), anywhere());
    auto serving = start(peer.close_on_second("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    EXPECT_TRUE(run(client.send(get(url(peer.port())))));
    auto again = start(peer.answer_and_close("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    EXPECT_EQ(kind(run(client.send(get(url(peer.port()))))), "response");
    EXPECT_EQ(peer.requests, 3);
}

TEST_F(ClientTest, TimeoutAfterSent) {
    RawPeer peer(io);
    Client client(io.get_executor(), anywhere());
    auto serving = start(peer.keep_silent());
    Request request = post(url(peer.port()), "x");
    request.timeout = 250ms;
    EXPECT_EQ(kind(run(client.send(request))), "timeout_after_sent");
    EXPECT_EQ(client.active(), 0U);
}

TEST_F(ClientTest, ATimeoutInLineSaysNothingAboutThePeer) {
    RawPeer peer(io);
    ClientOptions options = anywhere();
    options.concurrent_max = 1;
    Client client(io.get_executor(), options);
    auto serving = start(peer.keep_silent());
    auto first = start(client.send(post(url(peer.port()), "x")));
    run_until([&] { return peer.requests == 1; });
    Request second = post(url(peer.port()), "x");
    second.timeout = 20ms;
    EXPECT_EQ(kind(run(client.send(second))), "timeout_in_line");
    EXPECT_EQ(client.queued(), 0U);
    EXPECT_EQ(client.active(), 1U);
}

TEST_F(ClientTest, ATenantWithSlowPeersLeavesPlacesForOthers) {
    RawPeer slow(io);
    auto server = echo();
    server.listen();
    ClientOptions options = anywhere();
    options.concurrent_max = 4;
    Client client(io.get_executor(), options);
    auto silence = start(slow.keep_silent());
    std::vector<std::shared_ptr<Started<Outcome>>> hostile;
    for (int i = 0; i < 100; ++i) {
        Request request = post(url(slow.port()), "x");
        request.tenant = 2;
        hostile.push_back(start(client.send(request)));
    }
    run_until([&] { return client.queued() == 97; });
    Request request = post(url(server.port()), "x");
    request.tenant = 3;
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(run(client.send(request)));
    EXPECT_EQ(client.queued(), 97U);
    run(server.stop());
}

TEST_F(ClientTest, TooLarge) {
    RawPeer peer(io);
    Client client(io.get_executor(), anywhere());
    Request request = get(url(peer.port()));
    request.response_bytes_max = 1000;
    auto exact = start(peer.answer_and_close("HTTP/1.1 200 OK\r\n\r\n" + std::string(1000, 'x')));
    EXPECT_EQ(kind(run(client.send(request))), "response");
    auto more = start(peer.answer_and_close("HTTP/1.1 200 OK\r\n\r\n" + std::string(1001, 'x')));
    EXPECT_EQ(kind(run(client.send(request))), "too_large");
    auto headers = start(
        peer.answer_and_close("HTTP/1.1 200 OK\r\nX: " + std::string(70'000, 'x') + "\r\n\r\n")
    );
    EXPECT_EQ(kind(run(client.send(request))), "too_large");
}

TEST_F(ClientTest, TheCapCountsDecompressedBytes) {
    // gzip of 100,000 zeros, made with python: gzip.compress(b"0" * 100000, mtime=0)
    static constexpr unsigned char packed[] = {
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1, 0x31, 0x01, 0x00,
        0x00, 0x00, 0xc2, 0xa0, 0x4a, 0xeb, 0x9f, 0xce, 0x1a, 0x1e, 0x40, 0x01, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0xaf, 0x06, 0x85, 0xc2, 0x4d, 0xc5, 0xa0, 0x86, 0x01, 0x00};
    const std::string body(reinterpret_cast<const char*>(packed), sizeof packed);
    const std::string answer = fmt::format(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n{}",
        body.size(),
        body
    );
    RawPeer peer(io);
    Client client(io.get_executor(), anywhere());
    Request request = get(url(peer.port()));
    request.response_bytes_max = 100'000;
    auto whole = start(peer.answer_and_close(answer));
    const Outcome outcome = run(client.send(request));
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->body, std::string(100'000, '0'));
    request.response_bytes_max = 99'999;
    auto cut = start(peer.answer_and_close(answer));
    EXPECT_EQ(kind(run(client.send(request))), "too_large");
}

TEST_F(ClientTest, WhatIsTooMuchCanBeLeftOut) {
    auto server = echo();
    server.listen();
    Client client(io.get_executor(), anywhere());
    Request request = post(url(server.port()), std::string(100'000, 'x'));
    request.response_bytes_max = 1000;
    request.cut_response = true;
    const Outcome outcome = run(client.send(request));
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->status, 201);
    EXPECT_EQ(outcome->body, std::string(1000, 'x'));
    run(server.stop());
}

TEST_F(ClientTest, RedirectsAreNotFollowed) {
    RawPeer peer(io);
    Client client(io.get_executor(), anywhere());
    auto serving = start(peer.answer_and_close(
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    ));
    const Outcome outcome = run(client.send(get(url(peer.port()))));
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->status, 302);
}

TEST_F(ClientTest, BadUrlsAndHeadersAreNotSent) {
    Client client(io.get_executor(), anywhere());
    for (const char* to :
         {"",
          "nonsense",
          "127.0.0.1:80/",
          "ftp://127.0.0.1/",
          "file:///etc/passwd",
          "http://",
          "http://a b/",
          "http://127.0.0.1:99999/",
          "http://x/\r\nHost: y",
          "gopher://x/"}) {
        EXPECT_EQ(kind(run(client.send(get(to)))), "bad_url") << to;
    }
    const std::vector<Header> headers = {
        {"X", "a\r\nY: b"},
        {"X", "a\nY: b"},
        {"X\r\nY", "a"},
        {"X: y", "a"},
        {"", "a"},
        {"X", std::string("a\0b", 3)},
        {"Content-Length", "3"},
        {"transfer-encoding", "chunked"},
        {"Expect", "100-continue"},
    };
    for (const Header& header : headers) {
        Request request = get("http://127.0.0.1:1/");
        request.headers = {header};
        EXPECT_EQ(kind(run(client.send(request))), "bad_request") << header.name;
    }
    Request request = get("http://127.0.0.1:1/");
    request.method = "GET / HTTP/1.1\r\nX:";
    EXPECT_EQ(kind(run(client.send(request))), "bad_request");
}

TEST_F(ClientTest, PrivateAddressesCanBeForbidden) {
    auto server = echo();
    server.listen();
    ClientOptions options;
    Client client(io.get_executor(), options);
    for (const char* host :
         {"127.0.0.1",
          "localhost",
          "[::1]",
          "[::ffff:127.0.0.1]",
          "0.0.0.0",
          "2130706433",
          "0x7f.1"}) {
        const Outcome outcome =
            run(client.send(get(fmt::format("http://{}:{}/", host, server.port()))));
        EXPECT_EQ(kind(outcome), "forbidden_address") << host;
    }
    EXPECT_EQ(last.method, "");
    run(server.stop());
}

TEST_F(ClientTest, ProxiesFromTheEnvironmentAreIgnored) {
    auto server = echo();
    server.listen();
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    Client client(io.get_executor(), anywhere());
    const Outcome outcome = run(client.send(get(url(server.port()))));
    unsetenv("http_proxy");
    EXPECT_EQ(kind(outcome), "response");
    run(server.stop());
}

TEST_F(ClientTest, CancelTakesTheRequestOff) {
    RawPeer peer(io);
    Client client(io.get_executor(), anywhere());
    asio::cancellation_signal signal;
    bool ended = false;
    auto serving = start(peer.keep_silent());
    asio::co_spawn(
        io,
        client.send(post(url(peer.port()), "x")),
        asio::bind_cancellation_slot(
            signal.slot(), [&](std::exception_ptr failed, Outcome) { ended = failed != nullptr; }
        )
    );
    run_until([&] { return peer.requests == 1; });
    EXPECT_EQ(client.active(), 1U);
    signal.emit(asio::cancellation_type::terminal);
    run_until([&] { return ended; });
    EXPECT_EQ(client.active(), 0U);
}

TEST_F(ClientTest, ClosingTheClientEndsWhatIsUnderWay) {
    RawPeer peer(io);
    ClientOptions options = anywhere();
    options.concurrent_max = 1;
    auto client = std::make_unique<Client>(io.get_executor(), options);
    auto serving = start(peer.keep_silent());
    auto first = start(client->send(post(url(peer.port()), "x")));
    auto second = start(client->send(post(url(peer.port()), "x")));
    run_until([&] { return peer.requests == 1 && client->queued() == 1; });
    client.reset();
    run_until([&] { return first->done() && second->done(); });
    EXPECT_EQ(kind(*first->value), "interrupted_after_sent");
    EXPECT_EQ(kind(*second->value), "refused_before_sent");
}

TEST_F(ClientTest, FramesMayOutliveTheClient) {
    // The coroutine is destroyed with the io_context, long after the client.
    RawPeer peer(io);
    auto serving = start(peer.keep_silent());
    Client client(io.get_executor(), anywhere());
    auto hanging = start(client.send(post(url(peer.port()), "x")));
    run_until([&] { return peer.requests == 1; });
    EXPECT_EQ(client.active(), 1U);
}

}  // namespace
}  // namespace pawl::http
