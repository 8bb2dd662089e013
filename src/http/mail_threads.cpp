#include "http/mail_threads.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <atomic>
#include <optional>
#include <utility>

namespace pawl::http {

namespace {

// One tenant's leave some to others: a server may take its time for each mail.
constexpr std::size_t threads_max = 16;

}  // namespace

// Shared by the coroutine that waits and the thread that sends. Only the thread touches the
// transfer once it has begun; the outcome comes back on the executor.
struct MailThreads::Job {
    Job(Request request, ClientOptions given, const asio::any_io_executor& executor)
        : options(std::move(given)), transfer(std::move(request), options), wake(executor) {
        wake.expires_at(Steady::time_point::max());
    }

    ClientOptions options;
    Transfer transfer;
    Steady::time_point deadline{};
    std::atomic<bool> abandoned{false};
    asio::steady_timer wake;
    std::optional<Outcome> outcome;
};

MailThreads::MailThreads(asio::any_io_executor executor, ClientOptions options)
    : executor_(std::move(executor)),
      options_(std::move(options)),
      places_(std::make_shared<Places>(executor_, threads_max)),
      threads_(threads_max) {}

MailThreads::~MailThreads() {
    places_->close();
    for (const auto& weak : jobs_) {
        if (const auto job = weak.lock()) job->abandoned = true;
    }
    threads_.join();
}

asio::awaitable<Outcome> MailThreads::send(Request request) {
    const std::int32_t tenant = request.tenant;
    PlacePtr place = std::exchange(request.place, nullptr);
    const auto job = std::make_shared<Job>(std::move(request), options_, executor_);
    if (auto fault = job->transfer.prepare(nullptr)) co_return std::move(*fault);
    job->deadline = Steady::now() + job->transfer.request().timeout;
    const std::shared_ptr<Places> places = places_;
    if (!place) place = co_await places->enter(tenant, job->deadline);
    // Then `this` is gone.
    if (places->closed()) co_return job->transfer.abandoned("the client was closed");
    if (!place) co_return job->transfer.never_begun();
    std::erase_if(jobs_, [](const auto& weak) { return weak.expired(); });
    jobs_.push_back(job);
    // Whatever ends the frame ends the sending.
    struct Abandon {
        std::shared_ptr<Job> job;
        ~Abandon() { job->abandoned = true; }
    };
    const Abandon abandon{job};
    asio::post(threads_, [job, executor = executor_] {
        const auto left = std::chrono::duration_cast<Duration>(job->deadline - Steady::now());
        Outcome outcome = job->transfer.perform(left, job->abandoned);
        asio::post(executor, [job, outcome = std::move(outcome)]() mutable {
            job->outcome = std::move(outcome);
            job->wake.cancel();
        });
    });
    while (!job->outcome) {
        boost::system::error_code woken;
        co_await job->wake.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        if (!job->outcome) throw boost::system::system_error(woken);
    }
    co_return std::move(*job->outcome);
}

}  // namespace pawl::http
