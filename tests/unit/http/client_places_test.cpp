#include "http_fixture.hpp"
#include "raw_peer.hpp"

// The places of requests that are under way at once.
namespace pawl::http {
namespace {

class ClientPlaces : public HttpTest {
protected:
    static Request post(std::string to) {
        Request request;
        request.method = "POST";
        request.url = std::move(to);
        return request;
    }
    static std::string_view kind(const Outcome& outcome) {
        return outcome ? "response" : name(outcome.error().kind);
    }
    Server accepting() {
        return Server(io.get_executor(), {}, [](ServerRequest) { return accepted(); });
    }
    static asio::awaitable<ServerResponse> accepted() { co_return ServerResponse{201, {}, {}}; }
};

Request mail(std::uint16_t port, std::int32_t tenant) {
    Request request;
    request.url = "smtp://127.0.0.1:" + std::to_string(port);
    request.tenant = tenant;
    Mail& letter = request.mail.emplace();
    letter.from = "shop@example.com";
    letter.to = {"ann@example.com"};
    letter.needs_tls = false;
    letter.forms = {{"text/plain; charset=utf-8", "Hi"}};
    return request;
}

TEST_F(ClientPlaces, ATenantWithASlowMailServerLeavesPlacesForOthers) {
    RawPeer slow(io);  // takes connections, and does not greet
    Client client(io.get_executor(), anywhere());
    std::vector<std::shared_ptr<Started<Outcome>>> hostile;
    for (int i = 0; i < 50; ++i) hostile.push_back(start(client.send(mail(slow.port(), 2))));
    Request another = mail(slow.port(), 2);
    another.timeout = 20ms;
    EXPECT_EQ(kind(run(client.send(another))), "timeout_in_line") << "no fault of the server";
    EXPECT_FALSE(run(client.enter(another)));
    Request request = mail(slow.port(), 3);
    request.timeout = 20ms;
    EXPECT_TRUE(run(client.enter(request))) << "another tenant's";
    request.timeout = 250ms;
    EXPECT_EQ(kind(run(client.send(request))), "timeout_before_sent");
}

TEST_F(ClientPlaces, APlaceThatWasTakenBeforeIsUsed) {
    auto server = accepting();
    server.listen();
    ClientOptions options = anywhere();
    options.concurrent_max = 1;
    Client client(io.get_executor(), options);
    Request request = post(url(server.port()));
    request.timeout = 20ms;
    request.place = run(client.enter(request));
    ASSERT_TRUE(request.place);
    EXPECT_FALSE(run(client.enter(request))) << "it is the only one";
    auto waiting = start(client.send(post(url(server.port()))));
    run_until([&] { return client.queued() == 1; });
    request.timeout = 30s;
    EXPECT_TRUE(run(client.send(std::move(request))));
    run_until([&] { return waiting->done(); });
    EXPECT_TRUE(*waiting->value) << "it is free again";
    run(server.stop());
}

}  // namespace
}  // namespace pawl::http
