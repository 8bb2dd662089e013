#include "model/compare.hpp"

#include "base/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace pawl {

namespace {

// Exact, where a conversion to double would take 2^53 + 1 for 2^53.
template <class Whole>
std::partial_ordering compare_mixed(Whole whole, double number) {
    if (std::isnan(number)) return std::partial_ordering::unordered;
    // Both limits are powers of two, so they are exact as double.
    const double low = std::is_signed_v<Whole> ? -0x1p63 : 0;
    const double high = std::is_signed_v<Whole> ? 0x1p63 : 0x1p64;
    if (number >= high) return std::partial_ordering::less;
    if (number < low) return std::partial_ordering::greater;
    const double whole_part = std::floor(number);
    const auto other = static_cast<Whole>(whole_part);
    if (whole != other) return whole <=> other;
    return whole_part < number ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

template <class Left, class Right>
std::partial_ordering compare_whole(Left left, Right right) {
    if (std::cmp_less(left, right)) return std::partial_ordering::less;
    return std::cmp_equal(left, right) ? std::partial_ordering::equivalent
                                       : std::partial_ordering::greater;
}

template <class Left>
std::partial_ordering compare_to(Left left, const json::value& right) {
    if (const auto* number = right.if_double()) return compare_mixed(left, *number);
    if (const auto* number = right.if_int64()) return compare_whole(left, *number);
    return compare_whole(left, right.get_uint64());
}

std::partial_ordering flip(std::partial_ordering order) {
    if (std::is_lt(order)) return std::partial_ordering::greater;
    return std::is_gt(order) ? std::partial_ordering::less : order;
}

std::partial_ordering compare_numbers(const json::value& left, const json::value& right) {
    if (const auto* number = left.if_int64()) return compare_to(*number, right);
    if (const auto* number = left.if_uint64()) return compare_to(*number, right);
    if (const auto* number = right.if_double()) return left.get_double() <=> *number;
    return flip(compare_numbers(right, left));
}

}  // namespace

std::partial_ordering compare(const json::value& left, const json::value& right) {
    if (left.is_number() && right.is_number()) return compare_numbers(left, right);
    if (left.is_string() && right.is_string()) {
        return std::string_view(left.get_string()) <=> std::string_view(right.get_string());
    }
    return std::partial_ordering::unordered;
}

bool equal(const json::value& left, const json::value& right) {
    if (left.is_array() && right.is_array()) {
        const auto& items = left.get_array();
        const auto& others = right.get_array();
        return std::equal(items.begin(), items.end(), others.begin(), others.end(), equal);
    }
    if (left.is_object() && right.is_object()) {
        const auto& other = right.get_object();
        if (left.get_object().size() != other.size()) return false;
        return std::all_of(
            left.get_object().begin(),
            left.get_object().end(),
            [&other](const auto& member) {
                const json::value* value = other.if_contains(member.key());
                return value != nullptr && equal(member.value(), *value);
            }
        );
    }
    if (left.is_null() && right.is_null()) return true;
    if (left.is_bool() && right.is_bool()) return left.get_bool() == right.get_bool();
    return std::is_eq(compare(left, right));
}

}  // namespace pawl
