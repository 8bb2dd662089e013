#pragma once

#include "http/message.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pawl::test {

// A provider of messages: an HTTP server on a thread of its own that answers as it is told, and
// keeps what it was asked.
class ProviderStub {
public:
    ProviderStub();
    ~ProviderStub();
    ProviderStub(const ProviderStub&) = delete;
    ProviderStub& operator=(const ProviderStub&) = delete;

    std::string url() const;
    // The next answers, in turn; after them every request is a success with {"id": "m-<number>"}.
    void answer_next(int status, std::string body);
    // While it hangs, requests get no answer at all.
    void hang(bool on);

    std::vector<http::ServerRequest> requests() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace pawl::test
