#include "http/client_transfer.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <cstring>
#include <string_view>

// Transfers that are mail.
namespace pawl::http {

namespace {

// An address that cannot end its line or its brackets.
bool is_plain_address(std::string_view address) {
    return !address.empty() && std::all_of(address.begin(), address.end(), [](char c) {
        return c > ' ' && c < 0x7f && c != '<' && c != '>';
    });
}

}  // namespace

struct MailCallbacks {
    static std::size_t read(char* buffer, std::size_t, std::size_t room, void* self) {
        auto& transfer = *static_cast<Transfer*>(self);
        const std::string& body = transfer.request_.body;
        const std::size_t size = std::min(room, body.size() - transfer.mail_read_);
        std::memcpy(buffer, body.data() + transfer.mail_read_, size);
        transfer.mail_read_ += size;
        if (transfer.mail_read_ == body.size()) transfer.mail_given_ = true;
        return size;
    }

    static int progress(void* flag, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
        return static_cast<const std::atomic<bool>*>(flag)->load() ? 1 : 0;
    }
};

std::optional<Fault> Transfer::prepare_mail() {
    const Envelope& mail = *request_.mail;
    if (!is_plain_address(mail.from)) {
        return Fault{FaultKind::bad_request, "the sender is not an address"};
    }
    if (mail.to.empty()) return Fault{FaultKind::bad_request, "the message has no recipient"};
    CURL* easy = easy_.get();
    for (const std::string& to : mail.to) {
        if (!is_plain_address(to)) {
            return Fault{FaultKind::bad_request, "a recipient is not an address"};
        }
        auto* list = static_cast<curl_slist*>(header_list_.get());
        curl_slist* longer = curl_slist_append(list, to.c_str());
        if (longer == nullptr) return Fault{FaultKind::bad_request, "out of memory for mail"};
        if (longer == list) continue;
        static_cast<void>(header_list_.release());  // `longer` holds it
        header_list_.reset(longer);
    }
    curl_easy_setopt(easy, CURLOPT_URL, request_.url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(
        easy, CURLOPT_USE_SSL, static_cast<long>(mail.needs_tls ? CURLUSESSL_ALL : CURLUSESSL_NONE)
    );
    if (!mail.user.empty()) {
        curl_easy_setopt(easy, CURLOPT_USERNAME, mail.user.c_str());
        curl_easy_setopt(easy, CURLOPT_PASSWORD, mail.password.c_str());
    }
    curl_easy_setopt(easy, CURLOPT_MAIL_FROM, mail.from.c_str());
    curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, header_list_.get());
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, &MailCallbacks::read);
    curl_easy_setopt(easy, CURLOPT_READDATA, this);
    const auto size = static_cast<curl_off_t>(request_.body.size());
    curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, size);
    // A kept connection that the server has closed meanwhile would look like a failure.
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    return std::nullopt;
}

Outcome Transfer::perform(Duration limit, const std::atomic<bool>& abandoned) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
    if (left <= 0) return timed_out();
    CURL* easy = easy_.get();
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(left));
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, &MailCallbacks::progress);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, &abandoned);
    return finish(curl_easy_perform(easy));
}

// A server that says no has answered, whatever libcurl calls it.
std::optional<Outcome> Transfer::mail_reply() {
    if (!request_.mail) return std::nullopt;
    long code = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &code);
    if (code < 400 || code > 599) return std::nullopt;
    response_.status = static_cast<int>(code);
    return Outcome(std::move(response_));
}

}  // namespace pawl::http
