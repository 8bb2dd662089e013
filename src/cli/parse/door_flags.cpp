#include "cli/parse/door_flags.hpp"

#include "cli/parse/typed_options.hpp"

namespace pawl::cli {

namespace {

Result<std::optional<ListenAddress>> some_address(const std::string& text) {
    const auto address = parse_listen_address(text);
    if (!address) return address.error();
    return std::optional<ListenAddress>(*address);
}

}  // namespace

void add_host_flag(App& app, DoorFlags& flags) {
    app.add_option(
           "--allowed-host",
           flags.allowed_hosts,
           "Answer to this name too; may be repeated [on loopback: the names of this machine]"
    )
        ->type_name("NAME")
        ->delimiter(',')
        ->envname("PAWL_ALLOWED_HOST");
}

void add_door_flags(App& app, DoorFlags& flags) {
    add_host_flag(app, flags);
    const char* own = "A port of its own for /metrics, without a key on 127.0.0.1";
    add_parsed(app, "--metrics-listen", flags.metrics_listen, some_address, own)
        ->type_name("HOST:PORT")
        ->envname("PAWL_METRICS_LISTEN");
    app.add_option(
           "--metrics-key",
           flags.metrics_key_file,
           "A file with the key that opens /metrics (or: PAWL_METRICS_KEY)"
    )
        ->type_name("FILE")
        ->envname("PAWL_METRICS_KEY_FILE");
}

}  // namespace pawl::cli
