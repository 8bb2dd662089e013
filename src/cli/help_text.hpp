#pragma once

// What --help says beside the options: examples, and what holds for all commands.
namespace pawl::cli::help {

inline constexpr const char* all =
    "Examples:\n"
    "  pawl dev                                      everything at once, to try it out\n"
    "  pawl workflows apply -f workflows/hello.yaml  publish a workflow\n"
    "  pawl run hello --data '{\"name\": \"Ada\"}' --wait\n"
    "  pawl runs list --status failed -o json\n\n"
    "Database: --database-url, else DATABASE_URL, else PGHOST and the other PG* variables,\n"
    "else the one of a `pawl dev` in this folder (.pawl/dev.env).\n\n"
    "Exit codes: 0 ok, 1 error, 2 wrong input, 4 not authorised, 5 the run did not\n"
    "complete, 6 not found, 7 timeout of --wait, 8 conflict, 130 Ctrl-C.";

inline constexpr const char* dev =
    "  pawl dev\n"
    "  pawl dev --data-dir /srv/pawl --listen 127.0.0.1:9000\n"
    "  pawl dev --ephemeral        (nothing is kept)";

inline constexpr const char* worker =
    "  DATABASE_URL=postgresql://... pawl worker --listen 0.0.0.0:8080\n"
    "  pawl worker --threads 2 --functions-url https://example.com/functions";

inline constexpr const char* serve =
    "  DATABASE_URL=postgresql://... pawl serve\n"
    "  pawl serve --listen 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem\n"
    "  pawl serve --no-worker --cors-origin https://app.example.com\n"
    "  PAWL_JWT_SECRET_FILE=secret pawl serve     (accepts HS256 tokens, as of Supabase)\n"
    "  pawl serve --jwks https://example.com/.well-known/jwks.json --jwt-audience authenticated";

inline constexpr const char* migrate =
    "  pawl migrate up\n"
    "  pawl migrate sql | psql \"$DATABASE_URL\"    (for people who run DDL by hand)";

inline constexpr const char* run =
    "  pawl run hello --data '{\"name\": \"Ada\"}' --wait\n"
    "  pawl run import --data @order.json --correlation order-17   (at most one per key)\n"
    "  jq -c . big.json | pawl run import --data - --delay 10m";

inline constexpr const char* runs_list =
    "  pawl runs list --workflow hello --status failed\n"
    "  pawl runs list --limit 500 -o jsonl | jq .id";

inline constexpr const char* runs_show = "  pawl runs show ID -o json";

inline constexpr const char* runs_why = "  pawl runs why ID";

inline constexpr const char* runs_watch =
    "  pawl runs watch ID        (exit code 5 when it did not complete)";

inline constexpr const char* dead_replay =
    "  pawl dead-letters replay RUN\n"
    "  pawl dead-letters replay --all --workflow mail";

inline constexpr const char* schedules_pause =
    "  pawl schedules pause 3 --reason 'the provider is down'";

inline constexpr const char* schedules_backfill =
    "  pawl schedules backfill 3 --from 2026-03-01 --to 2026-03-08\n"
    "  pawl schedules backfill 3 --from 2026-03-01T12:00:00Z";

inline constexpr const char* limits_set =
    "  pawl limits set concurrency 20 --workflow mail\n"
    "  pawl limits set concurrency 1 --workflow mail --key customer-7\n"
    "  pawl limits set provider 0          (a limit that workflows share; none may begin)";

inline constexpr const char* runs_cancel = "  pawl runs cancel ID --reason 'order withdrawn'";

inline constexpr const char* runs_signal =
    "  pawl runs signal ID go_on\n"
    "  pawl runs signal ID rated --data '{\"stars\": 5}'";

inline constexpr const char* runs_settle =
    "  pawl runs settle ID --node charge --as completed --data '{\"id\": \"ch_1\"}'\n"
    "  pawl runs settle ID --node charge --as retry --reason 'it was not charged'";

inline constexpr const char* runs_retry = "  pawl runs retry ID";

inline constexpr const char* runs_rerun =
    "  pawl runs rerun ID\n"
    "  pawl runs rerun ID --from charge --data '{\"amount\": 12}'";

inline constexpr const char* runs_skip =
    "  pawl runs skip ID --node charge --reason 'was paid in cash'\n"
    "  pawl runs skip ID --node rate --reason 'service is down' --value '{\"stars\": 3}'";

inline constexpr const char* runs_bulk =
    "  pawl runs bulk cancel --workflow nightly --status waiting --dry-run\n"
    "  pawl runs bulk retry --workflow mail --created-after 2026-03-01T00:00:00Z --yes\n"
    "  pawl runs bulk skip --workflow order --node rate --reason 'service is gone' --yes\n"
    "  pawl runs bulk pause --all --reason 'maintenance' --yes --no-wait";

inline constexpr const char* events_send =
    "  pawl events send order.paid --key order-17 --data '{\"total\": 99}'\n"
    "  pawl events send order.paid --key order-17 --id pay-4711    (again: counts once)";

inline constexpr const char* tasks_list =
    "  pawl tasks list --assignee ann\n"
    "  pawl tasks list --state any --workflow refund -o jsonl";

inline constexpr const char* tasks_approve =
    "  pawl tasks approve ID --by ann\n"
    "  pawl tasks approve ID --by ann --data '{\"amount\": 80}'   (edit and approve)";

inline constexpr const char* tasks_reject = "  pawl tasks reject ID --by ann --reason 'too much'";

inline constexpr const char* workflows_apply =
    "  pawl workflows apply -f hello.yaml -f nap.yaml\n"
    "  pawl workflows apply -f workflows/          (every definition in the folder)\n"
    "  generate | pawl workflows apply -f -";

inline constexpr const char* workflows_show =
    "  pawl workflows show hello\n"
    "  pawl workflows show hello -o yaml > hello.yaml\n"
    "  pawl workflows show hello --graph\n"
    "  pawl workflows show -f hello.yaml --graph --format svg > hello.svg";

inline constexpr const char* workflows_validate =
    "  pawl workflows validate -f workflows/       (exit code 2 when something is wrong)\n"
    "  pawl workflows validate -f hello.yaml -o json";

inline constexpr const char* workflows_diff =
    "  pawl workflows diff -f hello.yaml\n"
    "  pawl workflows diff -f workflows/ && echo nothing to publish";

inline constexpr const char* versions_canary =
    "  pawl versions canary order 1.3.0=5          (5 percent of the starts)\n"
    "  pawl versions canary order 4=5 5=0          (5 only for those who name it)\n"
    "  pawl versions canary order --clear";

inline constexpr const char* versions_migrate =
    "  pawl versions impact order --to 1.3.0\n"
    "  pawl versions migrate order --to 1.3.0 --from 1.2.0 --map charge=bill --yes\n"
    "  pawl versions migrate order --to 1.3.0 --from 1.2.0 --drain --yes";

inline constexpr const char* test =
    "  pawl test workflows/order.yaml       (its cases are in workflows/order.test.yaml)\n"
    "  pawl test workflows/ -o json         (exit code 1 when a case fails)\n"
    "  pawl test order.test.yaml --only refund --trace";

inline constexpr const char* simulate =
    "  pawl simulate order.yaml --subjects 10000 --graph\n"
    "  pawl simulate order.yaml --inputs recorded.jsonl --mocks order.test.yaml";

inline constexpr const char* new_process =
    "  pawl new process send_receipt\n"
    "  pawl new process send_code --channel sms --schema auth -o db/\n"
    "  psql \"$DATABASE_URL\" -f send_receipt.sql -f send_receipt_test.sql";

inline constexpr const char* keys_create =
    "  pawl keys create --name ci --scope workflows:write --scope runs:write --expires 90d\n"
    "  export PAWL_API_KEY=$(pawl keys create --name me --scope admin)";

inline constexpr const char* keys_revoke = "  pawl keys revoke pawl_k3j7x2qa";

inline constexpr const char* tenants =
    "  pawl tenants create acme\n"
    "  pawl --tenant acme keys create --name app --scope admin\n"
    "  pawl --tenant acme workflows apply -f order.yaml";

inline constexpr const char* credentials =
    "  export PAWL_SECRET_KEY=$(openssl rand -base64 32)    (also for pawl serve)\n"
    "  pawl credentials set mail_token < token.txt          {{ credentials.mail_token }}\n"
    "  PAWL_SECRET_KEY=NEW,OLD pawl credentials rotate";

inline constexpr const char* webhooks =
    "  pawl webhooks create --url https://example.com/hook --event 'run.*'\n"
    "  pawl webhooks test 1 && pawl webhooks deliveries 1\n"
    "  pawl webhooks create --queue finished_runs --event run.completed --workflow order";

inline constexpr const char* bench =
    "  pawl bench                                all workloads, on a throw-away cluster\n"
    "  pawl bench --workload steps --workload limit --json";

inline constexpr const char* doctor = "  pawl doctor --database-url postgresql://...";

}  // namespace pawl::cli::help
