#include "cli/commands/examples.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace pawl::cli {

namespace {

constexpr std::size_t page_width = 80;
// A group of commands shows so many; each command shows all of its own.
constexpr std::size_t group_max = 6;

constexpr auto table = std::to_array<Example>({
    {"dev", "pawl dev"},
    {"dev", "pawl dev --data-dir /srv/pawl --listen 127.0.0.1:9000"},
    {"dev", "pawl dev --ephemeral", "nothing is kept"},
    {"dev", "pawl dev --watch workflows/", "publishes what you save"},
    {"worker", "DATABASE_URL=postgresql://... pawl worker --listen 0.0.0.0:8080"},
    {"worker", "pawl worker --threads 2 --functions-url https://example.com/functions"},
    {"serve", "DATABASE_URL=postgresql://... pawl serve"},
    {"serve", "pawl serve --listen 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem"},
    {"serve", "pawl serve --no-worker --cors-origin https://app.example.com"},
    {"serve", "PAWL_JWT_SECRET_FILE=secret pawl serve", "accepts HS256 tokens, as of Supabase"},
    {"serve", "pawl serve --jwks https://example.com/.well-known/jwks.json"},
    {"migrate up", "pawl migrate up"},
    {"migrate status", "pawl migrate status"},
    {"migrate sql", "pawl migrate sql | psql \"$DATABASE_URL\"", "run by hand"},

    {"run", "pawl run hello --data '{\"name\": \"Ada\"}' --wait"},
    {"run", "pawl run import --data @order.json --correlation order-17", "at most one per key"},
    {"run", "jq -c . big.json | pawl run import --data - --delay 10m"},
    {"run", "pawl run order --version 1.3.0", "instead of the one that is active"},
    {"runs list", "pawl runs list --workflow hello --status failed"},
    {"runs list", "pawl runs list --limit 500 -o jsonl | jq .id"},
    {"runs show", "pawl runs show ID -o json"},
    {"runs why", "pawl runs why ID"},
    {"runs retry", "pawl runs retry ID"},
    {"runs rerun", "pawl runs rerun ID"},
    {"runs rerun", "pawl runs rerun ID --from charge --data '{\"amount\": 12}'"},
    {"runs watch", "pawl runs watch ID", "exit code 5 when it did not complete"},
    {"runs cancel", "pawl runs cancel ID --reason 'order withdrawn'"},
    {"runs signal", "pawl runs signal ID go_on"},
    {"runs signal", "pawl runs signal ID rated --data '{\"stars\": 5}'"},
    {"runs pause", "pawl runs pause ID --reason 'the shop is closed'"},
    {"runs resume", "pawl runs resume ID"},
    {"runs skip", "pawl runs skip ID --node charge --reason 'was paid in cash'"},
    {"runs skip", "pawl runs skip ID --node rate --reason 'is down' --value '{\"stars\": 3}'"},
    {"runs settle", "pawl runs settle ID --node charge --as completed --data '{\"id\": 7}'"},
    {"runs settle", "pawl runs settle ID --node charge --as retry --reason 'not charged'"},
    {"runs bulk", "pawl runs bulk cancel --workflow nightly --status waiting --dry-run"},
    {"runs bulk", "pawl runs bulk retry --workflow mail --created-after 2026-03-01 --yes"},
    {"runs bulk", "pawl runs bulk skip --workflow order --node rate --reason gone --yes"},
    {"runs bulk", "pawl runs bulk pause --all --reason 'maintenance' --yes --no-wait"},
    {"jobs list", "pawl jobs list --status running"},
    {"jobs show", "pawl jobs show ID -o json"},
    {"jobs watch", "pawl jobs watch ID", "exit code 8 when something could not be done"},
    {"jobs cancel", "pawl jobs cancel ID", "what it did stays done"},

    {"events send", "pawl events send order.paid --key order-17 --data '{\"total\": 99}'"},
    {"events send", "pawl events send order.paid --key order-17 --id pay-4711", "counts once"},
    {"events list", "pawl events list --name order.paid --key order-17"},
    {"tasks list", "pawl tasks list --assignee ann"},
    {"tasks list", "pawl tasks list --state any --workflow refund -o jsonl"},
    {"tasks show", "pawl tasks show ID"},
    {"tasks claim", "pawl tasks claim ID --by ann"},
    {"tasks unclaim", "pawl tasks unclaim ID --by ann"},
    {"tasks approve", "pawl tasks approve ID --by ann"},
    {"tasks approve", "pawl tasks approve ID --by ann --data '{\"amount\": 80}'", "as edited"},
    {"tasks reject", "pawl tasks reject ID --by ann --reason 'too much'"},
    {"tasks delegate", "pawl tasks delegate ID --by ann --to bob"},
    {"dead-letters list", "pawl dead-letters list --workflow mail"},
    {"dead-letters replay", "pawl dead-letters replay RUN"},
    {"dead-letters replay", "pawl dead-letters replay --all --workflow mail"},
    {"schedules list", "pawl schedules list --workflow report"},
    {"schedules show", "pawl schedules show report"},
    {"schedules pause", "pawl schedules pause 3 --reason 'the provider is down'"},
    {"schedules resume", "pawl schedules resume 3"},
    {"schedules trigger", "pawl schedules trigger report", "the workflow, if it has one schedule"},
    {"schedules trigger", "pawl schedules trigger 3 --data '{\"day\": \"2026-03-01\"}'"},
    {"schedules backfill", "pawl schedules backfill 3 --from 2026-03-01 --to 2026-03-08"},
    {"schedules backfill", "pawl schedules backfill 3 --from 2026-03-01T12:00:00Z"},
    {"schedules backfill", "pawl schedules backfill report --from 2026-03-01 --wait"},
    {"limits list", "pawl limits list --workflow mail"},
    {"limits set", "pawl limits set concurrency 20 --workflow mail"},
    {"limits set", "pawl limits set concurrency 1 --workflow mail --key customer-7"},
    {"limits set", "pawl limits set provider 0", "one that workflows share; none may begin"},
    {"limits clear", "pawl limits clear concurrency --workflow mail"},

    {"workflows apply", "pawl workflows apply -f hello.yaml -f nap.yaml"},
    {"workflows apply", "pawl workflows apply -f workflows/", "every definition in the folder"},
    {"workflows apply", "generate | pawl workflows apply -f -"},
    {"workflows list", "pawl workflows list"},
    {"workflows show", "pawl workflows show hello"},
    {"workflows show", "pawl workflows show hello -o yaml > hello.yaml"},
    {"workflows show", "pawl workflows show hello --graph"},
    {"workflows show", "pawl workflows show -f hello.yaml --graph --format svg > hello.svg"},
    {"workflows validate", "pawl workflows validate -f workflows/", "exit code 2: it is wrong"},
    {"workflows validate", "pawl workflows validate -f hello.yaml -o json"},
    {"workflows diff", "pawl workflows diff -f hello.yaml"},
    {"workflows diff", "pawl workflows diff -f workflows/ && echo nothing to publish"},
    {"workflows delete", "pawl workflows delete hello"},
    {"workflows delete",
     "pawl workflows delete order --cancel-runs",
     "refused with open runs else"},
    {"versions list", "pawl versions list order"},
    {"versions history", "pawl versions history order"},
    {"versions diff", "pawl versions diff order 1.2.0 1.3.0"},
    {"versions activate", "pawl versions activate order 1.3.0"},
    {"versions canary", "pawl versions canary order 1.3.0=5", "5 percent of the starts"},
    {"versions canary", "pawl versions canary order 4=5 5=0", "5 only for those who name it"},
    {"versions canary", "pawl versions canary order --clear"},
    {"versions retire", "pawl versions retire order 1.2.0 --drain"},
    {"versions unretire", "pawl versions unretire order 1.2.0"},
    {"versions off", "pawl versions off order --reason 'charges twice'"},
    {"versions on", "pawl versions on order"},
    {"versions impact", "pawl versions impact order --to 1.3.0"},
    {"versions migrate", "pawl versions migrate order --to 1.3.0 --map charge=bill --dry-run"},
    {"versions migrate", "pawl versions migrate order --to 1.3.0 --from 1.2.0 --drain --yes"},
    {"versions rollback", "pawl versions rollback order --repin"},

    {"test", "pawl test workflows/order.yaml", "with the cases of workflows/order.test.yaml"},
    {"test", "pawl test workflows/ -o json", "exit code 1 when a case fails"},
    {"test", "pawl test order.test.yaml --only refund --trace"},
    {"simulate", "pawl simulate order.yaml --subjects 10000 --graph"},
    {"simulate", "pawl simulate order.yaml --inputs recorded.jsonl --mocks order.test.yaml"},
    {"new workflow", "pawl new workflow order_paid"},
    {"new workflow", "pawl new workflow refund --template approval --dir workflows"},
    {"new process", "pawl new process send_receipt"},
    {"new process", "pawl new process send_code --channel sms --schema auth --dir db/"},
    {"new process", "psql \"$DATABASE_URL\" -f send_receipt.sql -f send_receipt_test.sql"},

    {"keys create", "pawl keys create --name ci --scope runs:write,runs:read --expires 90d"},
    {"keys create", "export PAWL_API_KEY=$(pawl keys create --name me --scope admin)"},
    {"keys list", "pawl keys list"},
    {"keys revoke", "pawl keys revoke pawl_k3j7x2qa"},
    {"tenants create", "pawl tenants create acme"},
    {"tenants create", "pawl --tenant acme keys create --name app --scope admin", "its first key"},
    {"tenants list", "pawl tenants list"},
    {"tenants show", "pawl tenants show acme"},
    {"tenants limit", "pawl tenants limit acme --open-runs 100000 --starts 500"},
    {"credentials set", "export PAWL_SECRET_KEY=$(openssl rand -base64 32)", "for serve too"},
    {"credentials set", "pawl credentials set mail_token < token.txt"},
    {"credentials list", "pawl credentials list"},
    {"credentials delete", "pawl credentials delete mail_token"},
    {"credentials rotate", "PAWL_SECRET_KEY=NEW,OLD pawl credentials rotate"},
    {"webhooks create", "pawl webhooks create --url https://example.com/hook --event 'run.*'"},
    {"webhooks create", "pawl webhooks create --queue finished_runs --event run.completed"},
    {"webhooks list", "pawl webhooks list"},
    {"webhooks show", "pawl webhooks show 1"},
    {"webhooks delete", "pawl webhooks delete 1"},
    {"webhooks test", "pawl webhooks test 1 && pawl webhooks deliveries 1"},
    {"webhooks rotate", "pawl webhooks rotate 1"},
    {"webhooks enable", "pawl webhooks enable 1"},
    {"webhooks deliveries", "pawl webhooks deliveries 1 --state failed"},
    {"webhooks redeliver",
     "pawl webhooks redeliver 1 DELIVERY",
     "the ID of pawl webhooks deliveries"},

    {"bench", "pawl bench", "all workloads, on a throw-away cluster"},
    {"bench", "pawl bench steps limit --json"},
    {"doctor", "pawl doctor --database-url postgresql://... --strict"},
    {"doctor", "pawl doctor --skip clock -o json"},
    {"schema", "pawl schema > pawl.schema.json"},
    {"completion", "pawl completion bash > ~/.local/share/bash-completion/completions/pawl"},
    {"completion", "pawl completion fish > ~/.config/fish/completions/pawl.fish"},
    {"man", "pawl man > pawl.1 && man ./pawl.1"},
    {"version", "pawl version -o json"},
    {"help", "pawl help runs list", "the same as pawl runs list --help"},
});

void append(std::string& page, const Example& example) {
    if (example.remark.empty()) {
        page += fmt::format("\n  {}", example.line);
    } else if (example.line.size() + example.remark.size() + 6 <= page_width) {
        page += fmt::format("\n  {}  # {}", example.line, example.remark);
    } else {
        page += fmt::format("\n  # {}\n  {}", example.remark, example.line);
    }
}

bool is_below(std::string_view command, std::string_view group) {
    return command.size() > group.size() && command.starts_with(group) &&
           command[group.size()] == ' ';
}

std::vector<Example> shown_for(std::string_view command) {
    std::vector<Example> own;
    std::vector<Example> below;  // the first of each
    for (const Example& example : table) {
        if (example.command == command) own.push_back(example);
        if (!is_below(example.command, command) || below.size() == group_max) continue;
        if (below.empty() || below.back().command != example.command) below.push_back(example);
    }
    return own.empty() ? below : own;
}

}  // namespace

std::span<const Example> examples() {
    return table;
}

std::string footer_of(std::string_view command) {
    std::string page = "Examples:";
    for (const Example& example : shown_for(command)) append(page, example);
    page +=
        "\n\nOptions of every command (--database-url, --tenant, -o ...) and exit codes:\n"
        "pawl --help";
    return page;
}

std::string footer_of_all() {
    return "Examples:\n"
           "  pawl dev                                      # everything, to try it out\n"
           "  pawl workflows apply -f workflows/hello.yaml  # publish a workflow\n"
           "  pawl run hello --data '{\"name\": \"Ada\"}' --wait\n"
           "  pawl runs list --status failed -o json\n\n"
           "Database: --database-url, else DATABASE_URL, else PGHOST and the other PG*\n"
           "variables, else the one of a `pawl dev` in this folder (.pawl/dev.env).\n\n"
           "Exit codes: 0 ok, 1 error, 2 wrong input, 4 not authorised, 5 the run did not\n"
           "complete, 6 not found, 7 timeout of --wait, 8 conflict, 130 Ctrl-C.";
}

}  // namespace pawl::cli
