#pragma once

#include <boost/json/object.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace pawl::connect {

namespace json = boost::json;

// What stands in a message in place of a link; empty: the link stays.
using LinkFor = std::function<std::string(std::string_view url)>;

// Whether it is an http or https URL that can be in a header and in an attribute as it is.
bool is_plain_url(std::string_view url);

// URLs in a text, up to the punctuation that ends a sentence.
std::string replace_links(std::string_view text, const LinkFor& link);
// Those that <a> and <area> lead to, but for elements with data-track="false"; what is in comments,
// styles and scripts stays.
std::string replace_html_links(std::string_view html, const LinkFor& link);

// Links of a rendered content: its text, its HTML, texts and `uri` actions of LINE messages. An
// HTML gets `pixel` as an image that is not seen. Pure.
json::object track_content(json::object content, const LinkFor& link, std::string_view pixel);

}  // namespace pawl::connect
