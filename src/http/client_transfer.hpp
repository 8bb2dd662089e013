#pragma once

#include "http/client.hpp"
#include "http/url.hpp"

#include <atomic>
#include <memory>
#include <optional>

namespace pawl::http {

// Closes an easy handle; void, so that <curl/curl.h> stays out of headers.
struct CloseEasy {
    void operator()(void* easy) const noexcept;
};
struct CloseList {
    void operator()(void* list) const noexcept;
};
struct CloseMime {
    void operator()(void* mime) const noexcept;
};
// Adds a line to a list of libcurl's. False: there is no memory for it.
bool append(std::unique_ptr<void, CloseList>& list, const std::string& line);

// One request on libcurl: the easy handle and what has come back so far. Knows nothing of sockets,
// queues or waiting. libcurl keeps pointers to it, so it does not move.
class Transfer {
public:
    Transfer(Request request, const ClientOptions& options);
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    // Checks the request and fills the easy handle. `owner` comes back from owner_of().
    std::optional<Fault> prepare(void* owner);
    static void* owner_of(void* easy);

    void* easy() const { return easy_.get(); }
    const Request& request() const { return request_; }

    // For mail: sends it in this call, within that time, unless the flag is set meanwhile.
    Outcome perform(Duration limit, const std::atomic<bool>& abandoned);

    // Its outcome, once libcurl reports it done with this CURLcode.
    Outcome finish(int code);
    // The faults that libcurl does not know of.
    Fault timed_out() const;
    Fault never_begun() const;
    Fault abandoned(std::string why) const;

private:
    friend struct TransferCallbacks;

    std::optional<Fault> check();
    bool permits(const std::string& address);
    std::optional<Fault> prepare_mail();
    bool set_recipients();
    bool set_message();
    bool all_mail_sent() const;
    std::optional<Outcome> mail_reply();
    void set_method();
    bool set_headers();
    void set_policy();
    void set_callbacks(void* owner);
    void set_security();
    void set_addresses();
    bool may_have_been_sent() const;

    Request request_;
    const ClientOptions& options_;  // the Multi's, which outlives every transfer
    std::unique_ptr<void, CloseEasy> easy_;
    std::unique_ptr<void, CloseList> header_list_;
    std::unique_ptr<void, CloseList> recipients_;  // of mail
    std::unique_ptr<void, CloseMime> mime_;        // of mail
    std::unique_ptr<void, CloseList> addresses_;   // when the resolver is not curl's
    UrlPlace place_;
    Response response_;
    std::size_t header_bytes_ = 0;
    bool too_large_ = false;
    bool resend_refused_ = false;
    std::string forbidden_address_;
    std::unique_ptr<char[]> error_text_;
};

}  // namespace pawl::http
