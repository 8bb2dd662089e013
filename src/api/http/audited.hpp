#pragma once

#include "api/http/router.hpp"
#include "store/repos/audit.hpp"

namespace pawl::api {

// Throws Refused (403) when a browser's session is used to write by a page that is not ours: it
// does not know the session's token against that, or says another origin.
void refuse_foreign_write(const Call& call, std::string_view public_url);

// Whether a success is noted in the audit list: what changes something, but for the starts and
// events of programs.
bool is_audited(const Route& route, const Call& call);
store::AuditEntry audit_entry(const Route& route, const Call& call);

}  // namespace pawl::api
