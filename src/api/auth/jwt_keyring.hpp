#pragma once

#include "api/auth/jwt.hpp"
#include "http/client.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pawl::api {

namespace asio = boost::asio;

struct KeyringOptions {
    std::string secret;  // for HS256
    std::string jwks_file;
    std::string jwks_url;
    std::function<Steady::time_point()> clock = Steady::now;

    bool empty() const { return secret.empty() && jwks_file.empty() && jwks_url.empty(); }
};

// The keys that check tokens: a secret, and JWK sets from a file and a URL. The sets are read again
// when a token names a key that is not among them, at most once a minute, and every ten minutes so
// that withdrawn keys go. When that fails, the last good ones stay.
//
// Lives on one executor that is run by one thread. The client must outlive it.
class JwtKeyring {
public:
    using Keys = std::shared_ptr<const std::vector<JwtKey>>;

    // Throws Failure when the secret is too short or the file is not a JWK set.
    JwtKeyring(asio::any_io_executor executor, KeyringOptions options, http::Client& client);
    ~JwtKeyring();

    // All keys, after a look for new ones if none goes with the token. Errc::unavailable when the
    // keys of the URL have never been had.
    asio::awaitable<Result<Keys>> keys_for(Jwt token);

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace pawl::api
