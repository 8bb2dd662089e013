#include "cli/parse/trace_options.hpp"

#include "base/error.hpp"
#include "cli/commands/checkup.hpp"

#include <gtest/gtest.h>

#include <map>

namespace pawl::cli {
namespace {

using Settings = std::map<std::string, std::string>;

host::TraceOptions options(const Settings& settings, const TraceFlags& flags = {}) {
    return trace_options(flags, [&settings](const char* name) {
        const auto place = settings.find(name);
        return place == settings.end() ? nullptr : place->second.c_str();
    });
}

TEST(TraceOptions, AreOffWithoutAnEndpoint) {
    EXPECT_EQ(options({{"OTEL_TRACES_SAMPLER_ARG", "1"}}).url, "");
    const Settings off{
        {"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318"}, {"OTEL_SDK_DISABLED", "true"}};
    EXPECT_EQ(options(off).url, "");
}

TEST(TraceOptions, ComeFromTheEnvironment) {
    const auto read = options(
        {{"OTEL_EXPORTER_OTLP_ENDPOINT", "https://c:4318/"},
         {"OTEL_EXPORTER_OTLP_HEADERS", "a=1, b=x%3Dy"},
         {"OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test"},
         {"OTEL_SERVICE_NAME", "orders"},
         {"OTEL_TRACES_SAMPLER_ARG", "0.25"}}
    );
    EXPECT_EQ(read.url, "https://c:4318/v1/traces");
    ASSERT_EQ(read.headers.size(), 2u);
    EXPECT_EQ(read.headers[1].name, "b");
    EXPECT_EQ(read.headers[1].value, "x=y");
    EXPECT_EQ(read.resource.service, "orders");
    EXPECT_EQ(read.resource.attributes.at(0).second, "test");
    EXPECT_EQ(read.tracer.sample, 0.25);
}

TEST(TraceOptions, OfTheCommandLineCountMore) {
    TraceFlags flags;
    flags.endpoint = "http://here:1";
    flags.sample = 1;
    const auto read = options(
        {{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://there/x"},
         {"OTEL_TRACES_SAMPLER", "always_off"}},
        flags
    );
    EXPECT_EQ(read.url, "http://here:1/v1/traces");
    EXPECT_EQ(read.tracer.sample, 1);
    EXPECT_EQ(options({{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://t/x"}}).url, "http://t/x");
}

TEST(TraceOptions, LinkToPagesOfTheWeb) {
    TraceFlags flags;
    flags.url = "https://t.example.com/trace/{trace_id}?run={run_id}";
    const auto read = options({{"OTEL_TRACES_SAMPLER_ARG", "0.5"}}, flags);
    EXPECT_EQ(read.url, "");  // others may trace
    EXPECT_EQ(read.links.url, flags.url);
    EXPECT_EQ(read.links.sample, 0.5);
    EXPECT_EQ(options({}).links.url, "");
    for (const char* wrong :
         {"javascript:alert({trace_id})",
          "ftp://t/{trace_id}",
          "https://t.example.com/trace",
          "https://{trace_id}.example.com/",
          "https://t.example.com/{trace_id}\" onclick=\"x",
          "https://t.example.com/ {trace_id}",
          "https:///{trace_id}",
          "//t.example.com/{trace_id}"}) {
        flags.url = wrong;
        EXPECT_THROW(options({}, flags), Failure) << wrong;
    }
}

TEST(TraceOptions, ThatAreWrongAreRefused) {
    const char* endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";
    EXPECT_THROW(options({{endpoint, "collector:4317"}}), Failure);
    for (const char* share : {"2", "-1", "x", "0.1x", "nan"}) {
        EXPECT_THROW(options({{endpoint, "http://c"}, {"OTEL_TRACES_SAMPLER_ARG", share}}), Failure)
            << share;
    }
    EXPECT_THROW(
        options({{endpoint, "http://c"}, {"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"}}), Failure
    );
    EXPECT_THROW(options({{endpoint, "http://c"}, {"OTEL_RESOURCE_ATTRIBUTES", "x"}}), Failure);
}

TEST(ClockFinding, SaysWhoIsAheadAndWhenThatIsTooMuch) {
    const Instant now(std::chrono::seconds(1'700'000'000));
    const auto ms = [](int count) { return Duration(std::chrono::milliseconds(count)); };
    EXPECT_EQ(clock_finding(now, now + ms(5), now + ms(10)).verdict, Verdict::ok);
    const Finding behind = clock_finding(now, now + ms(3000), now + ms(10));
    EXPECT_EQ(behind.verdict, Verdict::warn);
    EXPECT_NE(behind.detail.find("behind"), std::string::npos);
    EXPECT_NE(behind.next.find("NTP"), std::string::npos);
    const Finding ahead = clock_finding(now, now - ms(3000), now + ms(10));
    EXPECT_NE(ahead.detail.find("ahead of"), std::string::npos);
    // A slow answer proves nothing.
    EXPECT_EQ(clock_finding(now, now + ms(4000), now + ms(6000)).verdict, Verdict::ok);
}

}  // namespace
}  // namespace pawl::cli
