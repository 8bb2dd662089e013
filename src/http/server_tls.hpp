#pragma once

#include "http/server_session.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <cstddef>
#include <string>

namespace pawl::http {

// Certificate, key and rules (TLS 1.2 or later, HTTP/1.1 only) of a server.
class TlsContext {
public:
    // PEM files; throws Failure, which names the file, when one cannot be used.
    TlsContext(const std::string& cert_file, const std::string& key_file);

    asio::ssl::context context;
};

// TLS over a session's socket. The only file that knows OpenSSL: it is slow to compile.
class TlsStream {
public:
    TlsStream(asio::ip::tcp::socket& socket, TlsContext& tls);

    asio::awaitable<bool> handshake();
    asio::awaitable<std::size_t> read_some(
        asio::mutable_buffer buffer, boost::system::error_code& failed
    );
    asio::awaitable<void> write(Session::Buffers buffers, boost::system::error_code& failed);
    asio::awaitable<void> shutdown();

private:
    asio::ssl::stream<asio::ip::tcp::socket&> stream_;
};

}  // namespace pawl::http
