#pragma once

#include "engine/async/gate.hpp"
#include "http_fixture.hpp"
#include "raw_peer.hpp"

#include <string_view>
#include <vector>

namespace pawl::http {

inline std::size_t count(std::string_view text, std::string_view piece) {
    std::size_t found = 0;
    for (auto at = text.find(piece); at != std::string_view::npos; at = text.find(piece, at + 1)) {
        ++found;
    }
    return found;
}

// A server whose paths say what they do.
class ServerTest : public HttpTest {
protected:
    int handled = 0;
    ServerRequest last;

    Server serve(ServerOptions options = {}) {
        return Server(io.get_executor(), std::move(options), [this](ServerRequest request) {
            return answer(std::move(request));
        });
    }

    asio::awaitable<ServerResponse> answer(ServerRequest request) {
        ++handled;
        last = request;
        if (request.target == "/throw") throw std::runtime_error("boom");
        if (request.target == "/split") co_return ServerResponse{200, {{"X", "a\r\nY: b"}}, ""};
        if (request.target == "/wait") co_await gate.wait();
        if (request.target == "/long") {
            // More than the sockets of both sides take.
            co_return ServerResponse{200, {}, std::string(16 << 20, 'x')};
        }
        if (request.target == "/stream") {
            ServerResponse response{200, {{"Content-Type", "text/event-stream"}}, ""};
            response.stream = [this](BodyStream& stream) { return tick(stream); };
            co_return response;
        }
        co_return ServerResponse{
            200,
            {{"X-Method", request.method}, {"X-Peer", request.peer}},
            request.target + " " + request.body};
    }

    // Writes a tick whenever it is woken, until end_streams.
    asio::awaitable<void> tick(BodyStream& stream) {
        streams.push_back(&stream);
        while (!stream.closed() && !end_streams) {
            const bool written = co_await stream.write(tick_text);
            if (!written) break;
            co_await stream.wait();
        }
        std::erase(streams, &stream);
        ++streams_ended;
    }

    engine::Gate gate{io.get_executor()};
    std::vector<BodyStream*> streams;
    std::string tick_text = "tick\n";
    int streams_ended = 0;
    bool end_streams = false;
};

}  // namespace pawl::http
