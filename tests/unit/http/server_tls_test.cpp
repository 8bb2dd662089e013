#include "base/error.hpp"
#include "server_fixture.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace pawl::http {
namespace {

template <auto release>
struct Releaser {
    template <class T>
    void operator()(T* thing) const {
        release(thing);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Releaser<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Releaser<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Releaser<X509_EXTENSION_free>>;
using File = std::unique_ptr<std::FILE, Releaser<std::fclose>>;

// For 127.0.0.1, signed by itself.
void write_certificate(const std::string& cert_file, const std::string& key_file) {
    const Key key(EVP_EC_gen("P-256"));
    const Certificate cert(X509_new());
    X509_set_version(cert.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(cert.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(cert.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(cert.get()), 3600);
    X509_set_pubkey(cert.get(), key.get());
    X509_NAME* name = X509_get_subject_name(cert.get());
    const auto* text = reinterpret_cast<const unsigned char*>("pawl test");
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0);
    X509_set_issuer_name(cert.get(), name);
    const Extension names(X509V3_EXT_nconf_nid(
        nullptr, nullptr, NID_subject_alt_name, const_cast<char*>("IP:127.0.0.1")
    ));
    X509_add_ext(cert.get(), names.get(), -1);
    X509_sign(cert.get(), key.get(), EVP_sha256());
    const File cert_out(std::fopen(cert_file.c_str(), "w"));
    PEM_write_X509(cert_out.get(), cert.get());
    const File key_out(std::fopen(key_file.c_str(), "w"));
    PEM_write_PrivateKey(key_out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
}

class ServerTlsTest : public ServerTest {
protected:
    std::string folder = ::testing::TempDir() + "pawl_tls_XXXXXX";
    ServerOptions options;

    void SetUp() override {
        ASSERT_NE(mkdtemp(folder.data()), nullptr);
        options.tls_cert_file = folder + "/cert.pem";
        options.tls_key_file = folder + "/key.pem";
        write_certificate(options.tls_cert_file, options.tls_key_file);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    Client client() {
        ClientOptions trusting = anywhere();
        trusting.ca_file = options.tls_cert_file;
        return Client(io.get_executor(), trusting);
    }

    static Request request(std::uint16_t port, std::string_view path) {
        Request request;
        request.url = fmt::format("https://127.0.0.1:{}{}", port, path);
        request.timeout = 10s;
        return request;
    }
};

TEST_F(ServerTlsTest, AnswersOverTls) {
    auto server = serve(options);
    server.listen();
    auto secure = client();
    for (const char* path : {"/a", "/b"}) {
        const Outcome outcome = run(secure.send(request(server.port(), path)));
        ASSERT_TRUE(outcome) << outcome.error().message;
        EXPECT_EQ(outcome->body, std::string(path) + " ");
    }
    EXPECT_EQ(server.connections(), 1U) << "the connection is kept";
    Request big = request(server.port(), "/big");
    big.method = "POST";
    big.body = std::string(500'000, 'x');
    const Outcome outcome = run(secure.send(std::move(big)));
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->body.size(), 500'000U + 5);
    run(server.stop());
}

TEST_F(ServerTlsTest, StreamsOverTls) {
    auto server = serve(options);
    server.listen();
    auto secure = client();
    auto outcome = start(secure.send(request(server.port(), "/stream")));
    run_until([&] { return streams.size() == 1; });
    streams.front()->wake();
    end_streams = true;
    run_until([&] { return outcome->done(); });
    ASSERT_TRUE(outcome->value && *outcome->value);
    EXPECT_EQ((*outcome->value)->body, "tick\n");
    end_streams = false;
    {
        auto leaving = client();
        auto second = start(leaving.send(request(server.port(), "/stream")));
        run_until([&] { return streams.size() == 1; });
    }
    run_until([&] { return streams_ended == 2; });
    run(server.stop());
}

TEST_F(ServerTlsTest, ChecksTheClientsSide) {
    options.header_timeout = 50ms;
    auto server = serve(options);
    server.listen();
    Client distrusting(io.get_executor(), anywhere());
    const Outcome outcome = run(distrusting.send(request(server.port(), "/")));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().kind, FaultKind::refused_before_sent);
    const std::string plain = run(exchange(server.port(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_EQ(plain.find("HTTP/1.1 200"), std::string::npos);
    EXPECT_EQ(run(exchange(server.port(), "\x16\x03")), "") << "a handshake that never ends";
    run_until([&] { return server.connections() == 0; });
    EXPECT_EQ(handled, 0);
    run(server.stop());
}

TEST_F(ServerTlsTest, SaysWhichFileIsWrong) {
    std::ofstream(options.tls_key_file) << "not a key";
    auto server = serve(options);
    try {
        server.listen();
        FAIL() << "it listens";
    } catch (const Failure& failed) {
        EXPECT_NE(std::string(failed.what()).find(options.tls_key_file), std::string::npos);
    }
}

}  // namespace
}  // namespace pawl::http
