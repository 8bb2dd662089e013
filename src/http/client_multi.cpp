#include "http/client_multi.hpp"

#include "base/error.hpp"

#include <boost/asio/post.hpp>
#include <curl/curl.h>

#include <mutex>
#include <utility>
#include <vector>

namespace pawl::http {

// libcurl's callbacks, as C functions that find their Multi again. They must not call libcurl.
struct MultiCallbacks {
    static int socket(CURL*, curl_socket_t socket, int what, void* self, void*) {
        auto* multi = static_cast<Multi*>(self);
        if (what == CURL_POLL_REMOVE) {
            multi->unwatch(socket);
        } else if (multi->multi_ != nullptr) {
            multi->watch(socket, (what & CURL_POLL_IN) != 0, (what & CURL_POLL_OUT) != 0);
        }
        return 0;
    }

    static int timer(CURLM*, long milliseconds, void* self) {
        auto* multi = static_cast<Multi*>(self);
        if (multi->multi_ != nullptr) multi->set_timer(milliseconds);
        return 0;
    }
};

namespace {

void initialise_curl() {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

}  // namespace

Pending::Pending(std::shared_ptr<Multi> owner, Request request)
    : multi(std::move(owner)),
      transfer(std::move(request), multi->options()),
      wake(multi->executor()) {}

Pending::~Pending() {
    multi->drop(*this);
}

Multi::Multi(asio::any_io_executor executor, ClientOptions options)
    : executor_(std::move(executor)),
      options_(std::move(options)),
      timer_(executor_),
      places_(std::make_shared<Places>(executor_, options_.concurrent_max)) {
    initialise_curl();
    multi_ = curl_multi_init();
    PAWL_ASSERT(multi_ != nullptr);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &MultiCallbacks::socket);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &MultiCallbacks::timer);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    // Without a number libcurl keeps four times the requests under way: none when it is quiet.
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(options_.concurrent_max));
}

Multi::~Multi() {
    close();
}

void Multi::close() {
    if (multi_ == nullptr) return;
    mail_.reset();
    places_->close();
    while (!active_.empty()) end(*active_.front());
    // Closes the kept connections, each with a callback that releases its descriptor first.
    curl_multi_cleanup(std::exchange(multi_, nullptr));
    while (!watches_.empty()) unwatch(watches_.begin()->first);
    set_timer(-1);
    timer_.cancel();
}

MailThreads& Multi::mail() {
    if (!mail_) mail_ = std::make_unique<MailThreads>(executor_, options_);
    return *mail_;
}

void Multi::end(Pending& pending) {
    complete(pending, pending.transfer.abandoned("the client was closed"));
}

void Multi::start(Pending& pending) {
    if (multi_ == nullptr) {
        pending.outcome = pending.transfer.abandoned("the client was closed");
        return;
    }
    pending.spot = active_.insert(active_.end(), &pending);
    pending.active = true;
    const CURLMcode added = curl_multi_add_handle(multi_, pending.transfer.easy());
    PAWL_ASSERT(added == CURLM_OK);
}

void Multi::drop(Pending& pending) {
    if (!std::exchange(pending.active, false)) return;
    active_.erase(pending.spot);
    curl_multi_remove_handle(multi_, pending.transfer.easy());
}

void Multi::complete(Pending& pending, Outcome outcome) {
    drop(pending);
    pending.outcome = std::move(outcome);
    pending.wake.cancel();
}

void Multi::watch(int socket, bool read, bool write) {
    auto& watch = watches_[socket];
    if (!watch) {
        watch = std::make_shared<Watch>(executor_);
        watch->descriptor.assign(socket);
        watch->socket = socket;
    }
    watch->wants_read = read;
    watch->wants_write = write;
    wait(watch, Direction::read);
    wait(watch, Direction::write);
}

void Multi::unwatch(int socket) {
    const auto found = watches_.find(socket);
    if (found == watches_.end()) return;
    found->second->socket = -1;
    // Off the reactor, but not closed; waits under way end with operation_aborted.
    found->second->descriptor.release();
    watches_.erase(found);
}

void Multi::wait(std::shared_ptr<Watch> watch, Direction direction) {
    const bool read = direction == Direction::read;
    if (!(read ? watch->wants_read : watch->wants_write)) return;
    bool& waits = read ? watch->waits_read : watch->waits_write;
    if (std::exchange(waits, true)) return;
    auto& descriptor = watch->descriptor;
    descriptor.async_wait(
        read ? asio::posix::descriptor_base::wait_read : asio::posix::descriptor_base::wait_write,
        [self = shared_from_this(), watch = std::move(watch), direction](auto failed) {
            self->ready(watch, direction, static_cast<bool>(failed));
        }
    );
}

void Multi::ready(std::shared_ptr<Watch> watch, Direction direction, bool failed) {
    const bool read = direction == Direction::read;
    (read ? watch->waits_read : watch->waits_write) = false;
    if (watch->socket < 0) return;
    // libcurl may have lost interest since the wait began.
    if (read ? watch->wants_read : watch->wants_write) {
        const int event = read ? CURL_CSELECT_IN : CURL_CSELECT_OUT;
        act(watch->socket, failed ? CURL_CSELECT_ERR : event);
    }
    if (watch->socket >= 0) wait(std::move(watch), direction);
}

// libcurl sets it several times for each request, mostly to a later time or to none: what waits is
// left alone unless it would wake too late, and looks when it wakes whether the time has come.
void Multi::set_timer(long milliseconds) {
    const std::uint64_t round = ++timer_round_;
    due_.reset();
    if (milliseconds < 0) return;
    if (milliseconds == 0) {
        asio::post(executor_, [self = shared_from_this(), round] {
            if (round == self->timer_round_) self->act(CURL_SOCKET_TIMEOUT, 0);
        });
        return;
    }
    due_ = Steady::now() + std::chrono::milliseconds(milliseconds);
    if (!wakes_ || *due_ < *wakes_) wake_at(*due_);
}

void Multi::wake_at(Steady::time_point time) {
    wakes_ = time;
    timer_.expires_at(time);  // what waited before ends as aborted
    timer_.async_wait([self = shared_from_this()](auto failed) {
        if (failed) return;
        self->wakes_.reset();
        if (!self->due_) return;
        if (*self->due_ > Steady::now()) return self->wake_at(*self->due_);
        self->due_.reset();
        self->act(CURL_SOCKET_TIMEOUT, 0);
    });
}

void Multi::act(int socket, int events) {
    if (multi_ == nullptr) return;
    int running = 0;
    curl_multi_socket_action(multi_, socket, events, &running);
    collect();
}

void Multi::collect() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        // Both out of the message before the handle is removed: that frees the message.
        auto& pending = *static_cast<Pending*>(Transfer::owner_of(message->easy_handle));
        complete(pending, pending.transfer.finish(message->data.result));
    }
}

}  // namespace pawl::http
