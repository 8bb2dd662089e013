#pragma once

#include "api/http/query_params.hpp"

#include <boost/asio/awaitable.hpp>

namespace pawl::api {

namespace asio = boost::asio;

// A page of a list in the order of names: `list(tenant, after, limit)`.
template <class List, class View>
asio::awaitable<http::ServerResponse> list_by_name(Call call, List list, View view) {
    only_params(call, {"limit", "cursor"});
    const int limit = limit_of(call);
    auto all = co_await list(call.principal.tenant, cursor_of(call), limit + 1);
    std::optional<std::string> next;
    if (cut_to(all, limit)) next = all.back().name;
    co_return page_response(all, next, view);
}

}  // namespace pawl::api
