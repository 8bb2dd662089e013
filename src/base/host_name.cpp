#include "base/host_name.hpp"

#include <unistd.h>

namespace pawl {

std::string host_name() {
    char host[256] = "unknown";
    gethostname(host, sizeof host - 1);
    return host;
}

}  // namespace pawl
