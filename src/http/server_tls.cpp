#include "http/server_tls.hpp"

#include "base/error.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/core.h>

#include <string_view>
#include <utility>

namespace pawl::http {

using boost::system::error_code;

namespace {

// The protocol's name after its length, as ALPN has it.
constexpr std::string_view http_1_1 = "\x08http/1.1";

using Byte = unsigned char;

int choose_protocol(SSL*, const Byte** chosen, Byte* size, const Byte* in, unsigned length, void*) {
    const auto* ours = reinterpret_cast<const Byte*>(http_1_1.data());
    const auto ours_size = static_cast<unsigned>(http_1_1.size());
    Byte* found = nullptr;
    const int outcome = SSL_select_next_proto(&found, size, ours, ours_size, in, length);
    // A client that offers something else may still get along without an agreement.
    if (outcome != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_NOACK;
    *chosen = found;
    return SSL_TLSEXT_ERR_OK;
}

void check(const error_code& failed, std::string_view what, const std::string& file) {
    if (!failed) return;
    throw Failure(Error{
        Errc::invalid, fmt::format("cannot use the {} '{}': {}", what, file, failed.message()), {}}
    );
}

auto awaited(error_code& failed) {
    return asio::redirect_error(asio::use_awaitable, failed);
}

}  // namespace

TlsContext::TlsContext(const std::string& cert_file, const std::string& key_file)
    : context(asio::ssl::context::tls_server) {
    error_code failed;
    context.use_certificate_chain_file(cert_file, failed);
    check(failed, "TLS certificate", cert_file);
    context.use_private_key_file(key_file, asio::ssl::context::pem, failed);
    check(failed, "TLS key", key_file);
    SSL_CTX* raw = context.native_handle();
    SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
    SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    // An idle connection gives its buffers back.
    SSL_CTX_set_mode(raw, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(raw, choose_protocol, nullptr);
}

TlsStream::TlsStream(asio::ip::tcp::socket& socket, TlsContext& tls)
    : stream_(socket, tls.context) {}

asio::awaitable<bool> TlsStream::handshake() {
    error_code failed;
    co_await stream_.async_handshake(asio::ssl::stream_base::server, awaited(failed));
    co_return !failed;
}

asio::awaitable<std::size_t> TlsStream::read_some(asio::mutable_buffer buffer, error_code& failed) {
    co_return co_await stream_.async_read_some(buffer, awaited(failed));
}

asio::awaitable<void> TlsStream::write(Session::Buffers buffers, error_code& failed) {
    co_await asio::async_write(stream_, buffers, awaited(failed));
}

asio::awaitable<void> TlsStream::shutdown() {
    error_code ignored;
    co_await stream_.async_shutdown(awaited(ignored));
}

}  // namespace pawl::http
