#include "http_fixture.hpp"
#include "raw_peer.hpp"

namespace pawl::http {
namespace {

class ClientAnswer : public HttpTest {};

// As of another program that listens there, or of a balancer that is broken.
TEST_F(ClientAnswer, ThatIsNotHttpIsNone) {
    for (const char* answer :
         {"SSH-2.0-OpenSSH_9.2\r\n\r\n", "NOT HTTP AT ALL\r\n\r\n", "HTTP/7.3 200 OK\r\n\r\n"}) {
        RawPeer peer(io);
        Client client(io.get_executor(), anywhere());
        auto serving = start(peer.answer_and_close(answer));
        Request request;
        request.method = "POST";
        request.url = url(peer.port());
        request.body = "x";
        const Outcome outcome = run(client.send(request));
        ASSERT_FALSE(outcome) << answer;
        EXPECT_EQ(name(outcome.error().kind), "interrupted_after_sent") << answer;
    }
}

}  // namespace
}  // namespace pawl::http
