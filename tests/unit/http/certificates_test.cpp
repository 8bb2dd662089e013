#include "http_fixture.hpp"

#include <curl/curl.h>
#include <unistd.h>

#include <ctime>

namespace pawl::http {
namespace {

class Certificates : public HttpTest {};

// To read them takes tens of milliseconds of the thread, in which it does nothing else.
TEST_F(Certificates, AreReadOnceAndNotForEachConnection) {
    const curl_version_info_data* curl = curl_version_info(CURLVERSION_NOW);
    if (curl->cainfo == nullptr || access(curl->cainfo, R_OK) != 0) {
        GTEST_SKIP() << "the system has no file of certificates";
    }
    Server server(
        io.get_executor(),
        ServerOptions{},
        [](ServerRequest) -> asio::awaitable<ServerResponse> {
            co_return ServerResponse{200, {}, ""};
        }
    );
    server.listen();
    Client client(io.get_executor(), anywhere());
    // A peer that does not speak TLS ends each connection.
    const auto cost_of = [&](int many) {
        const std::clock_t before = std::clock();
        for (int i = 0; i < many; ++i) {
            Request request;
            request.url = fmt::format("https://127.0.0.1:{}/", server.port());
            const Outcome outcome = run(client.send(request));
            EXPECT_EQ(outcome ? "answered" : name(outcome.error().kind), "refused_before_sent");
        }
        return std::clock() - before;
    };
    const auto first = cost_of(1);
    EXPECT_LT(cost_of(20), 10 * first);
}

}  // namespace
}  // namespace pawl::http
