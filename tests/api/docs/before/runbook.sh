# A workflow with a run that failed, one that asks a person, and one that waits; a webhook.
pawl workflows apply -f - <<'YAML'
name: order
steps:
  - {name: approve, human: {title: "Ship it?", assignee: boss@example.com}}
YAML
pawl workflows apply -f - <<'YAML'
name: order
steps:
  - {name: charge, code: fail, input: {message: "no money"}}
YAML
pawl run order --wait || [ $? = 5 ]
pawl versions rollback order
pawl run order
pawl webhooks create --url https://example.com/hooks --event 'run.*'
