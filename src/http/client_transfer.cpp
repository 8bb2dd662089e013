#include "http/client_transfer.hpp"

#include "base/error.hpp"
#include "base/header_rules.hpp"
#include "base/log.hpp"
#include "base/spoken.hpp"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <utility>

namespace pawl::http {

namespace {

// What a peer may send before its body; browsers and proxies stop earlier.
constexpr std::size_t header_bytes_max = 64 << 10;

std::string address_text(const curl_sockaddr& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* bytes = nullptr;
    if (address.family == AF_INET) {
        bytes = &reinterpret_cast<const sockaddr_in*>(&address.addr)->sin_addr;
    } else if (address.family == AF_INET6) {
        bytes = &reinterpret_cast<const sockaddr_in6*>(&address.addr)->sin6_addr;
    }
    if (bytes == nullptr || inet_ntop(address.family, bytes, text.data(), text.size()) == nullptr) {
        return "of an unknown kind";
    }
    return text.data();
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool is_safe_method(std::string_view method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

// Whether the system has all of its certificates in one file.
bool system_ca_file() {
    static const bool there = [] {
        const curl_version_info_data* info = curl_version_info(CURLVERSION_NOW);
        return info->age >= CURLVERSION_SEVENTH && info->cainfo != nullptr &&
               access(info->cainfo, R_OK) == 0;
    }();
    return there;
}

std::optional<Fault> check_url(const ParsedUrl& url, bool mail) {
    if (!url.place) return Fault{FaultKind::bad_url, url.wrong};
    const std::string& scheme = url.place->scheme;
    if (mail && (scheme == "smtp" || scheme == "smtps")) return std::nullopt;
    if (mail) return Fault{FaultKind::bad_url, "mail goes to smtp and smtps URLs only"};
    if (scheme == "http" || scheme == "https") return std::nullopt;
    return Fault{FaultKind::bad_url, "only http and https URLs can be called"};
}

}  // namespace

void CloseEasy::operator()(void* easy) const noexcept {
    curl_easy_cleanup(easy);
}

void CloseList::operator()(void* list) const noexcept {
    curl_slist_free_all(static_cast<curl_slist*>(list));
}

bool append(std::unique_ptr<void, CloseList>& list, const std::string& line) {
    curl_slist* longer = curl_slist_append(static_cast<curl_slist*>(list.get()), line.c_str());
    if (longer == nullptr) return false;
    static_cast<void>(list.release());  // `longer` is the same, or its beginning
    list.reset(longer);
    return true;
}

// libcurl's callbacks, as C functions that find their Transfer again.
struct TransferCallbacks {
    static std::size_t body(const char* data, std::size_t, std::size_t size, void* self) {
        auto& transfer = *static_cast<Transfer*>(self);
        auto& text = transfer.response_.body;
        const std::size_t room = transfer.request_.response_bytes_max - text.size();
        if (size > room) {
            transfer.too_large_ = true;
            text.append(data, room);
            return CURL_WRITEFUNC_ERROR;
        }
        text.append(data, size);
        return size;
    }

    static std::size_t header(const char* data, std::size_t, std::size_t size, void* self) {
        auto& transfer = *static_cast<Transfer*>(self);
        transfer.header_bytes_ += size;
        if (transfer.header_bytes_ > header_bytes_max) {
            transfer.too_large_ = true;
            return 0;
        }
        const std::string_view line(data, size);
        if (transfer.request_.mail) {
            // 221 is only the goodbye.
            if (!line.starts_with("221")) transfer.response_.body = trimmed(line);
            return size;
        }
        auto& headers = transfer.response_.headers;
        // A new status line: what came before belonged to an interim (1xx) response.
        if (line.starts_with("HTTP/")) headers.clear();
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || line.starts_with("HTTP/")) return size;
        headers.push_back(
            {std::string(trimmed(line.substr(0, colon))),
             std::string(trimmed(line.substr(colon + 1)))}
        );
        return size;
    }

    // The addresses come from the resolver here, so what is checked is what is connected to.
    static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr* address) {
        auto& transfer = *static_cast<Transfer*>(self);
        if (!transfer.permits(address_text(*address))) return CURL_SOCKET_BAD;
        return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    }

