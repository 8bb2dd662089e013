#pragma once

#include "base/error.hpp"
#include "workers/workers.hpp"

#include <string_view>

namespace pawl::workers {

// Reads YAML or JSON into the settings of the workers csr, bdr, sdr and va:
//
//     model:
//       url: https://api.example.com/v1     # any endpoint that speaks chat completions
//       key_env: MODEL_KEY                  # the key is in this variable; or key: ...
//       model: some-model
//       reply_tokens: "1000"                # of one reply
//       run_tokens: "50000"                 # of all replies of a run, both ways
//       run_cost: "1.00"
//       price_in: "0.15"                    # of a million tokens
//       price_out: "0.60"
//       stream: "on"                        # or off
//       json_schema: "on"                   # off where the endpoint does not know it
//       tokens_field: max_tokens            # or max_completion_tokens
//     calendar:
//       caldav_url: https://cal.example.com/calendars/me/work
//       user: me
//       password_env: CALDAV_PASSWORD
Result<void> parse_settings(std::string_view text, WorkerSettings& settings);

}  // namespace pawl::workers
