#include "support/provider_stub.hpp"

#include "base/clock.hpp"
#include "engine/async/gate.hpp"
#include "http/server.hpp"

#include <boost/asio/io_context.hpp>

#include <deque>
#include <mutex>
#include <thread>

namespace pawl::test {

namespace asio = boost::asio;

struct ProviderStub::Impl {
    asio::io_context loop{1};
    http::Server server{
        loop.get_executor(), http::ServerOptions(), [this](http::ServerRequest request) {
            return answer(std::move(request));
        }};
    std::thread thread;
    mutable std::mutex mutex;
    std::vector<http::ServerRequest> requests;
    std::deque<http::ServerResponse> answers;
    bool hangs = false;

    asio::awaitable<http::ServerResponse> answer(http::ServerRequest request) {
        bool silent = false;
        http::ServerResponse response{200, {{"Content-Type", "application/json"}}, ""};
        {
            const std::lock_guard lock(mutex);
            requests.push_back(std::move(request));
            response.body = R"({"id":"m-)" + std::to_string(requests.size()) + R"("})";
            silent = hangs;
            if (!silent && !answers.empty()) {
                response = std::move(answers.front());
                answers.pop_front();
            }
        }
        if (silent) {
            engine::Gate never(loop.get_executor());
            co_await never.wait();
        }
        co_return response;
    }
};

ProviderStub::ProviderStub() : impl_(std::make_unique<Impl>()) {
    impl_->server.listen();
    impl_->thread = std::thread([impl = impl_.get()] { impl->loop.run(); });
}

ProviderStub::~ProviderStub() {
    impl_->loop.stop();
    impl_->thread.join();
}

std::string ProviderStub::url() const {
    return "http://127.0.0.1:" + std::to_string(impl_->server.port());
}

void ProviderStub::answer_next(int status, std::string body) {
    const std::lock_guard lock(impl_->mutex);
    impl_->answers.push_back({status, {{"Content-Type", "application/json"}}, std::move(body)});
}

void ProviderStub::hang(bool on) {
    const std::lock_guard lock(impl_->mutex);
    impl_->hangs = on;
}

std::vector<http::ServerRequest> ProviderStub::requests() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->requests;
}

}  // namespace pawl::test