    // Called before each sending of the request. libcurl sends again when a kept connection breaks
    // before an answer, whatever the method; but the peer may have acted on the first sending.
    static int before_request(void* self, char* address, char*, int, int) {
        auto& transfer = *static_cast<Transfer*>(self);
        // A kept connection was opened for another tenant, which may have had other rights.
        if (!transfer.permits(address)) return CURL_PREREQFUNC_ABORT;
        if (!transfer.may_have_been_sent() || is_safe_method(transfer.request_.method)) {
            return CURL_PREREQFUNC_OK;
        }
        transfer.resend_refused_ = true;
        return CURL_PREREQFUNC_ABORT;
    }
};

Transfer::Transfer(Request request, const ClientOptions& options)
    : request_(std::move(request)),
      options_(options),
      easy_(curl_easy_init()),
      error_text_(new char[CURL_ERROR_SIZE]) {
    PAWL_ASSERT(easy_ != nullptr);
    error_text_[0] = '\0';
}

void* Transfer::owner_of(void* easy) {
    void* owner = nullptr;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &owner);
    return owner;
}

std::optional<Fault> Transfer::prepare(void* owner) {
    if (auto fault = check()) return fault;
    if (request_.mail) {
        if (auto fault = prepare_mail()) return fault;
    } else {
        set_method();
        if (!set_headers()) return Fault{FaultKind::bad_request, "out of memory for the headers"};
        set_policy();
    }
    set_security();
    set_callbacks(owner);
    return std::nullopt;
}

bool Transfer::permits(const std::string& address) {
    if (request_.trusted || options_.outbound.permits(place_, std::string_view(address))) {
        return true;
    }
    forbidden_address_ = address;
    return false;
}

std::optional<Fault> Transfer::check() {
    const ParsedUrl url = parse_url(request_.url);
    if (auto fault = check_url(url, request_.mail.has_value())) return fault;
    place_ = *url.place;
    if (!is_token(request_.method)) {
        return Fault{FaultKind::bad_request, "the method is not an HTTP method"};
    }
    for (const Header& header : request_.headers) {
        if (!is_token(header.name)) {
            return Fault{FaultKind::bad_request, "a header name holds a forbidden character"};
        }
        if (!is_field_value(header.value)) {
            return Fault{
                FaultKind::bad_request,
                fmt::format("the header {} holds a line break or control character", header.name)};
        }
        if (const auto why = header_refusal(header.name); !why.empty()) {
            return Fault{FaultKind::bad_request, fmt::format("the header {} {}", header.name, why)};
        }
    }
    return std::nullopt;
}

void Transfer::set_method() {
    CURL* easy = easy_.get();
    const std::string& method = request_.method;
    curl_easy_setopt(easy, CURLOPT_URL, request_.url.c_str());
    const bool has_body =
        !request_.body.empty() || method == "POST" || method == "PUT" || method == "PATCH";
    if (method == "HEAD") {
        curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
        return;
    }
    if (has_body) {
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        const auto size = static_cast<curl_off_t>(request_.body.size());
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, size);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request_.body.c_str());
    }
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method.c_str());
}

bool Transfer::set_headers() {
    bool complete = true;
    const auto add = [&](const std::string& line) {
        complete = append(header_list_, line) && complete;
    };
    for (const Header& header : request_.headers) {
        // To libcurl "Name:" means "leave it out" and "Name;" is how to send an empty value.
        const bool empty = trimmed(header.value).empty();
        add(empty ? header.name + ";" : header.name + ": " + header.value);
    }
    // Waiting for 100-continue costs a second with peers that do not know it.
    add("Expect:");
    // libcurl would call every body a form.
    if (find_header(request_.headers, "content-type") == nullptr) add("Content-Type:");
    curl_easy_setopt(easy_.get(), CURLOPT_HTTPHEADER, header_list_.get());
    return complete;
}

void Transfer::set_policy() {
    CURL* easy = easy_.get();
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "pawl");
}

