#include "base/base64.hpp"
#include "sandbox/links_in.hpp"

#include <gtest/gtest.h>

namespace pawl::sandbox {
namespace {

using Texts = std::vector<std::string>;

TEST(SandboxLinks, FindsImagesAndTargetsOfThisMachine) {
    const Links links = links_in(json::object{
        {"html",
         "<a href=\"http://127.0.0.1:8080/l/1?a=1&amp;b=2\">shop</a>"
         "<img src=\"http://localhost:8080/o/1\">"},
        {"text", "see http://[::1]/x or http://127.0.0.1"}});
    EXPECT_EQ(links.images, (Texts{"http://localhost:8080/o/1"}));
    EXPECT_EQ(
        links.targets,
        (Texts{"http://127.0.0.1:8080/l/1?a=1&b=2", "http://[::1]/x", "http://127.0.0.1"})
    );
}

TEST(SandboxLinks, LeavesOtherMachinesAlone) {
    const Links links = links_in(json::object{
        {"text",
         "http://127.0.0.1.evil.example/ http://localhost@evil.example/ http://evil.example/ "
         "https://shop.example/ http://127.0.0.11/ http://10.0.0.1/"}});
    EXPECT_EQ(links.targets, Texts{});
    EXPECT_EQ(links.images, Texts{});
}

TEST(SandboxLinks, ReadsMailAndNoHeadersOfIt) {
    const std::string mail = "Subject: Hi\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
                             to_base64("<img src=\"http://127.0.0.1/o/2\">") + "\r\n--end--\r\n";
    EXPECT_EQ(links_in(json::value(mail)).images, (Texts{"http://127.0.0.1/o/2"}));
    const json::object request{
        {"headers", json::object{{"List-Unsubscribe", "<http://127.0.0.1/u/1>"}}}};
    EXPECT_EQ(links_in(request).targets, Texts{});
}

TEST(SandboxLinks, StopsAtTwenty) {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "http://127.0.0.1/ ";
    EXPECT_EQ(links_in(json::value(text)).targets.size(), 20U);
}

}  // namespace
}  // namespace pawl::sandbox
