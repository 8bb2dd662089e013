#pragma once

#include "http/client_transfer.hpp"
#include "http/request_places.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include <list>
#include <memory>

namespace pawl::http {

// Mail goes out on threads of its own: libcurl blocks its thread while an SMTP server makes up its
// mind. Used from one thread; joins the others in its destructor.
class MailThreads {
public:
    MailThreads(asio::any_io_executor executor, ClientOptions options);
    ~MailThreads();

    // Cancelling or destroying the coroutine abandons the message within a second.
    asio::awaitable<Outcome> send(Request request);

    // A mail has one of these before it is sent.
    Places& places() { return *places_; }

private:
    struct Job;

    asio::any_io_executor executor_;
    ClientOptions options_;
    std::shared_ptr<Places> places_;
    std::list<std::weak_ptr<Job>> jobs_;
    asio::thread_pool threads_;
};

}  // namespace pawl::http
