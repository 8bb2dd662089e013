#include "steps/secret_search.hpp"

#include "steps/readings.hpp"

#include <gtest/gtest.h>

namespace pawl::steps {
namespace {

std::vector<Span> found(const std::vector<std::string>& secrets, const std::string& text) {
    std::vector<Span> spans;
    SecretSearch(secrets).find({text, {}, {}}, spans);
    return spans;
}

TEST(SecretSearch, FindsAllAndMergesWhatTouches) {
    EXPECT_EQ(found({"abcd", "bc"}, "xbcx abcd"), (std::vector<Span>{{1, 3}, {5, 9}}));
    EXPECT_EQ(found({"abab"}, "abababx"), (std::vector<Span>{{0, 6}}));
    EXPECT_EQ(found({"abcdx", "cdyy"}, "abcdyy"), (std::vector<Span>{{2, 6}}));
    EXPECT_EQ(found({"abcde", "bc", "cdef"}, "abcdef"), (std::vector<Span>{{0, 6}}));
    EXPECT_EQ(found({"AbCd"}, "aBcD"), (std::vector<Span>{{0, 4}}));
    EXPECT_EQ(found({}, "abcd"), std::vector<Span>());
}

TEST(SecretSearch, FindsLettersOfOtherAlphabetsInBothCases) {
    EXPECT_EQ(found({"pässé-ÿ"}, "x PÄSSÉ-Ÿ"), (std::vector<Span>{{2, 12}}));
    EXPECT_EQ(found({"PÄSSÉ"}, "pässé"), (std::vector<Span>{{0, 7}}));
    EXPECT_EQ(found({"łódź"}, "ŁÓDŹ"), (std::vector<Span>{{0, 7}}));
    EXPECT_EQ(found({"λόγος"}, "ΛΌΓΟΣ"), (std::vector<Span>{{0, 10}}));
    EXPECT_EQ(found({"ключёЯ"}, "КЛЮЧЁя"), (std::vector<Span>{{0, 12}}));
    EXPECT_EQ(found({"a×b"}, "a÷b"), std::vector<Span>()) << "no letters";
    // Not UTF-8: bytes are bytes.
    EXPECT_EQ(found({"\xc3\xc3\x89"}, "\xc3\xc3\x89"), (std::vector<Span>{{0, 3}}));
    EXPECT_EQ(found({"ab\xc3"}, "AB\xc3"), (std::vector<Span>{{0, 3}}));
}

// A peer and a tenant that work together choose both sides.
TEST(SecretSearch, TakesTwoMovesAByteWhateverItSearches) {
    struct Case {
        std::string secret;
        std::string text;
    };
    std::string repeated;
    for (int i = 0; i < 25'000; ++i) repeated += "YWFh";
    const Case cases[] = {
        {"aaaa", std::string(100'000, 'a')},
        {std::string(65'000, 'a') + "b", std::string(100'000, 'a')},
        {std::string(65'000, 'a') + "b", repeated},
        {"ab" + std::string(5'000, 'a'), std::string(100'000, 'a')}};
    for (const Case& one : cases) {
        const SecretSearch search({one.secret});
        std::size_t bytes = 0;
        std::size_t moves = 0;
        std::vector<Span> spans;
        each_reading(one.text, search.shortest(), [&](const Reading& reading) {
            bytes += reading.text.size();
            moves += search.find(reading, spans);
        });
        EXPECT_LE(moves, 2 * bytes);
        EXPECT_LE(bytes, 6 * one.text.size());
    }
}

TEST(SecretSearch, ReadsATextAFixedNumberOfTimes) {
    for (const std::string piece :
         {"\\u0041%41", "%255c\\\\u", "&amp;+%2b\\n", "4a-4B ", "\\/+/"}) {
        std::string text;
        while (text.size() < 50'000) text += piece;
        std::size_t bytes = 0;
        each_reading(text, 4, [&](const Reading& reading) { bytes += reading.text.size(); });
        EXPECT_LE(bytes, 21 * text.size()) << piece;
    }
}

}  // namespace
}  // namespace pawl::steps