void Transfer::set_security() {
    CURL* easy = easy_.get();
    curl_easy_setopt(easy, CURLOPT_PROXY, "");  // not even from the environment
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    if (!options_.ca_file.empty()) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, options_.ca_file.c_str());
    }
    // libcurl keeps what it has read of a file of certificates, but not if there is a folder, too:
    // then each connection reads all of them, which takes this thread tens of milliseconds.
    if (!options_.ca_file.empty() || system_ca_file()) {
        curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
    }
    if (options_.resolve) set_addresses();
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    // Giving up during a slow name lookup must not block this thread until the lookup ends.
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    const auto connect =
        std::chrono::ceil<std::chrono::milliseconds>(request_.connect_timeout).count();
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect));
}

void Transfer::set_addresses() {
    if (is_public(place_.host)) return;  // an address already: nothing to resolve
    std::string entry = fmt::format("+{}:{}:", place_.host, place_.port);
    for (const std::string& address : options_.resolve(place_.host)) {
        if (!entry.ends_with(':')) entry += ',';
        entry += address.find(':') == std::string::npos ? address : "[" + address + "]";
    }
    addresses_.reset(curl_slist_append(nullptr, entry.c_str()));
    curl_easy_setopt(easy_.get(), CURLOPT_RESOLVE, addresses_.get());
}

void Transfer::set_callbacks(void* owner) {
    CURL* easy = easy_.get();
    curl_easy_setopt(easy, CURLOPT_PRIVATE, owner);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_text_.get());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &TransferCallbacks::body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &TransferCallbacks::header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &TransferCallbacks::open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, &TransferCallbacks::before_request);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, this);
}

bool Transfer::may_have_been_sent() const {
    // A server takes a message only when it has seen its end.
    if (request_.mail) return all_mail_sent();
    // Bytes of requests handed to the socket (or to TLS), over all tries.
    long bytes = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_REQUEST_SIZE, &bytes);
    return bytes > 0;
}

Outcome Transfer::finish(int code) {
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    const bool cut = too_large_ && request_.cut_response && status > 0;
    if (code == CURLE_OK || cut) {
        response_.status = static_cast<int>(status);
        return std::move(response_);
    }
    if (too_large_) {
        return Fault{
            FaultKind::too_large,
            fmt::format("the response is over {} bytes", request_.response_bytes_max)};
    }
    const bool sent = may_have_been_sent();
    // An answer that is not HTTP has the second code too.
    if (!sent && (code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL)) {
        return Fault{FaultKind::bad_url, "not a usable URL"};
    }
    if (auto reply = mail_reply()) return std::move(*reply);
    if (!sent && !forbidden_address_.empty()) {
        // Where a name leads inside is the operator's business: the log has it, the error of a
        // step, which its tenant reads, has not.
        log::warn(
            "a call to an address that is not allowed was refused",
            {log::field("host", place_.host), log::field("address", forbidden_address_)}
        );
        return Fault{
            FaultKind::forbidden_address,
            fmt::format(
                "{} is not on the public internet; the operator of the workers can allow it: "
                "--allow-outbound {} (or PAWL_ALLOW_OUTBOUND)",
                place_.host,
                place_.host
            )};
    }
    std::string why = error_text_[0] != '\0' ? std::string(error_text_.get())
                                             : curl_easy_strerror(static_cast<CURLcode>(code));
    if (resend_refused_) why = "the connection was closed before an answer";
    if (code != CURLE_OPERATION_TIMEDOUT) return abandoned(std::move(why));
    return Fault{
        sent ? FaultKind::timeout_after_sent : FaultKind::timeout_before_sent, std::move(why)};
}

Fault Transfer::timed_out() const {
    const std::string limit = human_duration(request_.timeout);
    if (may_have_been_sent()) return {FaultKind::timeout_after_sent, "no answer within " + limit};
    return {FaultKind::timeout_before_sent, "not sent within " + limit};
}

Fault Transfer::never_begun() const {
    return {
        FaultKind::timeout_in_line,
        "not begun within " + human_duration(request_.timeout) +
            ": too many requests are under way"};
}

Fault Transfer::abandoned(std::string why) const {
    const auto kind =
        may_have_been_sent() ? FaultKind::interrupted_after_sent : FaultKind::refused_before_sent;
    return {kind, std::move(why)};
}

}  // namespace pawl::http
