#pragma once

#include "cli/parse/door_flags.hpp"
#include "host/serve.hpp"

namespace pawl::cli {

// Sets where the server listens, by which names it may be called there, and who reads its metrics.
// The URL under which it is reached and the origins of its API must be set before. Throws Failure
// when the metrics would be open to other machines. The key comes from PAWL_METRICS_KEY or a file,
// never from the command line.
void open_doors(host::ServeOptions& serve, const DoorFlags& flags, const ListenAddress& listen);

}  // namespace pawl::cli
