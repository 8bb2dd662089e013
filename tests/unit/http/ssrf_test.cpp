#include "unit/http/http_fixture.hpp"

#include <boost/asio/co_spawn.hpp>

// Everything that tries to reach a server on this machine by a call that users may configure.
namespace pawl::http {
namespace {

class SsrfTest : public HttpTest {
protected:
    int reached = 0;
    Headers seen;
    std::string location;  // where /go sends callers
    Server server{io.get_executor(), ServerOptions(), [this](ServerRequest request) {
                      return answer(std::move(request));
                  }};

    asio::awaitable<ServerResponse> answer(ServerRequest request) {
        ++reached;
        seen = request.headers;
        if (request.target.starts_with("/go")) {
            co_return ServerResponse{302, {{"Location", location}}, ""};
        }
        co_return ServerResponse{200, {}, "inside"};
    }

    void SetUp() override { server.listen(); }
    void TearDown() override { run(server.stop()); }

    Request call(const std::string& host, const std::string& path = "/") {
        Request request;
        request.url = fmt::format("http://{}:{}{}", host, server.port(), path);
        request.timeout = 5s;
        request.connect_timeout = 300ms;
        request.redirects_max = 5;
        return request;
    }

    static std::string kind(const Outcome& outcome) {
        return outcome ? fmt::format("{}", outcome->status)
                       : std::string(name(outcome.error().kind));
    }
};

TEST_F(SsrfTest, EveryFormOfAForbiddenAddress) {
    Client client(io.get_executor());
    for (const char* host :
         {"127.0.0.1",
          "localhost",
          "LOCALHOST.",
          "127.1",
          "2130706433",
          "017700000001",
          "0177.0.0.1",
          "0x7f000001",
          "0x7f.0.0.1",
          "0.0.0.0",
          "0",
          "[::1]",
          "[::]",
          "[::ffff:127.0.0.1]",
          "[::ffff:7f00:1]",
          "[0:0:0:0:0:ffff:127.0.0.1]",
          "[::127.0.0.1]",
          "[64:ff9b::127.0.0.1]",
          "[2002:7f00:1::]",
          "169.254.169.254",
          "[fd00:ec2::254]",
          "100.100.100.200",
          "user:pass@127.0.0.1",
          "%31%32%37.0.0.1"}) {
        const Outcome outcome = run(client.send(call(host)));
        // Some are refused before they get an address.
        EXPECT_FALSE(outcome) << host;
        if (!outcome) EXPECT_NE(kind(outcome), "interrupted_after_sent") << host;
    }
    EXPECT_EQ(reached, 0);
}

TEST_F(SsrfTest, TheErrorSaysWhatToSet) {
    Client client(io.get_executor());
    const Outcome outcome = run(client.send(call("127.0.0.1")));
    ASSERT_EQ(kind(outcome), "forbidden_address");
    EXPECT_NE(outcome.error().message.find("--allow-outbound 127.0.0.1"), std::string::npos)
        << outcome.error().message;
}

TEST_F(SsrfTest, TheErrorDoesNotSayWhereANameLeads) {
    ClientOptions options;
    options.resolve = [](const std::string&) -> std::vector<std::string> {
        return {"10.11.12.13"};
    };
    Client client(io.get_executor(), options);
    const Outcome outcome = run(client.send(call("crm.internal")));
    ASSERT_EQ(kind(outcome), "forbidden_address");
    EXPECT_EQ(outcome.error().message.find("10.11.12.13"), std::string::npos)
        << outcome.error().message;
    EXPECT_NE(outcome.error().message.find("--allow-outbound crm.internal"), std::string::npos)
        << outcome.error().message;
}

TEST_F(SsrfTest, ANameThatIsBoundToAnotherAddress) {
    int lookups = 0;
    ClientOptions options;
    // Public when it is checked, this machine when it is connected to.
    options.resolve = [&](const std::string&) -> std::vector<std::string> {
        return {++lookups % 2 == 1 ? "192.0.1.1" : "127.0.0.1"};
    };
    Client client(io.get_executor(), options);
    for (int round = 1; round <= 4; ++round) {
        const Outcome outcome = run(client.send(call("rebind.test")));
        EXPECT_EQ(lookups, round) << "resolved once for each call";
        EXPECT_FALSE(outcome);
        if (round % 2 == 0) EXPECT_EQ(kind(outcome), "forbidden_address");
    }
    EXPECT_EQ(reached, 0);
}

TEST_F(SsrfTest, ANameWithSeveralAddresses) {
    ClientOptions options;
    options.resolve = [](const std::string&) -> std::vector<std::string> {
        return {"127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1"};
    };
    Client client(io.get_executor(), options);
    EXPECT_EQ(kind(run(client.send(call("many.test")))), "forbidden_address");
    EXPECT_EQ(reached, 0);
}

TEST_F(SsrfTest, EveryRedirectIsCheckedAgain) {
    ClientOptions options;
    options.outbound.allow("start.test").value();
    options.resolve = [](const std::string&) -> std::vector<std::string> { return {"127.0.0.1"}; };
    Client client(io.get_executor(), options);
    for (const std::string& to :
         {std::string("http://169.254.169.254/latest/meta-data/"),
          std::string("http://metadata.test/"),
          fmt::format("http://127.0.0.1:{}/", server.port()),
          fmt::format("http://[::ffff:127.0.0.1]:{}/", server.port()),
          fmt::format("http://2130706433:{}/", server.port()),
          fmt::format("http://other.test:{}/", server.port())}) {
        location = to;
        reached = 0;
        EXPECT_EQ(kind(run(client.send(call("start.test", "/go")))), "forbidden_address") << to;
        EXPECT_EQ(reached, 1) << to;
    }
    location = "file:///etc/passwd";
    EXPECT_EQ(kind(run(client.send(call("start.test", "/go")))), "bad_redirect");
}

TEST_F(SsrfTest, AKeptConnectionOfAnotherTenantIsNoWayIn) {
    Client client(io.get_executor());
    Request trusted = call("127.0.0.1");
    trusted.trusted = true;
    EXPECT_EQ(kind(run(client.send(trusted))), "200");
    EXPECT_EQ(kind(run(client.send(call("127.0.0.1")))), "forbidden_address");
    EXPECT_EQ(reached, 1);
}

TEST_F(SsrfTest, FollowsUpToFive) {
    Client client(io.get_executor(), anywhere());
    location = "/go";
    Request request = call("127.0.0.1", "/go");
    EXPECT_EQ(kind(run(client.send(request))), "bad_redirect");
    EXPECT_EQ(reached, 6);
    location = "/there";
    EXPECT_EQ(kind(run(client.send(request))), "200");
    request.redirects_max = -1;
    EXPECT_EQ(kind(run(client.send(request))), "302");
}

TEST_F(SsrfTest, AnotherOriginDoesNotSeeCredentials) {
    Client client(io.get_executor(), anywhere());
    location = fmt::format("http://localhost:{}/there", server.port());
    Request request = call("127.0.0.1", "/go");
    request.headers = {{"Authorization", "Bearer x"}, {"X-Api-Key", "k"}, {"Accept", "a/b"}};
    EXPECT_EQ(kind(run(client.send(request))), "200");
    EXPECT_EQ(find_header(seen, "authorization"), nullptr);
    EXPECT_EQ(find_header(seen, "x-api-key"), nullptr);
    ASSERT_NE(find_header(seen, "accept"), nullptr);
    EXPECT_EQ(*find_header(seen, "accept"), "a/b");
}

}  // namespace
}  // namespace pawl::http
