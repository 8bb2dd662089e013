#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::steps {

// A text as it reads once an encoding is undone, and where each of its bytes stands in the text
// that it was made of.
struct Reading {
    std::string text;
    // One for each byte; both empty: the text is the original.
    std::vector<std::uint32_t> begins;
    std::vector<std::uint32_t> ends;

    std::size_t begin_of(std::size_t at) const { return begins.empty() ? at : begins[at]; }
    std::size_t end_of(std::size_t at) const { return ends.empty() ? at + 1 : ends[at]; }
    void put(char byte, std::size_t begin, std::size_t end) {
        text += byte;
        begins.push_back(static_cast<std::uint32_t>(begin));
        ends.push_back(static_cast<std::uint32_t>(end));
    }
};

// Shows every way to read `text`: as it is; with the escapes of JSON, URLs, forms and HTML undone,
// those of JSON and URLs also twice; the bytes that its hexadecimal digits and its letters of
// base64 stand for, at every offset and across blanks. Takes time and memory in proportion to the
// text. A reading of fewer than `bytes_min` bytes is left out.
void each_reading(
    std::string_view text,
    std::size_t bytes_min,
    const std::function<void(const Reading& reading)>& see
);

}  // namespace pawl::steps
