#pragma once

#include "model/template.hpp"

#include <string>
#include <string_view>

namespace pawl {

// Templates that become a URL: `url` of http and function steps. Data that comes into such a text
// stays one piece of it: it cannot bring a '/', a '?', a '#' or an '@' of its own.
//
//   {{ hook }}                    the whole URL: as the value is
//   {{ base }}/orders/{{ id }}    what stands first begins the URL: as the value is
//   https://{{ host }}/           a host, perhaps with a port: the value must be one
//   https://h/orders/{{ id }}?q={{ text }}    percent-encoded; "." and ".." are refused as segments
Result<std::string> render_url(std::string_view text, const PathLookup& lookup);

// Whether a text is exactly one placeholder.
bool is_whole_placeholder(std::string_view text);

// Whether data decides about a part of the scheme or host of the URL: a step that sends a
// credential must not be led elsewhere by data. The whole URL as one placeholder is not meant here:
// there the author of the definition has said that data decides where the step goes.
bool data_in_host(std::string_view text);

}  // namespace pawl
