#include "steps/fold_case.hpp"

#include "steps/digits.hpp"

#include <algorithm>
#include <array>

namespace pawl::steps {

namespace {

// Capital letters that stand together, and how far it is to their small ones. A step of two is for
// alphabets in which the two alternate.
struct Capitals {
    unsigned first;
    unsigned last;
    unsigned step;
    int to_small;
};

constexpr std::array<Capitals, 24> capitals{{
    {0x00C0, 0x00D6, 1, 0x20}, {0x00D8, 0x00DE, 1, 0x20}, {0x0100, 0x012E, 2, 1},
    {0x0132, 0x0136, 2, 1},    {0x0139, 0x0147, 2, 1},    {0x014A, 0x0176, 2, 1},
    {0x0178, 0x0178, 1, -121}, {0x0179, 0x017D, 2, 1},    {0x0386, 0x0386, 1, 0x26},
    {0x0388, 0x038A, 1, 0x25}, {0x038C, 0x038C, 1, 0x40}, {0x038E, 0x038F, 1, 0x3F},
    {0x0391, 0x03A1, 1, 0x20}, {0x03A3, 0x03AB, 1, 0x20}, {0x03C2, 0x03C2, 1, 1},
    {0x0400, 0x040F, 1, 0x50}, {0x0410, 0x042F, 1, 0x20}, {0x0460, 0x0480, 2, 1},
    {0x048A, 0x04BE, 2, 1},    {0x04C0, 0x04C0, 1, 0x0F}, {0x04C1, 0x04CD, 2, 1},
    {0x04D0, 0x04FE, 2, 1},    {0x0500, 0x052E, 2, 1},    {0x0531, 0x0556, 1, 0x30},
}};

unsigned small(unsigned letter) {
    const auto range = std::find_if(capitals.begin(), capitals.end(), [&](const Capitals& one) {
        return letter <= one.last;
    });
    if (range == capitals.end() || letter < range->first) return letter;
    if ((letter - range->first) % range->step != 0) return letter;
    return static_cast<unsigned>(static_cast<int>(letter) + range->to_small);
}

unsigned byte_at(std::string_view text, std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

// Of the letters above: all have two bytes.
bool begins_letter(unsigned byte) {
    return byte >= 0xC3 && byte <= 0xD5;
}

bool goes_on(unsigned byte) {
    return (byte & 0xC0U) == 0x80U;
}

unsigned letter_of(unsigned first, unsigned second) {
    return (first & 0x1FU) << 6U | (second & 0x3FU);
}

}  // namespace

unsigned char folded_at(std::string_view text, std::size_t at) {
    const unsigned byte = byte_at(text, at);
    if (byte < 0x80) return static_cast<unsigned char>(lower(text[at]));
    const unsigned next = byte_at(text, at + 1);
    if (begins_letter(byte) && goes_on(next)) {
        return static_cast<unsigned char>(0xC0U | small(letter_of(byte, next)) >> 6U);
    }
    const unsigned before = at == 0 ? 0U : byte_at(text, at - 1);
    if (goes_on(byte) && begins_letter(before)) {
        return static_cast<unsigned char>(0x80U | (small(letter_of(before, byte)) & 0x3FU));
    }
    return static_cast<unsigned char>(byte);
}

}  // namespace pawl::steps
