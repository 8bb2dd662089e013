#include "model/pattern.hpp"

#include <fmt/core.h>
#include <re2/re2.h>

namespace pawl {

Result<Pattern> Pattern::compile(std::string_view text) {
    if (text.size() > length_max) {
        return Error{
            Errc::too_large,
            fmt::format(
                "the pattern has {} characters; at most {} are allowed", text.size(), length_max
            ),
            {}};
    }
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(1 << 20);
    auto regex = std::make_shared<const RE2>(re2::StringPiece(text.data(), text.size()), options);
    if (!regex->ok()) {
        return Error{
            Errc::invalid,
            fmt::format("'{}' is not a regular expression: {}", text, regex->error()),
            {}};
    }
    constexpr int program_max = 1000;  // the time for one byte of text grows with it
    if (regex->ProgramSize() > program_max) {
        return Error{
            Errc::too_large,
            fmt::format("the pattern '{}' repeats too much: use smaller counts", text),
            {}};
    }
    return Pattern(std::move(regex));
}

bool Pattern::found_in(std::string_view text) const {
    if (text.size() > text_max) {
        std::size_t end = text_max;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
        text = text.substr(0, end);
    }
    return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regex_);
}

}  // namespace pawl
