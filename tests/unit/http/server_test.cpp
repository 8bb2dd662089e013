#include "base/error.hpp"
#include "server_fixture.hpp"

#include <algorithm>

namespace pawl::http {
namespace {

TEST_F(ServerTest, AnswersAndKeepsTheConnection) {
    auto server = serve();
    server.listen();
    const std::string answer = run(exchange(
        server.port(),
        "GET /a?b=1 HTTP/1.1\r\nHost: x\r\n\r\n"
        "POST /c HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody"
    ));
    EXPECT_EQ(count(answer, "HTTP/1.1 200 OK"), 2U) << answer;
    EXPECT_NE(answer.find("/a?b=1 "), std::string::npos);
    EXPECT_NE(answer.find("X-Method: POST"), std::string::npos);
    EXPECT_TRUE(answer.ends_with("/c body")) << answer;
    run(server.stop());
    EXPECT_EQ(server.connections(), 0U);
}

TEST_F(ServerTest, AHandlerMayTakeItsTime) {
    auto server = serve();
    server.listen();
    auto slow =
        start(exchange(server.port(), "GET /wait HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        );
    run_until([&] { return handled == 1; });
    const std::string quick =
        run(exchange(server.port(), "GET /quick HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
    EXPECT_NE(quick.find("X-Peer: 127.0.0.1\r\n"), std::string::npos) << quick;
    EXPECT_FALSE(slow->done());
    gate.open();
    run_until([&] { return slow->done(); });
    EXPECT_TRUE(slow->value->starts_with("HTTP/1.1 200 OK")) << *slow->value;
    run(server.stop());
}

TEST_F(ServerTest, StopLetsAHandlerFinish) {
    auto server = serve();
    server.listen();
    auto slow = start(exchange(server.port(), "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"));
    run_until([&] { return handled == 1; });
    auto stopped = start(valued(server.stop()));
    gate.open();
    run_until([&] { return slow->done() && stopped->done(); });
    EXPECT_TRUE(slow->value->starts_with("HTTP/1.1 200 OK")) << *slow->value;
    EXPECT_NE(slow->value->find("Connection: close"), std::string::npos);
}

TEST_F(ServerTest, HeadHasNoBody) {
    auto server = serve();
    server.listen();
    const std::string answer =
        run(exchange(server.port(), "HEAD /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
    EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
    EXPECT_NE(answer.find("Content-Length: 3"), std::string::npos);
    run(server.stop());
}

TEST_F(ServerTest, SlowRequestsEndAtTheDeadline) {
    ServerOptions options;
    options.header_timeout = 30ms;
    options.body_timeout = 30ms;
    auto server = serve(options);
    server.listen();
    for (const char* text :
         {"GET / HTT",
          "GET / HTTP/1.1\r\nHost: x\r\n",
          "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab"}) {
        const std::string answer = run(exchange(server.port(), text));
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 408 ")) << text << "\n" << answer;
    }
    EXPECT_EQ(run(exchange(server.port(), "")), "") << "nothing was asked, nothing is answered";
    run(server.stop());
}

TEST_F(ServerTest, IdleConnectionsAreClosed) {
    ServerOptions options;
    options.idle_timeout = 20ms;
    auto server = serve(options);
    server.listen();
    const std::string answer = run(exchange(server.port(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK")) << answer;
    EXPECT_NE(answer.find("Connection: keep-alive"), std::string::npos);
    run(server.stop());
}

TEST_F(ServerTest, AFailingHandlerIsA500) {
    auto server = serve();
    server.listen();
    for (const char* path : {"/throw", "/split"}) {
        const std::string answer = run(exchange(
            server.port(),
            fmt::format("GET {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path)
        ));
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 500 ")) << answer;
        EXPECT_EQ(answer.find("boom"), std::string::npos) << "the reason stays in the log";
    }
    run(server.stop());
}

TEST_F(ServerTest, AHandlerThatTakesTooLongIsCancelled) {
    ServerOptions options;
    options.handler_timeout = 30ms;
    auto server = serve(options);
    server.listen();
    const std::string answer =
        run(exchange(server.port(), "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 504 ")) << answer;
    EXPECT_NE(answer.find("Connection: close"), std::string::npos);
    EXPECT_NE(answer.find(R"("code":"timeout")"), std::string::npos);
    run_until([&] { return server.connections() == 0; });
    run(server.stop());
}

TEST_F(ServerTest, StopCancelsAHandlerThatNeverEnds) {
    ServerOptions options;
    options.stop_timeout = 20ms;
    auto server = serve(options);
    server.listen();
    auto slow = start(exchange(server.port(), "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"));
    run_until([&] { return handled == 1; });
    run(server.stop());
    EXPECT_EQ(server.connections(), 0U);
    run_until([&] { return slow->done(); });
}

TEST_F(ServerTest, StopEndsConnectionsThatNeverFinish) {
    ServerOptions options;
    options.stop_timeout = 20ms;
    auto server = serve(options);
    server.listen();
    auto hanging =
        start(exchange(server.port(), "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"));
    run_until([&] { return server.connections() == 1; });
    run(server.stop());
    EXPECT_EQ(server.connections(), 0U);
    run_until([&] { return hanging->done(); });
}

TEST_F(ServerTest, CanBeDestroyedWithoutStop) {
    std::shared_ptr<Started<std::string>> hanging;
    {
        auto server = serve();
        server.listen();
        hanging =
            start(exchange(server.port(), "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
            );
        run_until([&] { return server.connections() == 1; });
    }
    run_until([&] { return hanging->done(); });
    EXPECT_EQ(handled, 0);
}

TEST_F(ServerTest, SaysWhyItCannotListen) {
    auto server = serve();
    server.listen();
    ServerOptions options;
    options.port = server.port();
    auto second = serve(options);
    EXPECT_THROW(second.listen(), Failure);
    run(server.stop());
}

TEST_F(ServerTest, AnswersWhatIsLeftWhenTheTimeToStopIsOver) {
    ServerOptions options;
    options.stop_timeout = 20ms;
    auto server = serve(options);
    server.listen();
    auto slow = start(exchange(server.port(), "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"));
    run_until([&] { return handled == 1; });
    run(server.stop());
    run_until([&] { return slow->done(); });
    EXPECT_TRUE(slow->value->starts_with("HTTP/1.1 503")) << *slow->value;
    EXPECT_NE(slow->value->find("stopping"), std::string::npos) << *slow->value;
    EXPECT_EQ(server.connections(), 0U);
}

}  // namespace
}  // namespace pawl::http
