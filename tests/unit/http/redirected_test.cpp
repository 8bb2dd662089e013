#include "http_fixture.hpp"

namespace pawl::http {
namespace {

class RedirectedTest : public HttpTest {
protected:
    static asio::awaitable<ServerResponse> redirecting(
        ServerRequest request, std::string location, int status
    ) {
        if (request.target == "/busy") co_return ServerResponse{503, {}, ""};
        co_return ServerResponse{status, {{"Location", location}}, ""};
    }

    static Request redirected(std::string to) {
        Request request;
        request.method = "POST";
        request.url = std::move(to);
        request.body = "{}";
        request.timeout = 10s;
        request.redirects_max = 5;
        return request;
    }
};

// The peer has taken the POST; what happens to the GET behind it is no reason to send it again.
TEST_F(RedirectedTest, APostThatWasTakenMayNotBeSentAgainWhateverIsBehindTheRedirect) {
    std::string location;
    int status = 303;
    Server server(io.get_executor(), {}, [&](ServerRequest request) {
        return redirecting(std::move(request), location, status);
    });
    server.listen();
    Client client(io.get_executor(), anywhere());
    for (const auto& [to, elsewhere] :
         {std::pair<std::string, bool>{"http://127.0.0.1:1/", true}, {"/busy", false}}) {
        location = to;
        Request request = redirected(url(server.port()));
        Outcome outcome = run(client.send(request));
        ASSERT_FALSE(outcome) << to;
        EXPECT_EQ(outcome.error().kind, FaultKind::interrupted_after_sent) << to;
        EXPECT_EQ(outcome.error().elsewhere, elsewhere) << to;
        request.method = "GET";
        outcome = run(client.send(request));
        EXPECT_EQ(outcome.has_value(), !elsewhere) << to;
        if (!outcome) EXPECT_EQ(outcome.error().kind, FaultKind::refused_before_sent);
    }
    run(server.stop());
}

}  // namespace
}  // namespace pawl::http
