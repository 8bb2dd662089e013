#pragma once

#include "connect/inquiry.hpp"
#include "http/client.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>

namespace pawl::steps {

namespace asio = boost::asio;

// A question to a provider about a message.
struct SingleInquiry {
    std::int32_t tenant = 1;
    std::shared_ptr<const connect::Connector> connector;  // has an inquiry
    connect::Account account;
    connect::Inquiry inquiry;
    Duration timeout = std::chrono::seconds(20);
};

// Asks once. A provider that does not answer is to be asked later. An error: the question cannot be
// put, since something of the account or the message is missing.
asio::awaitable<Result<connect::Found>> inquire_once(http::Client& client, SingleInquiry single);

}  // namespace pawl::steps
