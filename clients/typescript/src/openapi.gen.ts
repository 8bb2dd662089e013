// Generated from src/api/openapi/*.yaml: npm run generate -w @pawl/client

export interface paths {
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The API keys of the tenant, without their secrets
         * @description At most 1,000, the oldest first. Revoked and expired ones are listed too.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Make an API key
         * @description The key itself is in this answer and nowhere else: only its hash is kept. Give it a role, scopes, or both.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{prefix}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As `GET /v1/keys` shows it, or the number of the key
                 * @example pawl_x7kq2abc
                 */
                prefix: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It opens nothing any more: servers notice within 5 seconds, and sessions that were begun with it end. The key stays in the list.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People who may act for the tenant
         * @description Those that sign in by an identity provider, by their names there.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{subject}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As the identity provider names them: a verified email address, or the subject of its tokens
                 * @example ann@example.com
                 */
                subject: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Make someone a member, or change their role
         * @description Sessions they have get the new role within 5 seconds.
         */
        put: operations["putMember"];
        post?: never;
        /**
         * Take someone out of the tenant
         * @description Their sessions no longer act for it.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who changed what, when, and from where
         * @description Newest first. Every successful call that changes something is here, and every sign-in. Starts, events and signals of programs are not: the runs have them.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The connectors that messages can be sent with
         * @description Connectors that come with Pawl and those of the tenant, by name. Each lists the credentials and settings that an account needs.
         */
        get: operations["listConnectors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{connector}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
            };
            cookie?: never;
        };
        /**
         * One connector
         * @description For a connector of the tenant, the answer has its definition too.
         */
        get: operations["getConnector"];
        /**
         * Add or change a connector of the tenant
         * @description The body is the definition as YAML or JSON: how Pawl turns a message into a request, what
         *     the provider's answers mean, and how its hooks are signed and read. A refusal lists all
         *     mistakes. The names of connectors that come with Pawl are refused with 409 (`name_taken`).
         */
        put: operations["putConnector"];
        post?: never;
        /**
         * Delete a connector of the tenant
         * @description Refused with 409 (`has_accounts`) while it has accounts.
         */
        delete: operations["deleteConnector"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{connector}/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
            };
            cookie?: never;
        };
        /**
         * The accounts of a connector, without their credentials
         * @description Each has a `hook_url`, where the provider reports what happened to messages.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{connector}/accounts/{account}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
                /**
                 * @description A name of your choice. A message that names no account uses the one with the setting `default: true`, else the one called `default`, else the only one
                 * @example shop
                 */
                account: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Add or change an account
         * @description Credentials are stored encrypted and cannot be read back. If you leave `credentials` out,
         *     the stored ones stay; a request with a new `base_url` must have them. Enter `hook_url` in
         *     the provider's console; it stays the same when the account changes.
         */
        put: operations["putAccount"];
        post?: never;
        /**
         * Delete an account
         * @description Deletes its credentials. Hooks of the account are refused, and messages that use it fail.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hooks/{connector}/{endpoint}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
                /**
                 * @description The last part of an account's `hook_url`
                 * @example dGhpcyBpcyBhbiBlbmRwb2ludC4
                 */
                endpoint: string;
            };
            cookie?: never;
        };
        /**
         * Check that the endpoint exists, for the consoles of providers
         * @description Answers 200 without a text, or 404 if there is no such endpoint.
         */
        get: operations["verifyHook"];
        put?: never;
        /**
         * Receive what a provider reports about messages
         * @description The body must have the provider's signature; otherwise the answer is 401 (`bad_signature`).
         *     When Pawl answers, the reported facts are durable. Pawl recognises each fact by the
         *     provider's id, so repeated calls, late calls and calls in another order give the same
         *     result. The body may have 1 MiB.
         */
        post: operations["takeHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The names of the credentials, without their secrets
         * @description Names and dates; a secret that was stored is never shown again.
         */
        get: operations["listCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credentials/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the credential
                 * @example mail_token
                 */
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Store a secret under a name
         * @description The secret is stored encrypted and cannot be read back. `http` and `function` steps use it as `{{ credentials.NAME }}`.
         */
        put: operations["putCredential"];
        post?: never;
        /**
         * Delete a secret; steps that use it fail from then on
         * @description The secret is gone for good. Runs that need it fail at the step that uses it.
         */
        delete: operations["deleteCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Runs that gave up, newest first
         * @description Failed runs that were not replayed yet, and those that were. Filter by workflow, step or the fingerprint of a group.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Dead letters grouped by error, most frequent first
         * @description Errors of the same kind at the same step are one group, so that a thousand failures with one cause are one line.
         */
        get: operations["groupDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay all that match, as a job of the server; or some by their ids, at once
         * @description Each run is continued by a new one that begins at the step that failed; what was done before is not done again. Many are replayed by a job.
         */
        post: operations["replayDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/groups/{fingerprint}/mute": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the error, as the groups say it
                 * @example 3f9c1d20a7b4e865
                 */
                fingerprint: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Say that an error needs no attention
         * @description Its dead letters stay and can be replayed. The group says who muted it and why, and the overview does not count it as failing.
         */
        put: operations["muteFailures"];
        post?: never;
        /**
         * Let an error count as failing again
         * @description Its group and the overview show it as before.
         */
        delete: operations["unmuteFailures"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Continue at the step that failed, as a new run
         * @description The new run begins at the step that failed, with the data that the old one had.
         */
        post: operations["replayDeadLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Workflows that are being written, by name
         * @description Without their texts. A draft may have the name of a workflow, or a new one.
         */
        get: operations["listDrafts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /**
         * What someone is writing, with its etag
         * @description The answer also has the header `ETag`, which a later save sends as `If-Match`.
         */
        get: operations["getDraft"];
        /**
         * Save what someone is writing
         * @description The text need not be a definition that can be read. The header `If-Match` names the draft that the writer saw; without it there must be none. If another one is there, the answer is 412, with that draft as `current`, and nothing is saved.
         */
        put: operations["putDraft"];
        post?: never;
        /**
         * Throw a draft away
         * @description As a page does once it has published it. With `If-Match`, only the draft that the caller saw: otherwise 412.
         */
        delete: operations["deleteDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/layout": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Say where an editor draws the nodes
         * @description Makes no new version. A definition that is published with a `layout` says the same. The object is kept as it is, up to 256 KiB.
         */
        put: operations["putLayout"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events that came from outside, newest first
         * @description What programs published lately, newest first, with whether each event was matched.
         */
        get: operations["listInbox"];
        put?: never;
        /**
         * Publish events
         * @description One event, or a list of up to 1,000. Runs that wait for this name with this key get it,
         *     even if they reach their wait later; workflows with such a trigger are started. An event
         *     with an `id` that was published before is ignored. An event that was answered is durable.
         *
         *     CloudEvents 1.0 are accepted in structured, batched and binary mode (`ce-*` headers):
         *     `type` is the name, `partitionkey` or else `subject` the key, and ids are unique per source.
         */
        post: operations["publishEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tables whose changes become events
         * @description Those whose rows may be yours, by name. `pawl.watch_table` watches a table.
         */
        get: operations["listWatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/signals": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signal to a run
         * @description A step that waits for a signal of this name continues with its data. A signal that arrives
         *     before the wait is kept if the run waits for no other signal and its workflow has a wait for
         *     this one. A name that the run cannot use is refused with 409 `not_awaited` and the names in
         *     `waits_for`, unless it is sent `early`.
         */
        post: operations["signalRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold a run before its next step
         * @description The steps under way end; no other begins until the run is resumed.
         */
        post: operations["pauseRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Continue a paused run
         * @description The run goes on where it was paused or held.
         */
        post: operations["resumeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip a step and continue after it
         * @description For a step that the run is at: one under way, between two attempts, or waiting. A 409 says
         *     which those are.
         *     The run leaves the step by its default edge, with `value` as its result; it does not wait
         *     for an attempt under way.
         */
        post: operations["skipStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the outcome of a step whose outcome is unknown
         * @description For a step whose request may or may not have been executed: no answer came after it was
         *     sent, and sending it again could do it twice. The step waits until its peer calls back or a
         *     person who has checked reports the outcome. 409 if the outcome of the step is not unknown.
         */
        post: operations["settleStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/callbacks/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From the header Pawl-Callback-Token of the call
                 * @example k1.8Jm2
                 */
                token: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the outcome of a step that answered 202
         * @description Public: the token is the proof, and is used once. Repeating the same outcome gets the same
         *     answer; a different outcome gets 409.
         */
        post: operations["callBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/callbacks/{token}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From the header Pawl-Callback-Token of the call
                 * @example k1.8Jm2
                 */
                token: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a step that answered 202 is still working
         * @description For a step with `heartbeat`: without this in time, the step fails. Public: the token is the
         *     proof; it is not used up.
         */
        post: operations["beatCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/workflow-enqueue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * workflow-enqueue: enqueue, status, health
         * @description For front ends of document 000: starts a workflow, lists and shows executions, cancels and retries them.
         */
        post: operations["workflowEnqueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/workflow-orchestrator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * workflow-orchestrator: process due work now
         * @description For front ends of document 000: lists and changes definitions, and looks at executions.
         */
        post: operations["workflowOrchestrator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/workflow-executor-worker": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process what is due for the organization of the key and report the result
         * @description For a cron job of document 004: works off the executions of organizations.
         */
        post: operations["workflowExecutorWorker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jobs of the servers, newest first
         * @description Work on many runs that servers do in the background: replays, bulk actions, migrations.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job
                 * @example 0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37
                 */
                id: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        /**
         * A job and its progress
         * @description How far it is, and examples of runs that it could not do.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job
                 * @example 0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37
                 */
                id: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start no more runs of an audience for now
         * @description The part under way is finished. Only jobs of audiences can be paused.
         */
        post: operations["pauseJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job
                 * @example 0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37
                 */
                id: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on with a job that was paused
         * @description It goes on where it was paused.
         */
        post: operations["resumeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job
                 * @example 0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37
                 */
                id: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a job
         * @description What it has done stays done; the part under way is finished. A finished job cannot be
         *     stopped (409); one that was cancelled before is returned as it is.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/dispatch-workflow-trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * dispatch-workflow-trigger: report that a row of a table has changed
         * @description Starts the workflows whose triggers match the change. Tables that Pawl watches do not need this call. Several calls for one INSERT or DELETE with a `record_id` count once.
         */
        post: operations["dispatchWorkflowTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/send-line-message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * send-line-message: send LINE messages to a person
         * @description Starts a run of the workflow `send_line`, which the first call publishes, and waits up to 25 seconds for its end. If the message is skipped, for instance because the person has unsubscribed, the answer is 200 with `success: false` and the `reason`.
         */
        post: operations["sendLineMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/send-sms-8x8": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * send-sms-8x8: send an SMS to a person
         * @description Starts a run of the workflow `send_sms_8x8`, which the first call publishes. The message goes through the tenant's account at 8x8, also if it has others for SMS. The answers are those of send-line-message.
         */
        post: operations["sendSms8x8"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/line-webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * line-webhook: LINE reports messages, follows and unfollows
         * @description One address for all merchants: Pawl finds the account by the signature. If there are more than 100 LINE accounts, give each the setting `bot_user_id`, or use the `hook_url` of each.
         */
        post: operations["lineWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Limits that apply to runs now, and limits that were set, by name
         * @description Every limit with the places that are taken and the runs that wait for one.
         */
        get: operations["listLimits"];
        put?: never;
        /**
         * Override a limit of the definition, or remove the override
         * @description It applies at once: waiting runs begin if there is room now; runs under way continue, even
         *     if there are more of them than the new limit. 0 lets no run begin. For a rate, it is how
         *     many runs may begin per period, from the next one on.
         */
        post: operations["setLimit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/l/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the link in a message
                 * @example k1.8Jm2
                 */
                token: components["parameters"]["linkToken"];
            };
            cookie?: never;
        };
        /**
         * A link of a message, by way of this server
         * @description Leads to the address that is signed in the token, and notes the click (`message.clicked`). What is known to be a program, and every HEAD, is noted apart (`machine`).
         */
        get: operations["followLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/o/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the link in a message
                 * @example k1.8Jm2
                 */
                token: components["parameters"]["linkToken"];
            };
            cookie?: never;
        };
        /**
         * The image by which an HTML mail is known to be opened
         * @description The token ends in `.gif`. Notes the opening, that of programs apart.
         */
        get: operations["showPixel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/p/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the link in a message
                 * @example k1.8Jm2
                 */
                token: components["parameters"]["linkToken"];
            };
            cookie?: never;
        };
        /**
         * The page where a person says what they want to get
         * @description Opening it changes nothing.
         */
        get: operations["showPreferences"];
        put?: never;
        /**
         * Save what a person wants to get
         * @description Of what is `seen`, that is wanted which is also in `want`; `none` means nothing of it. Values are `channel:category`.
         */
        post: operations["savePreferences"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages that were sent or skipped, newest first
         * @description Skipped messages are listed too, with the reason. With only `state` or `workflow`, a request examines a few thousand messages, so a page may be short or empty and still have a next one.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the message
                 * @example 0197d3c9-1d70-7a85-b6e2-9f3c5a8d7e14
                 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * A message and all that the provider reported about it
         * @description A fact is one report of the provider, such as `opened`. Those of programs that open messages are included, with `machine`.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Addresses that get no messages
         * @description Pawl adds an address after a hard bounce, a complaint or an unfollow; you can add others.
         */
        get: operations["listSuppressions"];
        put?: never;
        /**
         * Stop all messages to an address
         * @description All messages to it are skipped (`suppressed`), also transactional ones.
         */
        post: operations["suppressAddress"];
        /**
         * Let an address get messages again
         * @description Whatever the reason was. Older facts that arrive later change nothing.
         */
        delete: operations["liftSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/unsubscribe/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Part of the link in a message
                 * @example k1.8Jm2
                 */
                token: string;
            };
            cookie?: never;
        };
        /**
         * The page behind the unsubscribe link of a message
         * @description Opening the page changes nothing.
         */
        get: operations["showUnsubscribe"];
        put?: never;
        /**
         * Unsubscribe by the link of a message (RFC 8058)
         * @description Sent by the button of the page, or by a mail program with `List-Unsubscribe=One-Click`. A second request changes nothing.
         */
        post: operations["unsubscribeByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/message-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When and how often messages go out, by channel
         * @description A channel without its own policy has the policy of `*`.
         */
        get: operations["listMessagePolicies"];
        /**
         * Set when and how often messages go out
         * @description Replaces the policy of the channel; a rule that you leave out does not apply. Transactional
         *     messages ignore policies. In quiet hours a message waits. A message beyond the cap, or to a
         *     person in the holdout, is skipped.
         */
        put: operations["putMessagePolicy"];
        post?: never;
        /**
         * Delete a policy
         * @description Deletes the policy of one channel, or that of `*`.
         */
        delete: operations["deleteMessagePolicy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/funnel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example welcome_series
                 */
                name: string;
            };
            cookie?: never;
        };
        /**
         * How many people entered, where they are, and what happened to messages
         * @description Counts what happened between `from` and `to`. The counts follow the log by about a second;
         *     `as_of` says how far they are. With `by`, the answer has `groups` instead of `totals`,
         *     `nodes` and `edges`; with `by=variant` also `comparisons` of the variants of each split.
         *     `inside` and `waiting` are counted now, whatever `from` and `to` say. A run that moved to
         *     another version counts for the version it began with.
         */
        get: operations["getFunnel"];
        /**
         * Count the runs of a workflow that is not a journey
         * @description Pawl always counts journeys: workflows that send messages, split, have a goal or select who
         *     enters. For another workflow, it counts the runs that begin at least a minute after this
         *     call. For a workflow that is counted already, the call changes nothing. The answer is the
         *     funnel of the workflow.
         */
        put: operations["countWorkflow"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/people": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example welcome_series
                 */
                name: string;
            };
            cookie?: never;
        };
        /**
         * Who is in a workflow, and where
         * @description People whose runs wait: for a time, an event, a decision, or the next attempt of a step. A
         *     person who waits in several branches is listed several times. With `state` completed,
         *     exited, failed or cancelled: people whose runs have ended that way, newest first; `ended`:
         *     in any way. With `at` as well: people who came to that node and did not go on from there.
         *     Such a list looks through the newest 10,000 of these runs. CSV contains all of them at once
         *     and ignores `limit`.
         */
        get: operations["listPeopleInside"];
        put?: never;
        /**
         * Let people who wait at a step go on, or take them out
         * @description `release` skips the wait: each leaves the step by its default edge, or by `handle`. `exit`
         *     cancels their runs. Without `runs` it is about all who wait there, at most `limit` of them
         *     in one call: go on with `next_cursor` while `has_more`.
         */
        post: operations["movePeople"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example welcome_series
                 */
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a workflow with the events of the past
         * @description Replays the events since `since` in virtual time, also those of watched tables, with the
         *     people as they are now. Nothing is sent or called: steps succeed, messages count as sent to
         *     people who have an address, and conditions that query the database count as false
         *     (`assumed_false`). Pawl does not store events that no workflow uses, so it cannot replay
         *     them.
         */
        post: operations["simulateWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is wrong with the database, and what to do about it
         * @description The findings of `pawl doctor` that are about the database. They are of all tenants: the key must be one of the tenant `default`.
         */
        get: operations["examineDatabase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who carries out runs
         * @description All workers of the database. The key must be one of the tenant `default`.
         */
        get: operations["listWorkers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workers/{id}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As `GET /v1/workers` shows it
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                id: components["parameters"]["workerId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a worker take no more runs
         * @description Within two seconds it claims nothing more and gives back the runs it holds: steps under way are finished first, and other workers go on from there. The process stays; it answers requests, and runs that are started there are taken by other workers. With a key of the tenant `default`.
         */
        post: operations["drainWorker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workers/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As `GET /v1/workers` shows it
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                id: components["parameters"]["workerId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a worker take runs again
         * @description Takes back that it was drained. With a key of the tenant `default`.
         */
        post: operations["resumeWorker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What waits, and since when
         * @description Queues of Pawl itself, then those of pgmq in this database, by name. Lengths are counted up to 10,000. The key must be one of the tenant `default`.
         */
        get: operations["listQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queues/{name}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a queue of pgmq
                 * @example workflow_queue
                 */
                name: components["parameters"]["queueName"];
            };
            cookie?: never;
        };
        /**
         * Look at messages of a queue of pgmq
         * @description The oldest first. Nothing is taken, hidden or counted as read. A page has at most 100 messages; one of more than 64 kB shows its size alone. With a key of the tenant `default`.
         */
        get: operations["peekQueue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queues/{name}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a queue of pgmq
                 * @example workflow_queue
                 */
                name: components["parameters"]["queueName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete all messages of a queue of pgmq
         * @description Also those that a reader has hidden for now. They cannot be brought back. With a key of the tenant `default`.
         */
        post: operations["purgeQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Targets of steps that failed, and whether they are left alone
         * @description Each worker learns by itself that a target is down, and calls it no more for a while. Here are the targets for which that happened to a worker at work, for this tenant.
         */
        get: operations["listTargets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/targets/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a target again at once
         * @description For one that is known to be back: within two seconds every worker closes the circuit. If it still fails, it is left alone again.
         */
        post: operations["closeTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The people of the tenant, by key
         * @description Those that Pawl stores or, if the tenant keeps its people in its own table (`pawl.set_person_source`), those in that table.
         */
        get: operations["listPeople"];
        put?: never;
        /**
         * Add or replace many people
         * @description Saves all of them or none. If several have the same key, the last one counts.
         */
        post: operations["putPeople"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        /**
         * What is known about a person now
         * @description Read from the tenant's own table, if it has one; `source` names it.
         */
        get: operations["getPerson"];
        /**
         * Add or replace a person
         * @description Replaces the whole person: values that you leave out are deleted. Workflows see `attributes`
         *     as `{{ user.NAME }}` and send messages to `addresses`. Refused with 409
         *     (`people_elsewhere`) if the tenant keeps its people in its own table.
         */
        put: operations["putPerson"];
        post?: never;
        /**
         * Erase a person
         * @description Deletes what is known about the person, also from messages and facts; the counts of messages stay. Addresses that are suppressed, or that belong to a person who had unsubscribed, stay as hashes with a secret key (HMAC). With `runs`, closed runs about the person are deleted with their logs. Open runs continue, and their messages are skipped (`no_person`). You must delete rows in your own tables yourself.
         */
        delete: operations["erasePerson"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{key}/links": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        /**
         * The links by which a person chooses which messages they get
         * @description The links are signed and need no login: anyone with a link can change what the person gets. Messages contain them as `{{ preferences_url }}` and `{{ unsubscribe_url }}`.
         */
        get: operations["getPersonLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{key}/line-link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a person link their LINE account
         * @description LINE sends the person to your site with a link token. After they have logged in there, call this, and send them to `url` within 30 minutes. LINE then calls the hook of the account (`accountLink`), and the person's `line` messages go to that LINE user.
         */
        post: operations["linkLine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{key}/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unsubscribe a person
         * @description Transactional messages still go out.
         */
        post: operations["unsubscribePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{key}/resubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe a person again
         * @description The person gets messages of these channels and categories again. If they had unsubscribed from more than that, the other channels and categories stay unsubscribed.
         */
        post: operations["resubscribePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/person-source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * In which table people are
         * @description What `pawl.set_person_source` said in the database. It decides what is read with the rights of the owner of the schema, so only SQL changes it.
         */
        get: operations["getPersonSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{key}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        /**
         * The history of a person, newest first
         * @description Runs about the person, messages to them, and what happened to these messages. Facts without a message, such as a reply or a follow, have null for message, run and workflow. If a message was skipped, the `reason` of its entry says why.
         */
        get: operations["getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/rehearse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One run of a definition in virtual time, step by step
         * @description What `pawl test` does with a case, for a definition that need not be published. Nothing is
         *     sent, called or kept: a step answers with its mock, messages go to people who have an
         *     address, conditions that ask the database are false, an agent takes its first choice, and
         *     everything else answers {} (`made_up`). Waits take no time. Without `person` the subject is
         *     looked up among the people.
         */
        post: operations["rehearseWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many runs began and ended over time
         * @description The workers count every 15 seconds; the last half minute is not complete. Minutes are kept for two days, hours for 400 days. Days begin at midnight UTC.
         */
        get: operations["runRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What waits, what fails, and how the service does
         * @description For a first look: counts stop at 10,000, failing errors at 100. `service` is about all tenants, so only the tenant `default` gets it; its figures of the database are those that the workers took last, every 15 seconds.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Runs, newest first
         * @description Newest first. A page says where the next one begins; filters go together. `error` and
         *     `where` have no index: a page looks through 2,000 open and 2,000 closed runs that meet the
         *     other filters, says in `scanned` how many, and the next page continues there.
         */
        get: operations["listRuns"];
        put?: never;
        /**
         * Start a run
         * @description The input is checked first; the answer names everything that is missing, or does not fit the
         *     `input_schema` of the workflow. A run that was
         *     answered is durable. With `wait` the answer comes when the run has closed, or as 202 if
         *     that takes longer.
         */
        post: operations["startRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many runs match, by status
         * @description Up to 10,000 runs of each status are counted, of 100,000 open ones that are looked at;
         *     `complete` says whether these are all. With
         *     `error` or `where` those of the newest 1,000 of each status that match are counted.
         */
        get: operations["countRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start up to 1,000 runs, all or none
         * @description All of them are started in one transaction, or none.
         */
        post: operations["startRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply one action to all matching runs, as a job of the server
         * @description `cancel`, `pause`, `resume`, `signal`, `skip` and `settle` are for open runs (`settle` for
         *     those whose step `node` has an unknown outcome), `retry` for failed and
         *     cancelled ones that were not retried before, `rerun` for closed ones.
         *     With `dry_run` nothing is changed. The job covers the runs that exist now; it touches each
         *     of them once, even if the server dies in between.
         */
        post: operations["bulkRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        /**
         * A run
         * @description Its status, input, output and error, and what it waits for.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        /**
         * The log of a run, oldest first
         * @description The log of the run, in order: everything that happened to it.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        /**
         * The steps of a run with their attempts
         * @description The steps of the run with their attempts, results and errors.
         */
        get: operations["listSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/stream": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Continue after this event
                 * @example 3
                 */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        /**
         * The log of a run as it grows (server-sent events)
         * @description Each event of the log is one message: `id` is its seq, `event` its type, `data` the
         *     event as JSON. When the run has closed, an `end` message carries the run, and the stream
         *     ends. A comment is sent every 15 s. When the key is revoked or the token expires, a
         *     `refused` message says so (`status`, `code`, `detail`), and the stream ends. Streams and
         *     starts with `wait` of a tenant may use a quarter of the server's connections; more get 429.
         */
        get: operations["streamRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a run to stop
         * @description The steps under way end, what has `compensate` is undone, and the run is closed. With `force` nothing is awaited.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Continue at the step that failed, as a new run
         * @description A closed run stays closed: a new run continues at the step that failed, with the results that are there.
         */
        post: operations["retryRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        /**
         * Why a run does not move, and what would move it
         * @description One sentence on what the run waits for or why it does not move, and what would move it.
         */
        get: operations["whyRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start again from the first step, with the same input or an edited one
         * @description A new run with the same input, from the beginning or from a step, with changes to the input if there are some.
         */
        post: operations["rerunRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happens to all runs (server-sent events)
         * @description Like the stream of one run; `data` also names the run and its workflow. If a gap is too
         *     large to send, an `overflow` message says that events were left out. `Last-Event-ID` goes
         *     back ten minutes at most.
         */
        get: operations["streamAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The cron triggers of all workflows, oldest first
         * @description All cron triggers of active workflows with their next slots.
         */
        get: operations["listSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        /**
         * A schedule and its next slots
         * @description One of them, with the next slots and how the last one went.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start no more runs; open runs continue
         * @description Slots in the meantime are left out. A backfill continues.
         */
        post: operations["pauseSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start runs again, from the next slot on
         * @description Slots that came while it was paused are not started.
         */
        post: operations["resumeSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a run now, independent of the clock
         * @description A run beside the regular ones; the slots do not move.
         */
        post: operations["triggerSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whom the audience of a schedule gives now
         * @description Starts nothing.
         */
        post: operations["previewSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audiences/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whom a query for an audience gives now
         * @description Starts and saves nothing. An error names its place in the query.
         */
        post: operations["previewAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/backfill/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the backfill
         * @description Runs that the backfill has started continue. Without a backfill nothing happens.
         */
        post: operations["cancelBackfill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/backfill": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the runs of past slots
         * @description Every slot from `from` on and before `to` gets a run, unless it has one. If runs may not
         *     overlap, they start one after the other. The work continues in the background; the schedule
         *     shows its progress.
         */
        post: operations["backfillSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/node-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The types of steps, each with a JSON Schema
         * @description What editors and validators know about each type of step: its keys, their types, defaults and examples.
         */
        get: operations["listNodeTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The actions that steps may name, with what they take
         * @description What the owner of the database registered with `pawl.register_action`, for this tenant or
         *     for all. At most 1000, by name.
         */
        get: operations["listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description OpenAPI 3.1, as JSON, for generators of clients.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document as a page
         * @description Works without script and without a network, for people who look something up.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process is alive
         * @description For a supervisor: it restarts a process that does not answer.
         */
        get: operations["livez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process can work
         * @description For a balancer: it sends no requests to a process that is not ready.
         */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prometheus metrics
         * @description Metrics of the whole process. Needs a key of the tenant `default`, or that of
         *     `--metrics-key`.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who makes this request, and what they may do
         * @description For a session, an API key and a token alike. Without any of them the answer is 401, and a page asks its user to sign in.
         */
        get: operations["getSession"];
        /**
         * Act for another tenant
         * @description From now on the session sees and changes the other tenant, of which its owner must be a member. API keys are of one tenant and cannot switch.
         */
        put: operations["switchSession"];
        /**
         * Sign in, as the web UI does
         * @description Sets a cookie that no script can read and no other site can use. The cookie takes the place of a bearer key until the session ends: after 8 hours without use (`--session-idle`), after a week (`--session-life`), when its key is revoked, or by `DELETE /v1/session`. Every write with the cookie needs the header `X-Pawl-Csrf` with the `csrf` of this answer. After 20 failed attempts within a minute the answer is 429.
         */
        post: operations["createSession"];
        /**
         * Sign out
         * @description Ends the session of the cookie and removes the cookie. A key ends nothing.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether people sign in by an identity provider
         * @description A page that finds `enabled` shows a link to `/v1/session/oidc/start` beside the field for a key.
         */
        get: operations["getSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Go to the identity provider
         * @description For a browser: it is sent to the provider that the server was started with (`--oidc-issuer`), by OpenID Connect with PKCE, and comes back to `/v1/session/oidc/callback`.
         */
        get: operations["startSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Come back from the identity provider
         * @description The code is exchanged for an id token, which is verified with the provider's keys. The person gets a session if they are a member of a tenant, or if the token gives them a role (`--oidc-role-claim`). What goes wrong is shown as a page.
         */
        get: operations["finishSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where one is signed in
         * @description The sessions that were begun with the same key, or by the same person, and have not ended; the last used first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * Sign out everywhere
         * @description Ends all sessions that were begun with the same key, or by the same person, on every machine. Other servers notice within 5 seconds.
         */
        delete: operations["deleteSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As `GET /v1/sessions` shows it
                 * @example 17
                 */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out on one machine
         * @description Ends one of the sessions that `GET /v1/sessions` shows.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tasks of people, newest first
         * @description Newest first. Filter by state, person, group, workflow or run.
         */
        get: operations["listTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        /**
         * A task with its audit
         * @description The task with its form, its data and everything that was done about it.
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a task, so that others cannot decide it
         * @description Others see that this person works on it, and cannot decide it meanwhile.
         */
        post: operations["claimTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/unclaim": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a claimed task
         * @description Others can decide it again.
         */
        post: operations["unclaimTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/delegate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delegate a task to another person
         * @description The other person is asked instead.
         */
        post: operations["delegateTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve
         * @description With `data` the task is edited and approved in one call. The approved data must match the
         *     form of the task. If several approvals are needed, the task stays open until the last one.
         */
        post: operations["approveTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject
         * @description One rejection is enough, unless the step needs several (`rejections_needed`). A person may
         *     change their vote while the task is open.
         */
        post: operations["rejectTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link with which one person can decide without a key
         * @description Anyone who has the link decides as that person, so send it to that person only. Opening it
         *     decides nothing: it shows a page that asks.
         */
        post: operations["linkTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{id}/decide": {
        parameters: {
            query: {
                /**
                 * @description What makes the link a proof
                 * @example k1.8Jm2
                 */
                token: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        /**
         * The page behind a link
         * @description The page of a signed link: the question, with a form if the step has one. Works without script.
         */
        get: operations["showTaskLink"];
        put?: never;
        /**
         * Decide on the page behind a link
         * @description What the form of the page sends. Fields that are wrong are shown again, with what is wrong beside them.
         */
        post: operations["decideByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{run}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve the step of a run that waits for a person
         * @description For front ends of document 002: decides the open task of a run.
         */
        post: operations["approveRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The message templates, by name
         * @description The newest version of each, with its languages but without their content.
         */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a template
                 * @example welcome
                 */
                name: components["parameters"]["templateName"];
            };
            cookie?: never;
        };
        /**
         * A template with the content of each language
         * @description The newest version, or the one that `version` names.
         */
        get: operations["getTemplate"];
        /**
         * Save a template
         * @description Saves a new version, unless the newest one is the same; messages use the newest version. A
         *     person gets the language of their locale, else `en`, else the first one. Placeholders may
         *     begin with `user`, `trigger`, `with`, `unsubscribe_url`, `preferences_url` and `message`;
         *     others are refused, and the answer says where they are. Pawl escapes data in `html`.
         *     `{{> NAME }}` stands for the same part of another template; templates that include this one
         *     get a new version as well.
         */
        put: operations["putTemplate"];
        post?: never;
        /**
         * Delete a template with all its versions
         * @description Messages that use it fail from then on.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{name}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a template
                 * @example welcome
                 */
                name: components["parameters"]["templateName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill a template for a person, without sending it
         * @description Fills it for a stored person (`person`) or an invented one (`user`); with both, `user` overrides what is stored. With `languages` it checks and fills contents that are not saved yet; the template need not exist. Refused with 422 if the template needs data that is missing.
         */
        post: operations["previewTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a template
                 * @example welcome
                 */
                name: components["parameters"]["templateName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a template to an address, as a test
         * @description Fills the template like the preview, and sends it at once through an account. The message is stored with `test: true` and counts neither for caps nor in the figures of a workflow. If the provider refuses it, the answer has the state `failed`. An address that is suppressed, or not valid for the channel, is refused with 422.
         */
        post: operations["sendTestMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who shares this service
         * @description All tenants, with a key of the tenant `default`.
         */
        get: operations["listTenants"];
        put?: never;
        /**
         * Make a tenant
         * @description With a key of the tenant `default`. The answer has the first key of the new tenant, with the role admin, for the only time. A name that is taken is refused with 409.
         */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the tenant
                 * @example acme
                 */
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Say how much a tenant may start
         * @description Replaces all three limits: one that is left out is taken away. Runs under way are not touched. With a key of the tenant `default`.
         */
        put: operations["limitTenant"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/versions/{version}/retire": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
                /**
                 * @description A number, or a label such as `1.2.0`
                 * @example 3
                 */
                version: components["parameters"]["version"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retire a version, so that nothing starts it any more
         * @description Refused with 409 while starts use it, or while it has open runs; with `drain` its open runs
         *     continue to their end.
         */
        post: operations["retireVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/versions/{version}/unretire": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
                /**
                 * @description A number, or a label such as `1.2.0`
                 * @example 3
                 */
                version: components["parameters"]["version"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unretire a version; activate it to start runs with it
         * @description It may be started and activated again.
         */
        post: operations["unretireVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/canary": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the versions that are active beside the head and their shares of the starts
         * @description The same subject, or else the same correlation id, always gets the same version, and keeps
         *     it when the share of that version grows. A version with the share 0 is active, but only
         *     starts that name it use it.
         */
        post: operations["setCanary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/switch": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch a workflow off or on
         * @description While it is off nothing starts it, even if a version is applied or activated; a start gets
         *     the reason. Open runs continue.
         */
        post: operations["switchWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /**
         * Changes to the versions of a workflow, newest first
         * @description Who published, activated, switched or retired what; newest first.
         */
        get: operations["listVersionChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /**
         * The differences between two versions
         * @description Nodes, edges and settings that were added, removed or changed between two versions.
         */
        get: operations["diffVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/impact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check what a version would mean for every open run; changes nothing
         * @description A job whose `counts` say how many runs are `unaffected`, `moves_on`, `would_break` and
         *     `exits`, with examples of those that would break, which name the step and the reason.
         */
        post: operations["impactOfVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/migrate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move open runs to another version
         * @description Runs that would break are left as they are and become examples of the job, runs that stand
         *     on a step of `exit` are cancelled. The others move
         *     between two steps, each by an event in its own log; no worker stops for it. When the job is
         *     done, every run has its message; `GET .../versions` counts the runs that have not moved yet.
         */
        post: operations["migrateRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate the version that was the head before
         * @description The version before becomes the head again, and open runs of the newer one move to it if asked.
         */
        post: operations["rollbackWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The webhooks, without their secrets
         * @description All receivers, without their secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook for what happens to runs
         * @description A webhook at `url` gets a signed POST for every message (Standard Webhooks: `webhook-id`,
         *     `webhook-timestamp`, `webhook-signature`). Instead of a `url` it may have a `channel` of
         *     NOTIFY or a `queue` of pgmq. The whole database shares these, so tenants other than the
         *     default one get unique names, which are in the answer. From this call on, messages are
         *     written in the transactions that change runs. The answer contains the secret once, and
         *     again for the same `Idempotency-Key`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        /**
         * A webhook and its state
         * @description One receiver, without its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook; undelivered messages are dropped
         * @description Messages that were not sent yet are dropped.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a new secret; for 24 hours the old one signs too
         * @description The answer has the new secret, for the only time. The old one is used beside it for a while.
         */
        post: operations["rotateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a webhook that was disabled, or that is left alone because it failed
         * @description Messages that waited are sent now.
         */
        post: operations["enableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message of the type webhook.test
         * @description Sends a message of the type `test` now.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        /**
         * Deliveries, newest first
         * @description Messages to this receiver, newest first, with what it answered.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
                /**
                 * @description The id of the message
                 * @example evt_01980000-0000-7000-8000-000000000000_4
                 */
                delivery: string;
            };
            cookie?: never;
        };
        /**
         * One delivery, with what is sent
         * @description The body is made from the log of the run, as a receiver gets it.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
                /**
                 * @description The id of the message
                 * @example evt_0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b_3
                 */
                delivery: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again, with the same webhook-id
         * @description Sends the message once more, under the same id.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{run}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject the step of a run that waits for a person
         * @description For front ends of document 002: rejects the open task of a run.
         */
        post: operations["rejectRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Runs, newest first
         * @description For front ends of document 002: runs as the view `workflow_runs` has them.
         */
        get: operations["listWorkflowRuns"];
        put?: never;
        /**
         * Start a run
         * @description For front ends of document 002: starts a workflow.
         */
        post: operations["startWorkflowRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run: string;
            };
            cookie?: never;
        };
        /**
         * A run with its steps
         * @description For front ends of document 002: one run with its steps.
         */
        get: operations["showWorkflowRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{run}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run: string;
            };
            cookie?: never;
        };
        /**
         * The steps that a run has reached
         * @description For front ends of document 002: the steps of a run, in order.
         */
        get: operations["listWorkflowSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{run}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run: string;
            };
            cookie?: never;
        };
        /**
         * What happened to the steps of a run
         * @description For front ends of document 002: what happened to the steps of a run.
         */
        get: operations["listStepLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All workflows, by name
         * @description Active and inactive ones, each with its active definition.
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Make this definition the active version
         * @description The body is a definition, as JSON or as YAML (`application/yaml`). A definition that is
         *     already active changes nothing. Open runs stay on their version.
         *     A definition may name its semantic version (`version: 1.2.0`). A label never changes its
         *     meaning: another definition under it is refused with 409. With `draft` the definition
         *     becomes a version that nothing starts until it is activated or gets a share.
         *     A definition with steps of the type `sql` needs the scope `admin`.
         */
        post: operations["applyWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a definition without changing anything
         * @description Everything that is wrong with it, each with the node it is about. Programs are compiled, and calls of other workflows are looked up.
         */
        post: operations["validateWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /**
         * A workflow and its active definition
         * @description What the next start uses, and where an editor draws the nodes.
         */
        get: operations["getWorkflow"];
        put?: never;
        post?: never;
        /**
         * Delete a workflow
         * @description Nothing starts it any more: its schedules and event triggers are deleted with it. Runs,
         *     open or closed, keep their versions and stay for the retention time. A definition of the
         *     same name that is published later gets the next number.
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /**
         * The versions of a workflow, newest first
         * @description Drafts and retired versions too, each with the number of open runs.
         */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
                /**
                 * @description A number, or a label such as `1.2.0`
                 * @example 3
                 */
                version: components["parameters"]["version"];
            };
            cookie?: never;
        };
        /**
         * One version with its definition
         * @description By its number or its label.
         */
        get: operations["getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a workflow active again, or activate another version
         * @description Open runs keep their versions. A definition with steps of the type `sql` needs the scope `admin`.
         */
        post: operations["activateWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse new runs; open runs continue
         * @description Its schedules and triggers start nothing either.
         */
        post: operations["deactivateWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/rates/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many runs of each workflow are open, began and ended
         * @description A page of workflows by name, in the same order as `GET /v1/workflows`. The counts of a range come from what the workers count every 15 seconds, `open` from the counts of funnels.
         */
        get: operations["runRatesByWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/text": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /**
         * A workflow as YAML
         * @description The same text as `pawl workflows show NAME -o yaml`; it can be applied again.
         */
        get: operations["getWorkflowText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/starts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /**
         * Which events started a workflow, and why others did not
         * @description The newest events that its triggers look at, newest first. What was not written down when an
         *     event came is judged by the definition and the data of now. Events that no workflow wanted
         *     when they came were not kept.
         */
        get: operations["listEventStarts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/tests": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /**
         * The test cases that are kept with a workflow
         * @description The answer also has the header `ETag`, which a later save sends as `If-Match`.
         */
        get: operations["getWorkflowTests"];
        /**
         * Keep test cases with a workflow
         * @description As `pawl test` reads them. Cases that cannot be read, or name steps that the active version does not have, are refused. The header `If-Match` names those that the writer saw; without it there must be none. If there are others, the answer is 412, and nothing is saved.
         */
        put: operations["putWorkflowTests"];
        post?: never;
        /**
         * Throw the test cases of a workflow away
         * @description With `If-Match`, only those that the caller saw: otherwise 412.
         */
        delete: operations["deleteWorkflowTests"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/tests/run": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run test cases in virtual time
         * @description As `pawl test` does, with the real planner. Nothing is sent or called: steps without a mock
         *     succeed, those that only compute are carried out. Changes nothing.
         */
        post: operations["runWorkflowTests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{name}/owner": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Say who answers for a workflow
         * @description A person, a team or whatever helps to find them. It makes no version, and stays when other
         *     versions are published. The owner is shown and has no rights because of it.
         */
        put: operations["setWorkflowOwner"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A named set of scopes. `viewer`: reads workflows, runs, events and tasks; `operator`: also starts and changes runs, publishes events and sees how the service does; `editor`: also writes workflows; `approver`: reads workflows, runs and tasks, and decides tasks; `admin`: everything.
         * @enum {string}
         */
        Role: "viewer" | "operator" | "editor" | "approver" | "admin";
        ApiKey: {
            /**
             * @description Its number
             * @example 7
             */
            id: number;
            /**
             * @description How people tell keys apart
             * @example x7kq2abc
             */
            prefix: string;
            /**
             * @description What it is for
             * @example deploys
             */
            name: string;
            /**
             * @description What it may do beside its role
             * @example [
             *       "runs:read"
             *     ]
             */
            scopes: string[];
            /**
             * @description Its role; null: scopes alone
             * @example editor
             */
            role: string | null;
            /**
             * @description Whether it opens anything
             * @enum {string}
             */
            status: "active" | "expired" | "revoked";
            /**
             * Format: date-time
             * @description When it was made
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends; null: never
             * @example 2027-11-03T09:00:00Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked
             * @example null
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When it was used last, to the minute
             * @example 2026-11-03T09:30:00Z
             */
            last_used_at: string | null;
        };
        ApiKeyList: {
            /** @description The keys */
            data: components["schemas"]["ApiKey"][];
            /**
             * @description Always null
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Always false
             * @example false
             */
            has_more: boolean;
        };
        Member: {
            /**
             * @description As the identity provider names them
             * @example ann@example.com
             */
            subject: string;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description Since when
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * @description Who made them a member
             * @example x7kq2abc
             */
            created_by: string | null;
            /**
             * @description If that is an API key: its name
             * @example deploys
             */
            created_by_name?: string | null;
        };
        MemberList: {
            /** @description The members */
            data: components["schemas"]["Member"][];
            /**
             * @description For the next page; null: there is none
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        AuditEntry: {
            /**
             * @description Its place in the list
             * @example 1042
             */
            id: string;
            /**
             * Format: date-time
             * @description When
             * @example 2026-11-03T09:00:00Z
             */
            at: string;
            /**
             * @description Who: the 8 characters of a key, or a person
             * @example x7kq2abc
             */
            by: string;
            /**
             * @description If it was an API key: its name, also when the key is gone
             * @example deploys
             */
            by_name?: string | null;
            /**
             * @description Whether it was a person
             * @example false
             */
            person: boolean;
            /**
             * @description What: the `operationId`
             * @example cancelRun
             */
            action: string;
            /**
             * @description The path that was called
             * @example /v1/runs/0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b/cancel
             */
            target: string;
            /**
             * @description With which status it was answered
             * @example 202
             */
            status: number;
            /**
             * @description Through what it came
             * @enum {string}
             */
            door: "ui" | "api" | "cli";
            /**
             * @description The address it came from
             * @example 203.0.113.7
             */
            peer: string | null;
            /**
             * @description The `X-Request-Id` of the call
             * @example req-8f3a1c
             */
            request_id: string | null;
        };
        AuditList: {
            /** @description What was done */
            data: components["schemas"]["AuditEntry"][];
            /**
             * @description For the next page; null: there is none
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        /** @description A credential or a setting that an account has */
        AccountField: {
            /**
             * @description Its name
             * @example api_key
             */
            name: string;
            /**
             * @description Whether an account must have it
             * @example true
             */
            required: boolean;
            /**
             * @description Its value is an object, or the JSON text of one
             * @example false
             */
            json: boolean;
            /**
             * @description Where to find it
             * @example Settings, API Keys
             */
            help: string | null;
        };
        /** @description How messages are sent with a provider */
        Connector: {
            /**
             * @description The name that message steps use
             * @example sendgrid
             */
            name: string;
            /**
             * @description Name to show to people
             * @example SendGrid
             */
            title: string;
            /**
             * @description The tenant's own; false if it comes with Pawl
             * @example false
             */
            own: boolean;
            /**
             * @description Its channels
             * @example [
             *       "email"
             *     ]
             */
            channels: string[];
            /**
             * @description The connector whose accounts it uses; often itself
             * @example sendgrid
             */
            account_of: string;
            /** @description The secrets of an account */
            credentials: components["schemas"]["AccountField"][];
            /** @description Other settings of an account */
            settings: components["schemas"]["AccountField"][];
            /**
             * @description What may happen when a request without an answer is sent again. `safe`: the provider recognises it; `reconcile`: the person may get the message twice, so Pawl waits for a fact or a person; `repeatable`: it does no harm
             * @enum {string}
             */
            replay: "safe" | "reconcile" | "repeatable";
            /**
             * @description Messages per second and account; null: no limit
             * @example 100
             */
            per_second: number | null;
            /**
             * @description Whether the provider reports what happened to messages
             * @example true
             */
            hooks: boolean;
        };
        /** @description A connector with its definition */
        ConnectorDetails: components["schemas"]["Connector"] & {
            /**
             * @description Null if it comes with Pawl
             * @example null
             */
            definition: Record<string, unknown> | null;
        };
        /** @description All connectors */
        ConnectorList: {
            /** @description By name */
            data: components["schemas"]["Connector"][];
            /**
             * @description Always null
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Always false
             * @example false
             */
            has_more: boolean;
        };
        /** @description An account at a provider, without its credentials */
        Account: {
            /**
             * @description The connector
             * @example sendgrid
             */
            connector: string;
            /**
             * @description Its name
             * @example shop
             */
            account: string;
            /**
             * @description The channels it sends by
             * @example [
             *       "email"
             *     ]
             */
            channels: string[];
            /**
             * @description As in the request
             * @example {
             *       "from": "shop@example.com"
             *     }
             */
            settings: {
                [key: string]: unknown;
            };
            /**
             * @description The address that the provider calls
             * @example https://pawl.example/v1/hooks/sendgrid/dGhpcyBpcyBhbiBlbmRwb2ludC4
             */
            hook_url: string;
            /**
             * Format: date-time
             * @description When it was added
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed
             * @example 2026-11-03T09:05:00Z
             */
            updated_at: string;
        };
        /** @description All accounts of a connector */
        AccountList: {
            /** @description By name */
            data: components["schemas"]["Account"][];
            /**
             * @description Always null
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Always false
             * @example false
             */
            has_more: boolean;
        };
        Credential: {
            /**
             * @description The name that steps use
             * @example mail_token
             */
            name: string;
            /**
             * @description The key it was encrypted with
             * @example k1
             */
            key_id: string;
            /**
             * Format: date-time
             * @description When it was stored first
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its secret was stored last
             * @example 2026-11-03T09:05:00Z
             */
            updated_at: string;
        };
        CredentialList: {
            /** @description The credentials, by name */
            data: components["schemas"]["Credential"][];
            /**
             * @description Always null
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Always false
             * @example false
             */
            has_more: boolean;
        };
        /** @description Who muted an error, and why; null: it is not muted */
        Mute: {
            /**
             * Format: date-time
             * @description Since when
             * @example 2026-11-03T09:10:00Z
             */
            at: string;
            /**
             * @description Who did it
             * @example ann@example.com
             */
            by: string;
            /**
             * @description If that is an API key: its name
             * @example deploys
             */
            by_name?: string | null;
            /**
             * @description Why
             * @example known, the fix is on its way
             */
            reason: string;
        } | null;
        DeadLetter: {
            /**
             * Format: uuid
             * @description The run that gave up
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
             */
            run_id: string;
            /**
             * @description Its workflow
             * @example order
             */
            workflow: string;
            /**
             * @description The version that it ran
             * @example 3
             */
            version: number;
            /**
             * @description The step that gave up; null: the run as a whole
             * @example charge
             */
            step?: string | null;
            error: components["schemas"]["RunError"];
            /**
             * @description The same for errors of the same kind at the same step
             * @example 9f86d081884c7d65
             */
            fingerprint: string;
            /**
             * Format: date-time
             * @description When the run gave up
             * @example 2026-11-03T09:02:00Z
             */
            at: string;
            /**
             * Format: uuid
             * @description The run that continues it; null: none yet
             * @example null
             */
            replayed_as?: string | null;
            /**
             * Format: date-time
             * @description When it was replayed
             * @example null
             */
            replayed_at?: string | null;
        };
        DeadLetterList: {
            /** @description The dead letters, newest first */
            data?: components["schemas"]["DeadLetter"][];
        } & components["schemas"]["Page"];
        DeadLetterGroup: {
            /**
             * @description What the errors of the group have in common
             * @example 9f86d081884c7d65
             */
            fingerprint: string;
            /**
             * @description The workflow
             * @example order
             */
            workflow: string;
            /**
             * @description The step that gave up; null: the run as a whole
             * @example charge
             */
            step?: string | null;
            /**
             * @description The message of the newest error
             * @example the card was refused
             */
            message: string;
            /**
             * @description How many runs are in it
             * @example 3
             */
            count: number;
            /**
             * Format: date-time
             * @description When the first one gave up
             * @example 2026-11-03T08:40:00Z
             */
            first_at: string;
            /**
             * Format: date-time
             * @description When the last one gave up
             * @example 2026-11-03T09:02:00Z
             */
            last_at: string;
            /**
             * Format: uuid
             * @description One of the runs, to look at
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
             */
            sample_run_id: string;
            /**
             * @description How many came in each of the last 24 hours, oldest first; at most 10,000 are counted
             * @example [
             *       0,
             *       0,
             *       1,
             *       2
             *     ]
             */
            pulse: number[];
            muted: components["schemas"]["Mute"];
        };
        ReplayRuns: {
            /**
             * @description The runs to replay, by id
             * @example [
             *       "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b"
             *     ]
             */
            runs: string[];
        };
        Replayed: {
            /** @description What became of each run */
            data: {
                /**
                 * Format: uuid
                 * @description The run that gave up
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run_id: string;
                /**
                 * Format: uuid
                 * @description Null if this is not a failed or cancelled run
                 * @example 0197d3d2-4c0f-7b63-8f1d-2e7a9c5b4d60
                 */
                replayed_as: string | null;
            }[];
        };
        /** @description All conditions must hold; at least one, or `all` */
        ReplayFilter: {
            /**
             * @description All dead letters; must be true when there is no other condition
             * @example true
             */
            all?: boolean;
            /**
             * @description Only those of this workflow
             * @example order
             */
            workflow?: string;
            /**
             * @description Only those of this step
             * @example charge
             */
            step?: string;
            /**
             * @description Only those of this group
             * @example 9f86d081884c7d65
             */
            fingerprint?: string;
            /**
             * @description Added to the input of the new runs, in place of members of the same name
             * @example {
             *       "currency": "EUR"
             *     }
             */
            data?: {
                [key: string]: unknown;
            };
            /**
             * @description The new runs move to the active version of their workflow; those whose state does not fit it go on with theirs
             * @default false
             */
            active_version?: boolean;
        };
        WorkflowDraft: {
            /**
             * @description Of which workflow
             * @example order
             */
            name: string;
            /**
             * @description YAML or JSON, as it was saved; not in lists
             * @example name: order
             *     nodes: []
             *     edges: []
             */
            text?: string;
            /**
             * @description Changes with the text
             * @example 5d41402abc4b2a76b9719d911017c592
             */
            etag: string;
            /**
             * Format: date-time
             * @description When it was saved last
             * @example 2026-11-03T09:05:00Z
             */
            updated_at: string;
            /**
             * @description By whom
             * @example ann@example.com
             */
            updated_by: string;
            /**
             * @description If that is an API key: its name
             * @example deploys
             */
            updated_by_name?: string | null;
        };
        Validation: {
            /**
             * @description Whether it can be published
             * @example false
             */
            valid: boolean;
            /**
             * @description It with nodes and edges, each node with its type, as it would be kept; null: it cannot be read
             * @example {
             *       "name": "hello",
             *       "nodes": [
             *         {
             *           "id": "greet",
             *           "type": "code",
             *           "config": {
             *             "function": "echo"
             *           }
             *         }
             *       ],
             *       "edges": []
             *     }
             */
            definition: Record<string, unknown> | null;
            /** @description All that is wrong */
            errors: {
                /**
                 * @description The node it is about
                 * @example charge
                 */
                node?: string;
                /**
                 * @description The place, as `nodes[1].config.url`
                 * @example nodes[1].config.url
                 */
                path?: string;
                /**
                 * @description The place as a JSON pointer
                 * @example /nodes/1/config/url
                 */
                pointer?: string;
                /**
                 * @description The line of the text
                 * @example 8
                 */
                line?: number;
                /**
                 * @description What is wrong, with the place
                 * @example line 8, nodes[1].config.url: must be a URL
                 */
                detail: string;
                /**
                 * @description The kind of problem, for programs and other languages: it stays the same while the sentence is reworded. `other` has only its sentence
                 * @enum {string}
                 */
                code: "other" | "used_twice" | "edge_twice" | "idle_cycle" | "unreachable" | "edge_reads_person" | "too_many_placeholders" | "unknown_step" | "credentials_place" | "credentials_form" | "credentials_alone" | "after_end" | "unknown_handle" | "nothing_to_repeat" | "empty_scope" | "case_leads_nowhere" | "joins_nothing" | "join_count" | "workflow_and_body" | "no_body" | "withdraws_unknown" | "calls_itself" | "undo_unknown" | "undo_not_own" | "undo_ends_run" | "undo_of_undo" | "off_leads" | "off_without_default" | "off_leaves_null" | "off_planned" | "too_many_rounds" | "url_scheme" | "not_retried" | "not_known_before" | "scope_only" | "used_before" | "no_error_here" | "no_undo_here" | "no_item_here" | "unknown_reference" | "too_many_person_nodes" | "malformed_placeholder" | "missing_name" | "bad_name" | "no_steps" | "unknown_type" | "no_type" | "unknown_key" | "beside" | "no_time_limit" | "says_nothing" | "two_contents" | "channel_missing" | "waits_for_nothing" | "waits_for_more" | "loop_must_end" | "no_condition" | "condition_form" | "condition_path_missing" | "condition_value_missing" | "condition_value_extra" | "unknown_operator" | "path_braces" | "bad_path" | "condition_table_missing" | "condition_table_name" | "bad_duration" | "long_duration" | "bad_time" | "bad_weekday" | "bad_offset" | "bad_date" | "bad_time_zone" | "bad_cron" | "trigger_missing" | "event_missing" | "signal_missing" | "variant_missing" | "variant_twice" | "variant_share" | "way_missing" | "field_missing" | "together" | "filters_only" | "plain_values_only" | "bad_pattern" | "audience_wrong" | "not_waited_for" | "must_be_one_of" | "must_be_text" | "must_be_yes_or_no" | "must_be_whole" | "must_be_number" | "must_be_map" | "must_be_list" | "must_be_schema" | "too_many" | "too_long" | "no_template" | "filter_asks_database" | "filter_asks_now" | "children_only" | "too_many_approvals" | "unknown_connector" | "connector_channel" | "unknown_template" | "template_empty" | "unknown_action" | "action_extra" | "action_lacks" | "action_schema" | "table_not_allowed" | "unknown_table" | "redacted" | "unknown_version" | "inactive_version" | "program_wrong" | "program_slow" | "not_yaml" | "too_large" | "wrong_value";
                /**
                 * @description What the sentence names, such as the step
                 * @example {
                 *       "step": "pay",
                 *       "start": "begin"
                 *     }
                 */
                values: {
                    [key: string]: string;
                };
            }[];
        };
        Watch: {
            /**
             * @description With its schema
             * @example public.wallet_ledger
             */
            table: string;
            /**
             * @description The name of the events
             * @example wallet_ledger
             */
            event: string;
            /** @description Which changes become events */
            operations: ("INSERT" | "UPDATE" | "DELETE")[];
            /**
             * @description Says whose a row is; null: all rows are of one tenant
             * @example merchant_id
             */
            tenant_column: string | null;
            /**
             * @description The key and the subject of the events
             * @example user_id
             */
            subject_column: string | null;
            /**
             * @description Those that want its changes
             * @example [
             *       "welcome_series"
             *     ]
             */
            workflows: string[];
            /**
             * @description What is wrong with the table
             * @example null
             */
            problem: string | null;
        };
        PublishEvent: {
            /**
             * @description An id is accepted once; default: a new one
             * @example evt-1001
             */
            id?: string;
            /**
             * @description The name that triggers and waiting runs look for
             * @example order.paid
             */
            name: string;
            /**
             * @description What or whom it is about; default: the subject
             * @example order-7
             */
            key?: string;
            /**
             * @description The subject of runs that it starts
             * @example customer-42
             */
            subject?: string;
            /**
             * @description Any JSON
             * @example {
             *       "total": 99
             *     }
             */
            data?: unknown;
        };
        CloudEvent: {
            /**
             * @description The version of CloudEvents
             * @constant
             */
            specversion: "1.0";
            /**
             * @description The same id of the same source again is the same event
             * @example evt-1001
             */
            id: string;
            /**
             * @description Where the event comes from
             * @example /shop
             */
            source: string;
            /**
             * @description The name that triggers and waiting runs look for
             * @example order.paid
             */
            type: string;
            /**
             * @description What or whom the event is about
             * @example customer-42
             */
            subject?: string;
            /**
             * Format: date-time
             * @description When it happened
             * @example 2026-11-03T09:00:00Z
             */
            time?: string;
            /**
             * @description The key that waiting runs compare
             * @example order-7
             */
            partitionkey?: string;
            /**
             * @description Any JSON
             * @example {
             *       "total": 99
             *     }
             */
            data?: unknown;
            /**
             * @description The data, if it is no JSON
             * @example SGVsbG8=
             */
            data_base64?: string;
        };
        Published: {
            /**
             * @description The id of the event
             * @example evt-1001
             */
            id: string;
            /**
             * @description True: it was published before and is ignored
             * @example false
             */
            duplicate: boolean;
        };
        OutsideEvent: {
            /**
             * @description Its id
             * @example evt-1001
             */
            id: string;
            /**
             * @description Its name
             * @example order.paid
             */
            name: string;
            /**
             * @description What waiting runs compare; null: none
             * @example order-7
             */
            key?: string | null;
            /**
             * @description What or whom it is about; null: not said
             * @example customer-42
             */
            subject?: string | null;
            /**
             * @description Where it came from; null: not said
             * @example /shop
             */
            source?: string | null;
            /**
             * Format: date-time
             * @description When it happened, according to its sender
             * @example 2026-11-03T08:59:58Z
             */
            time?: string | null;
            /**
             * @description What it says
             * @example {
             *       "total": 99
             *     }
             */
            data?: unknown;
            /**
             * Format: date-time
             * @description When it arrived
             * @example 2026-11-03T09:00:00Z
             */
            at: string;
            /**
             * @description Whether it still has to be matched against subscriptions
             * @enum {string}
             */
            state: "pending" | "matched";
            /**
             * @description Why it could not start a workflow
             * @example null
             */
            problem?: string | null;
        };
        OutsideEventList: {
            /** @description The events, newest first */
            data?: components["schemas"]["OutsideEvent"][];
        } & components["schemas"]["Page"];
        FunctionCall: {
            /**
             * @description What to do
             * @example enqueue
             */
            action: string;
            /**
             * @description With what
             * @example {
             *       "workflow": "order",
             *       "data": {
             *         "total": 99
             *       }
             *     }
             */
            payload?: unknown;
        };
        FunctionAnswer: {
            /**
             * @description Whether it was done
             * @example true
             */
            success: boolean;
            /**
             * @description What it gave
             * @example {
             *       "execution_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
             *       "workflow_name": "order",
             *       "status": "queued",
             *       "total_steps": 1
             *     }
             */
            data?: unknown;
            /**
             * @description Why it was not done
             * @example workflow is required
             */
            error?: string;
        };
        OrganizationResults: {
            /**
             * @description Whether all went well
             * @example true
             */
            success: boolean;
            /**
             * Format: uuid
             * @description Names the call in logs
             * @example 3b9e5d70-4f1c-4a28-96d3-e7c0a8b25f41
             */
            correlationId: string;
            /** @description What was done, by organization */
            results: {
                [key: string]: {
                    /**
                     * @description How many executions were taken
                     * @example 3
                     */
                    messagesProcessed: number;
                    /**
                     * @description How many of them went well
                     * @example 2
                     */
                    succeeded: number;
                    /**
                     * @description How many failed
                     * @example 1
                     */
                    failed: number;
                    /**
                     * @description How many gave up for good
                     * @example 0
                     */
                    dlqRouted: number;
                    /**
                     * @description What went wrong
                     * @example [
                     *       "the card was refused"
                     *     ]
                     */
                    errors: string[];
                };
            };
        };
        OrganizationFailure: {
            /**
             * @description What went wrong
             * @example the key is not valid
             */
            error: string;
            /**
             * @description Of which kind it is
             * @enum {unknown}
             */
            category: "AUTH" | "CAPACITY" | "RUNTIME" | "VALIDATION";
            /**
             * Format: uuid
             * @description Names the call in logs
             * @example 3b9e5d70-4f1c-4a28-96d3-e7c0a8b25f41
             */
            correlationId: string;
            /**
             * @description The status of the answer
             * @example 401
             */
            status: number;
        };
        JobList: {
            /** @description The jobs, newest first */
            data?: components["schemas"]["Job"][];
        } & components["schemas"]["Page"];
        LimitList: {
            /** @description The limits */
            data?: components["schemas"]["Limit"][];
        } & components["schemas"]["Page"];
        Limit: {
            /**
             * @description What the limit is about
             * @enum {string}
             */
            scope: "workflow" | "tenant" | "global";
            /**
             * @description Its workflow; null: of no workflow
             * @example order
             */
            workflow: string | null;
            /**
             * @description Its name in the definition
             * @example concurrency
             */
            name: string;
            /**
             * @description Null: the only one, or every key
             * @example null
             */
            key: string | null;
            /**
             * @description The limit that applies now
             * @example 10
             */
            limit: number;
            /**
             * @description From the definition; null if it applies to no run now
             * @example 20
             */
            defined: number | null;
            /**
             * @description The override
             * @example 10
             */
            set: number | null;
            /**
             * @description Runs that have begun and not ended; with `while_waiting: free`, those that do not wait
             * @example 10
             */
            running: number;
            /**
             * @description How many runs wait for a place
             * @example 4
             */
            waiting: number;
        };
        /**
         * @description State of a message; late or repeated reports of a provider do not set it back
         * @enum {string}
         */
        MessageState: "skipped" | "sending" | "unknown" | "sent" | "failed" | "delivered" | "bounced" | "opened" | "clicked" | "complained";
        /**
         * @description Why a message was not sent; null, it was, or it is tried
         * @example unsubscribed
         * @enum {string|null}
         */
        SkipReason: "no_address" | "invalid_address" | "no_person" | "suppressed" | "unsubscribed" | "frequency_cap" | "holdout" | "invalid_content" | null;
        /** @description A message to a person */
        Message: {
            /**
             * Format: uuid
             * @description Pawl's id; the same for all attempts
             * @example 0197d3c9-1d70-7a85-b6e2-9f3c5a8d7e14
             */
            id: string;
            /**
             * @description A test of a template; it is not counted
             * @example false
             */
            test: boolean;
            /**
             * Format: uuid
             * @description The run that sent it; null for a test
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
             */
            run_id: string | null;
            /**
             * @description The workflow
             * @example welcome_series
             */
            workflow: string | null;
            /**
             * @description Version of the workflow
             * @example 3
             */
            version: number;
            /**
             * @description The step
             * @example send_welcome
             */
            node: string;
            /**
             * @description The key of the person; null once erased
             * @example customer-42
             */
            person: string | null;
            /**
             * @description The channel
             * @example email
             */
            channel: string;
            /**
             * @description The provider
             * @example sendgrid
             */
            connector: string | null;
            /**
             * @description The account at the provider
             * @example shop
             */
            account: string | null;
            /**
             * @description The template; null for inline content
             * @example welcome
             */
            template: string | null;
            /**
             * @description Version of the template
             * @example 2
             */
            template_version: number | null;
            /**
             * @description Variant of the split before it
             * @example null
             */
            variant: string | null;
            /**
             * @description `marketing`, `transactional` or your own
             * @example marketing
             */
            category: string;
            /**
             * @description The address it goes to
             * @example ann@example.com
             */
            address: string | null;
            /**
             * @description The provider's id of the message
             * @example 14c5d75ce93.dfd.64b469
             */
            external_id: string | null;
            state: components["schemas"]["MessageState"];
            reason: components["schemas"]["SkipReason"];
            /**
             * @description Why it failed, or details of why it was skipped
             * @example null
             */
            error: string | null;
            /**
             * Format: date-time
             * @description When the step ended
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the provider accepted it
             * @example 2026-11-03T09:00:01Z
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description When it arrived
             * @example 2026-11-03T09:00:03Z
             */
            delivered_at: string | null;
            /**
             * Format: date-time
             * @description When it was opened
             * @example 2026-11-03T09:20:00Z
             */
            opened_at: string | null;
            /**
             * Format: date-time
             * @description When a program opened it
             * @example null
             */
            machine_opened_at: string | null;
            /**
             * Format: date-time
             * @description When a link in it was opened
             * @example null
             */
            clicked_at: string | null;
            /**
             * Format: date-time
             * @description When it bounced
             * @example null
             */
            bounced_at: string | null;
            /**
             * Format: date-time
             * @description When it was reported as spam
             * @example null
             */
            complained_at: string | null;
            /**
             * Format: date-time
             * @description When it failed
             * @example null
             */
            failed_at: string | null;
            /**
             * Format: date-time
             * @description When the person unsubscribed by its link
             * @example null
             */
            unsubscribed_at: string | null;
            /**
             * Format: date-time
             * @description When the person answered it
             * @example null
             */
            replied_at: string | null;
        };
        /** @description A page of messages */
        MessageList: {
            /** @description Newest first */
            data: components["schemas"]["Message"][];
            /**
             * @description Cursor of the next page
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        /** @description What a provider reported about a message */
        MessageFact: {
            /**
             * @description What happened
             * @enum {string}
             */
            kind: "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained" | "unsubscribed" | "failed" | "replied" | "followed" | "unfollowed";
            /**
             * Format: date-time
             * @description When it happened
             * @example 2026-11-03T09:00:03Z
             */
            at: string;
            /**
             * Format: date-time
             * @description When Pawl received it
             * @example 2026-11-03T09:00:04Z
             */
            received_at: string;
            /**
             * @description A program did it, not a person
             * @example false
             */
            machine: boolean;
            /**
             * @description The provider that reported it
             * @example sendgrid
             */
            connector: string;
            /**
             * @description The account at the provider
             * @example shop
             */
            account: string;
            /**
             * @description The provider's id of the fact
             * @example ZGVsaXZlcmVkLTA
             */
            provider_event_id: string;
            /**
             * @description Other data of the provider's report
             * @example {
             *       "response": "250 OK"
             *     }
             */
            detail: unknown;
        };
        /** @description A message with its facts */
        MessageDetails: components["schemas"]["Message"] & {
            /**
             * @description What it says, filled again: the version of the template and the data of the run are as they were when it was sent, what is known of the person is as it is now, and links of the person alone stay placeholders. Null: not known
             * @example {
             *       "subject": "Your cart",
             *       "text": "Hello Ann, your cart is waiting"
             *     }
             */
            content: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Why the content is not known: `skipped` (nothing was sent), `test`, `erased` (the person was), `run_gone`, `template_gone` or `unfilled` (too little is known of the person by now)
             * @example null
             */
            content_missing: string | null;
            /** @description Oldest first */
            facts: components["schemas"]["MessageFact"][];
        };
        /** @description An address that gets nothing */
        Suppression: {
            /**
             * @description The channel
             * @example email
             */
            channel: string;
            /**
             * @description As Pawl spells it
             * @example ann@example.com
             */
            address: string;
            /**
             * @description bounced, complained, unfollowed, unsubscribed, refused, by_hand or your own
             * @example bounced
             */
            reason: string;
            /**
             * Format: date-time
             * @description When it was suppressed
             * @example 2026-11-03T09:00:03Z
             */
            at: string;
        };
        /** @description A page of addresses */
        SuppressionList: {
            /** @description By channel and address */
            data: components["schemas"]["Suppression"][];
            /**
             * @description Cursor of the next page
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        /** @description When and how often messages go out */
        MessagePolicy: {
            /**
             * @description One channel, or `*`
             * @example email
             */
            channel: string;
            /**
             * @description Time zone of people without one
             * @example UTC
             */
            timezone: string;
            /** @description Messages wait in these hours, in the person's time zone */
            quiet_hours: {
                /**
                 * @description HH:MM
                 * @example 21:00
                 */
                from: string;
                /**
                 * @description HH:MM
                 * @example 08:00
                 */
                to: string;
            } | null;
            /** @description How many messages a person gets per period */
            cap: {
                /**
                 * @description The maximum
                 * @example 3
                 */
                count: number;
                /**
                 * @description The period
                 * @example 604800
                 */
                seconds: number;
            } | null;
            /**
             * @description Percentage of people who get nothing
             * @example 5
             */
            holdout: number;
            /**
             * Format: date-time
             * @description When it was last changed
             * @example 2026-11-03T09:05:00Z
             */
            updated_at: string;
        };
        /** @description All policies */
        MessagePolicyList: {
            /** @description By channel */
            data: components["schemas"]["MessagePolicy"][];
            /**
             * @description Always null
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Always false
             * @example false
             */
            has_more: boolean;
        };
        /** @description What happened to the runs and to all their messages */
        FunnelTotals: {
            /**
             * @description Different people who entered; in the group of a variant: who reached it. Null where people are not counted: with `by=channel`, `by=version` or `version`
             * @example 3987
             */
            people: number | null;
            /**
             * @description Runs that began
             * @example 4120
             */
            entered: number;
            /**
             * @description Runs that completed
             * @example 3010
             */
            completed: number;
            /**
             * @description Runs that an event of `exit_on` ended
             * @example 88
             */
            exited: number;
            /**
             * @description Runs that failed
             * @example 4
             */
            failed: number;
            /**
             * @description Runs that were cancelled
             * @example 1
             */
            cancelled: number;
            /**
             * @description Runs that reached a goal
             * @example 412
             */
            converted: number;
            /**
             * @description Messages that were sent
             * @example 3920
             */
            sent: number;
            /**
             * @description Messages that were skipped
             * @example 200
             */
            skipped: number;
            /**
             * @description Messages that arrived
             * @example 3880
             */
            delivered: number;
            /**
             * @description Messages that a person opened or clicked, each once
             * @example 1502
             */
            opened: number;
            /**
             * @description Messages that a program opened, each once
             * @example 310
             */
            machine_opened: number;
            /**
             * @description Messages whose link a person clicked, each once
             * @example 520
             */
            clicked: number;
            /**
             * @description How often people opened messages
             * @example 1911
             */
            opens: number;
            /**
             * @description How often people clicked links
             * @example 640
             */
            clicks: number;
            /**
             * @description Messages that bounced
             * @example 31
             */
            bounced: number;
            /**
             * @description Messages that the provider gave up
             * @example 9
             */
            undelivered: number;
            /**
             * @description Messages that were reported as spam
             * @example 1
             */
            complained: number;
            /**
             * @description Messages by whose link a person unsubscribed
             * @example 12
             */
            unsubscribed: number;
            /**
             * @description Messages that were answered
             * @example 44
             */
            replied: number;
            skipped_by: components["schemas"]["FunnelDetails"];
            failed_by: components["schemas"]["FunnelDetails"];
            exited_by: components["schemas"]["FunnelDetails"];
            converted_by: components["schemas"]["FunnelDetails"];
        };
        /**
         * @description Parts of a count: by reason, error code, event or handle
         * @example {
         *       "no_address": 120,
         *       "unsubscribed": 80
         *     }
         */
        FunnelDetails: {
            [key: string]: number;
        };
        /** @description What happened at a node */
        FunnelNode: {
            /**
             * @description Its id
             * @example hello
             */
            node: string;
            /**
             * @description Its type; null if it is not in this version
             * @example message
             */
            type: string | null;
            /**
             * @description How often runs reached it by its edges
             * @example 4120
             */
            entered: number;
            /**
             * @description How often runs left it
             * @example 4100
             */
            passed: number;
            passed_by: components["schemas"]["FunnelDetails"];
            /**
             * @description How many branches wait there now
             * @example 20
             */
            waiting: number;
            waiting_for: components["schemas"]["FunnelDetails"];
            /**
             * @description Attempts that failed and were repeated
             * @example 3
             */
            retried: number;
            /**
             * @description Steps that failed for good
             * @example 1
             */
            failed: number;
            failed_by: components["schemas"]["FunnelDetails"];
            skipped_by: components["schemas"]["FunnelDetails"];
            /**
             * @description Messages that were sent
             * @example 3920
             */
            sent: number;
            /**
             * @description Messages or steps that were skipped
             * @example 200
             */
            skipped: number;
            /**
             * @description Messages that arrived
             * @example 3880
             */
            delivered: number;
            /**
             * @description Messages that a person opened or clicked, each once
             * @example 1502
             */
            opened: number;
            /**
             * @description Messages that a program opened, each once
             * @example 310
             */
            machine_opened: number;
            /**
             * @description Messages whose link a person clicked, each once
             * @example 520
             */
            clicked: number;
            /**
             * @description How often people opened messages
             * @example 1911
             */
            opens: number;
            /**
             * @description How often people clicked links
             * @example 640
             */
            clicks: number;
            /**
             * @description Messages that bounced
             * @example 31
             */
            bounced: number;
            /**
             * @description Messages that the provider gave up
             * @example 9
             */
            undelivered: number;
            /**
             * @description Messages that were reported as spam
             * @example 1
             */
            complained: number;
            /**
             * @description Messages by whose link a person unsubscribed
             * @example 12
             */
            unsubscribed: number;
            /**
             * @description Messages that were answered
             * @example 44
             */
            replied: number;
        };
        /** @description How often an edge was taken */
        FunnelEdge: {
            /**
             * @description The node it leaves
             * @example loyal
             */
            from: string;
            /**
             * @description The handle it leaves by
             * @example true
             */
            handle: string;
            /**
             * @description Where it leads
             * @example thanks
             */
            to: string;
            /**
             * @description How often
             * @example 812
             */
            count: number;
        };
        /** @description The counts of one group */
        FunnelGroup: {
            /**
             * @description SPLIT:VARIANT, the channel, the day (UTC) or the number of the version
             * @example variant:coupon
             */
            key: string;
            totals: components["schemas"]["FunnelTotals"];
            /** @description In the order of the definition */
            nodes: components["schemas"]["FunnelNode"][];
            /** @description In the order of the definition */
            edges: components["schemas"]["FunnelEdge"][];
        };
        /** @description The result of one variant */
        VariantShare: {
            /**
             * @description Its name
             * @example coupon
             */
            variant: string;
            /**
             * @description Runs that got the variant; for opened, clicked and replied: messages that these runs sent
             * @example 2061
             */
            trials: number;
            /**
             * @description How many trials reached the metric
             * @example 240
             */
            hits: number;
            /**
             * @description Hits divided by trials
             * @example 0.1164
             */
            rate: number;
            /**
             * @description Lower end of the 95% interval (Wilson)
             * @example 0.1033
             */
            low: number;
            /**
             * @description Upper end of the interval
             * @example 0.131
             */
            high: number;
        };
        /** @description Comparison of the variants of a split */
        VariantComparison: {
            /**
             * @description The node
             * @example variant
             */
            split: string;
            /**
             * @description What they are compared by
             * @example converted
             */
            metric: string;
            /** @description By name */
            variants: components["schemas"]["VariantShare"][];
            /**
             * @description The difference may be chance
             * @example true
             */
            too_early: boolean;
            /**
             * @description The variant that does better; null while it is too early
             * @example null
             */
            leader: string | null;
            /**
             * @description The result as a sentence
             * @example too early to say
             */
            verdict: string;
            /**
             * @description About how many trials each variant needs to confirm such a difference; null if there are enough, or if there is no difference
             * @example 5200
             */
            trials_needed: number | null;
        };
        /** @description The counts of a workflow */
        Funnel: {
            /**
             * @description Its name
             * @example welcome_series
             */
            workflow: string;
            /**
             * @description The version; null: all
             * @example null
             */
            version: number | null;
            /**
             * Format: date-time
             * @description Null: from the beginning
             * @example 2026-05-01T00:00:00Z
             */
            from: string | null;
            /**
             * Format: date-time
             * @description Null: until now
             * @example 2026-06-01T00:00:00Z
             */
            to: string | null;
            /**
             * Format: date-time
             * @description The log is counted up to this time; null: nothing was counted yet
             * @example 2026-06-01T00:00:01Z
             */
            as_of: string | null;
            /**
             * @description The counts are being rebuilt and not complete
             * @example false
             */
            rebuilding: boolean;
            /**
             * @description Whether the runs of the workflow are counted (PUT starts it)
             * @example true
             */
            counted: boolean;
            /**
             * Format: date-time
             * @description Runs that began before this time are not counted; null: no such limit
             * @example null
             */
            counted_from: string | null;
            /**
             * @description Runs that are open now
             * @example 1017
             */
            inside: number;
            /**
             * @description What the groups stand for
             * @example variant
             */
            by?: string;
            totals?: components["schemas"]["FunnelTotals"];
            /** @description In the order of the definition, then nodes of other versions */
            nodes?: components["schemas"]["FunnelNode"][];
            /** @description In the order of the definition */
            edges?: components["schemas"]["FunnelEdge"][];
            /** @description By key */
            groups?: components["schemas"]["FunnelGroup"][];
            /** @description One for each split, with `by=variant` */
            comparisons?: components["schemas"]["VariantComparison"][];
        };
        /** @description A person whose run waits or has ended */
        PersonPlace: {
            /**
             * @description The subject of the run
             * @example 4711
             */
            person: string | null;
            /**
             * Format: uuid
             * @description The run
             * @example 01a1eb6f-adc7-70bc-a550-708681e82da9
             */
            run_id: string;
            /**
             * @description The version it began with
             * @example 3
             */
            version: number;
            /**
             * @description Where it waits; of a run that has ended, the node that was asked for, or null
             * @example wait_a_week
             */
            node: string | null;
            /**
             * @description What the run waits for, or how it ended
             * @example time
             */
            state: string;
            /**
             * Format: date-time
             * @description When that began
             * @example 2026-05-01T08:00:00Z
             */
            since: string;
        };
        /** @description A page of people */
        PersonPlaceList: {
            /** @description By node and run; of runs that have ended, newest first */
            data: components["schemas"]["PersonPlace"][];
            /**
             * @description Cursor of the next page
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        /** @description What a message step would have done */
        SimulatedMessages: {
            /**
             * @description The step
             * @example thanks
             */
            node: string;
            /**
             * @description The channel
             * @example sms
             */
            channel: string;
            /**
             * @description How many would have been sent
             * @example 812
             */
            sent: number;
            /**
             * @description How many of these between 21:00 and 08:00 in the time zone of the person
             * @example 96
             */
            at_night: number;
            skipped_by: components["schemas"]["FunnelDetails"];
        };
        /** @description What would have happened */
        Simulation: {
            /**
             * @description Its name
             * @example welcome_series
             */
            workflow: string;
            /**
             * Format: date-time
             * @description Events from this time on
             * @example 2026-05-01T08:00:00Z
             */
            from: string;
            /**
             * Format: date-time
             * @description Now
             * @example 2026-05-08T08:00:00Z
             */
            to: string;
            /**
             * @description Events that its triggers examined
             * @example 4233
             */
            events: number;
            /**
             * @description Runs that would have started
             * @example 4120
             */
            entered: number;
            /**
             * @description Different people these are about
             * @example 3987
             */
            people: number;
            /**
             * @description Starts that `reentry` would have prevented
             * @example 101
             */
            inside_before: number;
            /**
             * @description Starts whose input is not valid
             * @example 12
             */
            refused: number;
            /**
             * @description There were more events than could be replayed
             * @example false
             */
            truncated: boolean;
            /**
             * @description A schedule also starts it, which is not replayed
             * @example false
             */
            by_clock: boolean;
            statuses: components["schemas"]["FunnelDetails"];
            errors: components["schemas"]["FunnelDetails"];
            waiting_at: components["schemas"]["FunnelDetails"];
            /** @description By step */
            messages: components["schemas"]["SimulatedMessages"][];
            /** @description How often runs would have reached each node, in the order of the definition */
            nodes: {
                /**
                 * @description Its id
                 * @example thanks
                 */
                node: string;
                /**
                 * @description How often
                 * @example 812
                 */
                entered: number;
            }[];
            /** @description In the order of the definition */
            edges: components["schemas"]["FunnelEdge"][];
            /** @description Conditions that query the database */
            assumed_false: string[];
        };
        /** @description What a check found */
        Finding: {
            /**
             * @description What was looked at
             * @example workers
             */
            check: string;
            /**
             * @description How bad it is
             * @example warn
             * @enum {string}
             */
            verdict: "ok" | "warn" | "fail";
            /**
             * @description What was found
             * @example none at work
             */
            detail: string;
            /**
             * @description What to do about it; null: nothing
             * @example pawl worker
             */
            next: string | null;
            /**
             * @description Which finding it is, for programs and other languages
             * @example no_workers
             * @enum {string}
             */
            code: "check_failed" | "migrated" | "migrations_pending" | "functions_differ" | "workers" | "no_workers" | "backlog" | "backlog_old" | "server" | "standby" | "no_sync_standby" | "hidden_standbys" | "not_archived" | "slot_keeps_log" | "not_frozen" | "dead_rows" | "settings_safe" | "fsync_off" | "full_page_writes_off" | "synchronous_commit_off" | "autovacuum_off" | "track_counts_off" | "tables_not_vacuumed" | "read_only" | "isolation" | "short_timeout" | "idle_transactions" | "no_service_user" | "connections" | "connections_short" | "no_old_snapshot" | "old_snapshot" | "prepared_transaction" | "slot_snapshot" | "standby_snapshot" | "hidden_sessions" | "partitions_there" | "partitions_missing" | "strayed_rows" | "none_dead" | "dead_worker" | "last_worker_dead" | "none_stuck" | "orphaned_runs" | "slow_runs" | "unread_messages" | "no_lag" | "events_behind" | "starts_behind" | "schedules_behind" | "tasks_behind" | "none_closed_and_open" | "closed_and_open" | "gates_right" | "gate_wrong" | "tables_right" | "watched_table_gone" | "people_table_gone" | "watched_column_gone" | "people_column_gone" | "trigger_lost" | "webhooks_served" | "webhook_disabled" | "webhook_unsent" | "webhook_waits" | "webhook_failed" | "queues" | "queues_missing";
            /**
             * @description What `detail` and `next` name, with its figures
             * @example {
             *       "count": "0"
             *     }
             */
            values: {
                [key: string]: string;
            };
        };
        /** @description What was found */
        FindingList: {
            /** @description At most 1,000 */
            data: components["schemas"]["Finding"][];
            /**
             * @description For the next page; null: there is none
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        /** @description A process, or a thread of one, that carries out runs */
        Worker: {
            /**
             * Format: uuid
             * @description Its id; a new one after each start
             * @example 01980000-0000-7000-8000-000000000000
             */
            id: string;
            /**
             * @description The machine
             * @example app-1
             */
            host: string;
            /**
             * @description The process there
             * @example 4711
             */
            pid: number;
            /**
             * @description Of Pawl
             * @example 1.0.0
             */
            version: string;
            /**
             * Format: date-time
             * @description Since when it works
             * @example 2026-06-01T08:00:00Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it was heard of last; workers are heard of every other second
             * @example 2026-06-01T08:00:02Z
             */
            beat_at: string;
            /**
             * @description How many runs it held two seconds ago
             * @example 12
             */
            runs: number;
            /**
             * Format: date-time
             * @description Since when it takes no more runs; null: it does
             * @example null
             */
            draining_since: string | null;
            /**
             * @description `draining`: it was told to take no more runs, and has not said yet that it holds none; `silent`: it was not heard of for 8 seconds, and others take its runs over
             * @example working
             * @enum {string}
             */
            status: "working" | "draining" | "drained" | "silent";
        };
        /** @description All workers */
        WorkerList: {
            /** @description At most 1,000 */
            data: components["schemas"]["Worker"][];
            /**
             * @description For the next page; null: there is none
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        /** @description Where something waits */
        Queue: {
            /**
             * @description Its name. Of Pawl itself: runs that are due, events that were not matched yet, webhook messages, tasks of the database
             * @example workflow_queue
             */
            name: string;
            /**
             * @description Whether it is Pawl's own
             * @example pgmq
             * @enum {string}
             */
            kind: "own" | "pgmq";
            /**
             * @description How many wait, counted up to 10,000
             * @example 3
             */
            length: number;
            /**
             * @description How many of them a reader would get now
             * @example 3
             */
            visible: number;
            /**
             * Format: date-time
             * @description When the oldest came; null: nothing waits
             * @example 2026-06-01T08:00:00Z
             */
            oldest_at: string | null;
            /**
             * @description What says which workflow a message starts: `trigger`, `workflow` or the `message` itself; null: Pawl does not read it
             * @example message
             */
            starts: string | null;
            /**
             * @description Which one it always starts
             * @example null
             */
            workflow: string | null;
            /**
             * @description For whom it is read
             * @example default
             */
            tenant: string | null;
            /**
             * @description Where messages go that start nothing
             * @example workflow_dlq
             */
            dead_letter_queue: string | null;
            /**
             * @description After how many reads
             * @example 5
             */
            reads_max: number | null;
        };
        /** @description All queues */
        QueueList: {
            /** @description At most 1,000 */
            data: components["schemas"]["Queue"][];
            /**
             * @description For the next page; null: there is none
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        /** @description A message as it lies in its queue */
        QueueMessage: {
            /**
             * @description Its number
             * @example 42
             */
            id: string;
            /**
             * @description How often it was read
             * @example 0
             */
            reads: number;
            /**
             * Format: date-time
             * @description When it came
             * @example 2026-06-01T08:00:00Z
             */
            sent_at: string;
            /**
             * Format: date-time
             * @description Until then readers do not get it
             * @example 2026-06-01T08:00:00Z
             */
            visible_at: string;
            /**
             * @description Its size as text
             * @example 120
             */
            bytes: number;
            /**
             * @description What it says; null where that is more than 64 kB
             * @example {
             *       "workflow_name": "welcome"
             *     }
             */
            message: unknown;
            /**
             * @description Its headers
             * @example null
             */
            headers: unknown;
        };
        /** @description Messages of a queue */
        QueueMessageList: {
            /** @description At most 100 */
            data: components["schemas"]["QueueMessage"][];
            /**
             * @description For the next page; null: there is none
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        /** @description An origin that steps call, as the workers know it */
        Target: {
            /**
             * @description Its origin
             * @example https://api.example.com
             */
            target: string;
            /**
             * @description `open`: a worker leaves it alone; `half_open`: the next call finds out whether it is back; `closed`: it is called as ever
             * @example open
             * @enum {string}
             */
            state: "closed" | "open" | "half_open";
            /**
             * @description How many workers have seen it fail
             * @example 2
             */
            workers: number;
            /**
             * @description How many do not call it freely now
             * @example 1
             */
            workers_open: number;
            /**
             * @description How often it was left alone
             * @example 3
             */
            opened: number;
            /**
             * Format: date-time
             * @description When it is tried again
             * @example 2026-06-01T08:00:08Z
             */
            until: string | null;
            /**
             * @description What it failed with last
             * @example answered with 503
             */
            error: string | null;
            /**
             * Format: date-time
             * @description When that changed last
             * @example 2026-06-01T08:00:00Z
             */
            changed_at: string;
            /**
             * @description Whether workers were asked to close it and have not done so yet
             * @example false
             */
            closing: boolean;
        };
        /** @description Targets that failed */
        TargetList: {
            /** @description At most 1,000 */
            data: components["schemas"]["Target"][];
            /**
             * @description For the next page; null: there is none
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        /**
         * @description Data for messages and conditions, at most 64 KiB
         * @example {
         *       "first_name": "Ann",
         *       "tier": "gold"
         *     }
         */
        PersonAttributes: {
            [key: string]: unknown;
        };
        /**
         * @description One for each channel
         * @example {
         *       "email": "ann@example.com",
         *       "sms": "+66812345678"
         *     }
         */
        PersonAddresses: {
            [key: string]: string;
        };
        /** @description A person to add or replace */
        NewPerson: {
            /**
             * @description The subject of the person's runs
             * @example customer-42
             */
            key: string;
            attributes?: components["schemas"]["PersonAttributes"];
            addresses?: components["schemas"]["PersonAddresses"];
            /**
             * @description The language
             * @example th-TH
             */
            locale?: string | null;
            /**
             * @description The time zone
             * @example Asia/Bangkok
             */
            timezone?: string | null;
        };
        /** @description A person that workflows are about */
        Person: {
            /**
             * @description The subject of the person's runs
             * @example 4711
             */
            key: string;
            attributes: components["schemas"]["PersonAttributes"];
            /**
             * @description One for each channel
             * @example {
             *       "email": "ann@example.com"
             *     }
             */
            addresses: {
                [key: string]: unknown;
            };
            /**
             * @description A language, such as th-TH
             * @example th-TH
             */
            locale: string | null;
            /**
             * @description The time zone
             * @example Asia/Bangkok
             */
            timezone: string | null;
            /**
             * Format: date-time
             * @description When the person was added; null for people in a table of the tenant
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description When the person was last changed
             * @example 2026-11-03T09:05:00Z
             */
            updated_at: string | null;
        };
        /** @description What a person has unsubscribed from */
        Unsubscription: {
            /**
             * @description One channel, or `*`
             * @example email
             */
            channel: string;
            /**
             * @description One category, or `*`
             * @example marketing
             */
            category: string;
            /**
             * Format: date-time
             * @description When they unsubscribed
             * @example 2026-11-03T09:30:00Z
             */
            at: string;
        };
        /** @description A person with their unsubscriptions */
        PersonDetails: components["schemas"]["Person"] & {
            /**
             * @description Table that the person is read from; null if Pawl stores them
             * @example null
             */
            source: string | null;
            /** @description Unsubscriptions, by channel and category */
            unsubscribed: components["schemas"]["Unsubscription"][];
        };
        /** @description A page of people */
        PersonList: {
            /** @description By key */
            data: components["schemas"]["Person"][];
            /**
             * @description Cursor of the next page
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        /** @description The messages it is about */
        Wish: {
            /**
             * @description One channel, or `*` for all
             * @default *
             */
            channel?: string;
            /**
             * @description One category, or `*` for all but transactional
             * @default *
             */
            category?: string;
        };
        /** @description What a person has unsubscribed from */
        Unsubscribed: {
            /**
             * @description The key of the person
             * @example customer-42
             */
            key: string;
            /** @description By channel and category */
            unsubscribed: components["schemas"]["Unsubscription"][];
        };
        /** @description A table that has the people */
        PersonSource: {
            /**
             * @description The table
             * @example public.customers
             */
            table: string;
            /**
             * @description Whether it is for every tenant without one of its own
             * @example true
             */
            shared: boolean;
            /**
             * @description Whether the table is there
             * @example true
             */
            exists: boolean;
            /**
             * @description The column of their keys
             * @example id
             */
            key_column: string;
            /**
             * @description The column that names the tenant; null: all rows are of one
             * @example merchant_id
             */
            tenant_column: string | null;
            /**
             * @description The column of each channel
             * @example {
             *       "email": "email",
             *       "sms": "phone"
             *     }
             */
            addresses: {
                [key: string]: string;
            };
            /**
             * @description The column of their language
             * @example locale
             */
            locale_column: string | null;
            /**
             * @description The column of their time zone
             * @example timezone
             */
            timezone_column: string | null;
            /**
             * @description What workflows see of a row; null: everything
             * @example [
             *       "first_name",
             *       "tier"
             *     ]
             */
            columns: string[] | null;
            /**
             * @description What messages and conditions may use and nothing keeps or shows (`pawl.redact`)
             * @example [
             *       "income"
             *     ]
             */
            redacted: string[];
            /**
             * Format: date-time
             * @description When that was said
             * @example 2026-06-01T08:00:00Z
             */
            updated_at: string;
        };
        /** @description A run, a message, or a fact about a message or from the person */
        TimelineEntry: {
            /**
             * Format: date-time
             * @description When it happened
             * @example 2026-11-03T09:20:00Z
             */
            at: string;
            /**
             * @description Kind of the entry
             * @enum {string}
             */
            type: "run" | "message" | "fact";
            /**
             * Format: uuid
             * @description The run
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
             */
            run_id: string | null;
            /**
             * @description Workflow of the run
             * @example welcome_series
             */
            workflow: string | null;
            /**
             * @description Version of the workflow; for a run
             * @example 3
             */
            version?: number;
            /**
             * @description Status of a run
             * @enum {string}
             */
            status?: "queued" | "waiting" | "running" | "completed" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description When a run ended
             * @example null
             */
            closed_at?: string | null;
            /**
             * Format: uuid
             * @description The message, or that of the fact
             * @example 0197d3c9-1d70-7a85-b6e2-9f3c5a8d7e14
             */
            message_id?: string | null;
            /**
             * @description What happened to the message, or what the person did: delivered, opened, replied ...
             * @example opened
             */
            fact?: string;
            /**
             * @description The step that sent the message
             * @example send_welcome
             */
            node?: string | null;
            /**
             * @description Channel of the message
             * @example email
             */
            channel?: string | null;
            /**
             * @description The provider
             * @example sendgrid
             */
            connector?: string | null;
            /**
             * @description The account at the provider
             * @example shop
             */
            account?: string | null;
            /**
             * @description Template of the message
             * @example welcome
             */
            template?: string | null;
            /**
             * @description Category of the message
             * @example marketing
             */
            category?: string | null;
            state?: components["schemas"]["MessageState"];
            reason?: components["schemas"]["SkipReason"];
            /**
             * @description Why the message failed
             * @example null
             */
            error?: string | null;
            /**
             * @description The provider's id of the message
             * @example 14c5d75ce93.dfd.64b469
             */
            external_id?: string | null;
            /**
             * @description A program did it, not a person
             * @example false
             */
            machine?: boolean;
            /**
             * @description Other data of the provider's report
             * @example {
             *       "useragent": "Mozilla/5.0"
             *     }
             */
            detail?: unknown;
        };
        /** @description A page of entries */
        Timeline: {
            /** @description Newest first */
            data: components["schemas"]["TimelineEntry"][];
            /**
             * @description Cursor of the next page
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        Problem: {
            /**
             * @description A URN of the kind of problem
             * @example urn:pawl:problem:not_found
             */
            type: string;
            /**
             * @description The kind of problem in a few words
             * @example Not found
             */
            title: string;
            /**
             * @description The status of the answer
             * @example 404
             */
            status: number;
            /**
             * @description What is wrong with this request, and what to do
             * @example there is no such run
             */
            detail: string;
            /**
             * @description The kind of problem, for programs and other languages: it stays the same while the sentence is reworded. Later servers may have more
             * @enum {string}
             */
            code: "already_answered" | "already_approved" | "already_asked" | "answer_not_kept" | "backfill_under_way" | "bad_signature" | "body_too_large" | "busy" | "conflict" | "csrf" | "draft_changed" | "excluded" | "expired" | "fenced" | "forbidden" | "has_accounts" | "idempotency_key_reused" | "internal" | "invalid" | "invalid_account" | "invalid_address" | "invalid_body" | "invalid_connector" | "invalid_content" | "invalid_definition" | "invalid_hook" | "invalid_json" | "invalid_parameter" | "invalid_path" | "invalid_token" | "job_over" | "method_not_allowed" | "name_taken" | "no_audience" | "no_key" | "no_link_secret" | "no_secret_key" | "no_session" | "no_sql_login" | "not_asked" | "not_awaited" | "not_entered" | "not_found" | "not_held" | "not_open" | "not_own" | "not_pausable" | "not_possible" | "not_reached" | "not_retryable" | "not_unknown" | "not_you" | "nothing_to_approve" | "open_runs" | "payload_too_large" | "people_elsewhere" | "run_closed" | "run_failed" | "run_not_found" | "schedule_failing" | "shares_accounts" | "task_claimed" | "task_closed" | "task_overdue" | "template_included" | "tests_changed" | "timeout" | "too_large" | "too_many_attempts" | "too_many_open_runs" | "too_many_starts" | "too_many_streams" | "unauthenticated" | "unavailable" | "unreadable_definition" | "unsupported_media_type" | "validation_failed" | "version_exists" | "version_inactive" | "version_retired" | "which_step" | "workflow_inactive" | "workflow_switched_off";
            /**
             * @description What the sentence names, such as the workflow
             * @example {
             *       "workflow": "hello"
             *     }
             */
            values?: {
                [key: string]: string;
            };
            /** @description The places of the request that are wrong */
            errors?: {
                /**
                 * @description JSON pointer into the request body
                 * @example /workflow
                 */
                pointer?: string;
                /**
                 * @description A query parameter or header
                 * @example limit
                 */
                parameter?: string;
                /**
                 * @description What is wrong there
                 * @example must be from 1 to 1000
                 */
                detail: string;
                /**
                 * @description The kind of mistake, unless it has only its sentence
                 * @enum {string}
                 */
                code?: "required" | "missing" | "must_be_text" | "text_length" | "too_many_bytes" | "must_be_person" | "must_be_whole" | "must_be_integer" | "must_be_number" | "must_be_flag" | "must_be_object" | "must_be_list" | "must_be_texts" | "must_be_time" | "must_be_clock" | "must_be_date" | "must_be_email" | "must_be_address" | "must_be_id" | "must_be_longer" | "must_be_past" | "must_be_before" | "must_be_one_of" | "must_be_at_least" | "must_be_at_most" | "must_be_more" | "must_be_less" | "must_be_multiple" | "empty" | "too_short" | "too_long" | "must_match" | "too_few_items" | "too_many_items" | "unknown_key" | "not_asked_for" | "not_allowed" | "no_cursor" | "no_run_id" | "no_step" | "no_way_out" | "no_connector";
                /**
                 * @description With the code, what the sentence names
                 * @example {
                 *       "least": "1",
                 *       "most": "100"
                 *     }
                 */
                values?: {
                    [key: string]: string;
                };
            }[];
            /**
             * @description With `not_awaited`: the signals that the run waits for
             * @example [
             *       "go"
             *     ]
             */
            waits_for?: string[];
            /**
             * @description Names the request in the log of the server
             * @example req-8f3a1c
             */
            request_id?: string;
        };
        /** @description An edge */
        RehearsedEdge: {
            /**
             * @description The node it leaves
             * @example loyal
             */
            from: string;
            /**
             * @description By which handle
             * @example true
             */
            handle: string;
            /**
             * @description Where it leads
             * @example thanks
             */
            to: string;
        };
        /** @description A branch of the run at a node */
        RehearsedStep: {
            /**
             * @description The node
             * @example thanks
             */
            node: string;
            /**
             * @description Its type
             * @example message
             */
            type: string;
            /**
             * Format: date-time
             * @description When it came there
             * @example 2026-01-01T00:00:00Z
             */
            at: string;
            /**
             * Format: date-time
             * @description When it was done; null: it is there
             * @example 2026-01-02T00:00:00Z
             */
            ended_at: string | null;
            /**
             * @description The edge by which it came; null: it begins there
             * @example {
             *       "from": "a_day",
             *       "handle": "default",
             *       "to": "thanks"
             *     }
             */
            by: components["schemas"]["RehearsedEdge"] | null;
            /**
             * @description How often it was called; 0: nothing was
             * @example 1
             */
            attempts: number;
            /**
             * @description What it was called with, templates filled in
             * @example {
             *       "channel": "sms",
             *       "text": "Thank you, Ann"
             *     }
             */
            input: Record<string, unknown> | null;
            /**
             * @description What it waited for
             * @example {
             *       "due_at": "2026-01-02T00:00:00Z"
             *     }
             */
            waits_for: Record<string, unknown> | null;
            /**
             * @description What came of it
             * @example {
             *       "state": "sent",
             *       "channel": "sms"
             *     }
             */
            result: unknown;
            /**
             * @description Why it failed; null: it did not
             * @example null
             */
            error: unknown;
            /**
             * @description By which handle it left
             * @example default
             */
            handle: string | null;
            /**
             * @description It is switched off: the branch passed it
             * @example false
             */
            disabled: boolean;
            /**
             * @description The answer was made up
             * @example false
             */
            made_up: boolean;
        };
        /** @description One run in virtual time */
        Rehearsal: {
            /**
             * @description Its name
             * @example thanks
             */
            workflow: string;
            /**
             * @description How it ended; waiting: nothing more would happen by itself
             * @example completed
             * @enum {string}
             */
            status: "completed" | "failed" | "cancelled" | "waiting";
            /**
             * Format: date-time
             * @description When virtual time begins
             * @example 2026-01-01T00:00:00Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @description And when it ends
             * @example 2026-01-02T00:00:00Z
             */
            ended_at: string;
            /**
             * @description How long that is
             * @example 1d
             */
            took: string;
            /**
             * @description What user stands for
             * @example {
             *       "first_name": "Ann"
             *     }
             */
            person: unknown;
            /**
             * @description The output of the run
             * @example {}
             */
            output: unknown;
            /**
             * @description Why it failed; null: it did not
             * @example null
             */
            error: unknown;
            /**
             * @description It was broken off, as it went in circles
             * @example false
             */
            stopped: boolean;
            /** @description Where it came by, in its order */
            steps: components["schemas"]["RehearsedStep"][];
            /**
             * @description There were more steps
             * @example false
             */
            truncated: boolean;
            /** @description How often each was taken */
            edges: components["schemas"]["FunnelEdge"][];
            /** @description Where it waits */
            waits_at: string[];
            /** @description Events that it would have published */
            emitted: {
                /**
                 * @description Its name
                 * @example order.shipped
                 */
                event: string;
                /**
                 * @description Its key
                 * @example 4711
                 */
                key: string;
                /**
                 * @description Its data
                 * @example {}
                 */
                data: unknown;
            }[];
            /** @description Events of the case that no step waited for */
            remarks: string[];
            /** @description What is not as `expect` says */
            mismatches: {
                /**
                 * @description What of it
                 * @example path
                 */
                what: string;
                /**
                 * @description How it differs
                 * @example expected a, b
                 */
                message: string;
            }[];
        };
        /** @description What waits, what fails, and how the service does */
        Overview: {
            /** @description Runs that are due and that no worker holds */
            work: {
                /**
                 * @description How many
                 * @example 12
                 */
                due: number;
                /**
                 * Format: date-time
                 * @description Since when the first of them is due
                 * @example 2026-11-03T08:58:00Z
                 */
                oldest_at: string | null;
                /**
                 * Format: uuid
                 * @description Which one that is
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                oldest_run_id: string | null;
            };
            /** @description Tasks of people that are open */
            tasks: {
                /**
                 * @description How many
                 * @example 5
                 */
                open: number;
                /**
                 * @description Those whose time is over
                 * @example 1
                 */
                overdue: number;
                /**
                 * @description Those due within a day
                 * @example 2
                 */
                due_soon: number;
                /**
                 * Format: date-time
                 * @description When the first was opened
                 * @example 2026-11-03T07:00:00Z
                 */
                oldest_at: string | null;
                /**
                 * Format: date-time
                 * @description When the next is due
                 * @example 2026-11-03T12:00:00Z
                 */
                next_due_at: string | null;
            };
            /** @description Errors whose runs were not replayed and that are not muted */
            failures: {
                /**
                 * @description How many errors
                 * @example 2
                 */
                groups: number;
                /**
                 * @description How many runs
                 * @example 7
                 */
                runs: number;
                /**
                 * Format: date-time
                 * @description When the last failed
                 * @example 2026-11-03T09:02:00Z
                 */
                last_at: string | null;
            };
            /** @description Receivers of messages about runs that get nothing now; up to 20 */
            targets: {
                /**
                 * @description Of the receiver
                 * @example 4
                 */
                id: number;
                /**
                 * @description As it was named; may be empty
                 * @example shop
                 */
                name: string;
                /**
                 * @description What it is
                 * @enum {string}
                 */
                kind: "webhook" | "notify" | "queue";
                /**
                 * @description Left alone for a while or switched off
                 * @enum {string}
                 */
                state: "failing" | "disabled";
                /**
                 * @description Why it was switched off
                 * @example null
                 */
                reason: string | null;
                /**
                 * @description How often it failed in a row
                 * @example 6
                 */
                failures: number;
                /**
                 * Format: date-time
                 * @description Until when it is left alone
                 * @example 2026-11-03T09:10:00Z
                 */
                until: string | null;
            }[];
            /** @description The service as a whole; null: it is not for this tenant to see */
            service: {
                /** @description Those that run now; up to 100 */
                workers: {
                    /**
                     * Format: uuid
                     * @description Of the worker
                     * @example 01980000-0000-7000-8000-000000000000
                     */
                    id: string;
                    /**
                     * @description Where it runs
                     * @example app-1
                     */
                    host: string;
                    /**
                     * @description Its process
                     * @example 4711
                     */
                    pid: number;
                    /**
                     * @description Of the program
                     * @example 1.0.0
                     */
                    version: string;
                    /**
                     * Format: date-time
                     * @description Since when
                     * @example 2026-11-03T08:00:00Z
                     */
                    started_at: string;
                    /**
                     * Format: date-time
                     * @description When it last said so
                     * @example 2026-11-03T09:00:02Z
                     */
                    beat_at: string;
                }[];
                /** @description How the database was; null: no worker has looked yet */
                database: {
                    /**
                     * Format: date-time
                     * @description When they looked
                     * @example 2026-11-03T09:00:00Z
                     */
                    taken_at?: string;
                    /**
                     * @description Age of the oldest snapshot: rows that died since then cannot be vacuumed
                     * @example 3.5
                     */
                    horizon_age_seconds?: number | null;
                    /**
                     * @description Open now
                     * @example 24
                     */
                    connections?: number | null;
                    /**
                     * @description As many as the server takes
                     * @example 100
                     */
                    connections_max?: number | null;
                    /**
                     * @description Of the database on disk
                     * @example 734003200
                     */
                    size_bytes?: number | null;
                    /**
                     * @description Transactions since rows were last frozen; the database stops before 2 billion
                     * @example 51200000
                     */
                    transaction_id_age?: number | null;
                    /**
                     * @description Weeks to come that have their partitions
                     * @example 4
                     */
                    partition_weeks_ahead?: number | null;
                    /**
                     * @description WAL that a replication slot keeps
                     * @example 16777216
                     */
                    wal_kept_bytes?: number | null;
                    /**
                     * @description How far the slowest standby is behind
                     * @example 0
                     */
                    replication_lag_bytes?: number | null;
                } | null;
            } | null;
        };
        RunRate: {
            /**
             * Format: date-time
             * @description Where the piece begins
             * @example 2026-11-03T09:00:00Z
             */
            at: string;
            /**
             * @description Runs that began
             * @example 120
             */
            started: number;
            /**
             * @description Runs that reached their end
             * @example 110
             */
            completed: number;
            /**
             * @description Runs that failed
             * @example 2
             */
            failed: number;
            /**
             * @description Runs that were cancelled
             * @example 1
             */
            cancelled: number;
        };
        /** @description The person does not meet `enter_if`; no run was started */
        NotEntered: {
            /**
             * @description The workflow
             * @example order
             */
            workflow: string;
            /**
             * @description Its version
             * @example 3
             */
            version: number;
            /**
             * @description Always false
             * @constant
             */
            created: false;
            /**
             * @description Always false
             * @constant
             */
            entered: false;
        };
        StepTurn: {
            /**
             * @description The first is 0
             * @example 0
             */
            turn: number;
            /**
             * Format: date-time
             * @description When
             * @example 2026-11-03T09:00:00Z
             */
            at: string;
            /**
             * @description What the model said
             * @example {
             *       "text": "Let me look at the order"
             *     }
             */
            reply?: Record<string, unknown>;
            /**
             * @description Why the model was asked again
             * @example the reply is not what `output` asks for
             */
            problem?: string;
            /**
             * @description Tokens
             * @example {
             *       "input_tokens": 812,
             *       "output_tokens": 64
             *     }
             */
            usage?: Record<string, unknown>;
            /**
             * @description The tool that was called
             * @example {
             *       "name": "find_order",
             *       "input": {
             *         "id": "order-7"
             *       }
             *     }
             */
            tool?: Record<string, unknown>;
            /**
             * @description What the tool gave
             * @example {
             *       "total": 99
             *     }
             */
            result?: unknown;
            /**
             * @description Why the tool failed
             * @example there is no such order
             */
            error?: string;
            /**
             * @description The result that a person looks at
             * @example {
             *       "answer": "It arrives on Monday"
             *     }
             */
            draft?: unknown;
        };
        AudiencePreview: {
            /**
             * @description The number of rows; a subject may have several
             * @example 2150
             */
            count: number;
            /**
             * @description The first rows. Of a value that takes more than 1 kB there is the beginning of its text
             * @example [
             *       {
             *         "subject": "customer-42",
             *         "first_name": "Ann"
             *       }
             *     ]
             */
            examples: Record<string, unknown>[];
        };
        ScheduleList: {
            /** @description The schedules */
            data?: components["schemas"]["Schedule"][];
        } & components["schemas"]["Page"];
        Schedule: {
            /**
             * @description Its number
             * @example 4
             */
            id: number;
            /**
             * @description What it starts
             * @example nightly_report
             */
            workflow: string;
            /**
             * @description Which of the definition's triggers, from 0
             * @example 0
             */
            trigger: number;
            /**
             * @description When, as a cron expression
             * @example 0 3 * * *
             */
            cron: string;
            /**
             * @description In which time zone
             * @example Asia/Bangkok
             */
            timezone: string;
            /**
             * @description What happens when the run before is still open
             * @enum {string}
             */
            overlap: "skip" | "allow" | "queue";
            /**
             * @description A slot that is later than this is left out: `1h`
             * @example 1h
             */
            catch_up: string;
            /**
             * @description Runs start up to this much later: `30s`
             * @example 30s
             */
            jitter: string;
            /**
             * @description The input of its runs
             * @example {
             *       "day": "yesterday"
             *     }
             */
            input: unknown;
            /**
             * @description The query for whom a slot starts runs; null: a slot starts one run
             * @example null
             */
            audience: string | null;
            /**
             * @description For an audience: when in the day of each
             * @example null
             */
            local_time: string | null;
            /**
             * @description `inactive`: the workflow is inactive. `failing`: see `problem`
             * @enum {string}
             */
            status: "active" | "paused" | "failing" | "inactive";
            /**
             * @description Why the last slot could not fire
             * @example null
             */
            problem: string | null;
            /**
             * Format: date-time
             * @description Since when it is paused; null: it is not
             * @example null
             */
            paused_at: string | null;
            /**
             * @description Why it is paused
             * @example null
             */
            pause_reason: string | null;
            /**
             * Format: date-time
             * @description The next slot; null for a second after a change, and while paused
             * @example 2026-11-03T20:00:00Z
             */
            next_at: string | null;
            /**
             * Format: date-time
             * @description The last instant for which it started a run
             * @example 2026-11-02T20:00:00Z
             */
            last_slot: string | null;
            /**
             * Format: uuid
             * @description The run of that slot
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
             */
            last_run_id: string | null;
            /**
             * @description Number of started runs
             * @example 31
             */
            fired: number;
            /**
             * @description Slots left out because a run was open
             * @example 0
             */
            skipped: number;
            /**
             * @description Slots left out because no worker was running in time, or the run could not be started
             * @example 1
             */
            missed: number;
            /** @description Past slots that are being started; null: none */
            backfill: null | {
                /**
                 * Format: date-time
                 * @description The next slot
                 * @example 2026-10-05T20:00:00Z
                 */
                next_at: string;
                /**
                 * Format: date-time
                 * @description The last one
                 * @example 2026-10-31T20:00:00Z
                 */
                to: string;
            };
            /**
             * @description The next slots
             * @example [
             *       "2026-11-03T20:00:00Z",
             *       "2026-11-04T20:00:00Z"
             *     ]
             */
            upcoming?: string[];
            /** @description Of its last slots, newest first; only for a single schedule */
            last_runs?: components["schemas"]["Run"][];
        };
        /** @description A workflow; docs/definition.md has all fields */
        Definition: {
            /**
             * @description The name in starts, lists and logs
             * @example order
             */
            name: string;
            /**
             * @description What it does, for people
             * @example Charges a card and ships the order
             */
            description?: string;
            /**
             * @description The steps, one after another
             * @example [
             *       {
             *         "name": "charge",
             *         "function": "charge-card"
             *       }
             *     ]
             */
            steps?: Record<string, unknown>[];
        };
        Workflow: {
            /**
             * @description Its name
             * @example order
             */
            name: string;
            /**
             * @description The number of the version
             * @example 3
             */
            version: number;
            /**
             * @description Its semantic version, such as `1.2.0`
             * @example 1.2.0
             */
            label?: string | null;
            /**
             * @description False: it cannot be started
             * @example true
             */
            active: boolean;
            /**
             * @description Nothing starts it until it is activated
             * @example false
             */
            draft?: boolean;
            /**
             * Format: date-time
             * @description Since when nothing starts this version; null: it may be started
             * @example null
             */
            retired_at?: string | null;
            /** @description Versions that are active beside the head, with their shares of the starts */
            canary?: components["schemas"]["VersionShare"][];
            /**
             * @description Why the workflow is switched off
             * @example null
             */
            switched_off?: string | null;
            /**
             * @description In lists of versions
             * @example 17
             */
            open_runs?: number;
            /**
             * Format: date-time
             * @description When this version was created
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * @description The definition as JSON
             * @example {
             *       "name": "order",
             *       "nodes": [
             *         {
             *           "id": "charge",
             *           "function": "charge-card"
             *         }
             *       ],
             *       "edges": []
             *     }
             */
            definition: Record<string, unknown>;
            /**
             * @description Where an editor draws the nodes, of `GET /v1/workflows/{name}`; null: not said
             * @example {
             *       "nodes": {
             *         "charge": {
             *           "x": 0,
             *           "y": 80
             *         }
             *       }
             *     }
             */
            layout?: Record<string, unknown> | null;
            /**
             * @description Who answers for the workflow; null: not said
             * @example Team CRM
             */
            owner?: string | null;
            /**
             * @description Who changed its versions last: a person, the name of an API key, `cli`, `sql`, `pawl dev` or `C++`; null in answers about versions, and if it is not known
             * @example ann@example.com
             */
            changed_by?: string | null;
            /**
             * Format: date-time
             * @description When that was; null in answers about versions
             * @example 2026-05-01T08:00:00Z
             */
            changed_at?: string | null;
        };
        /**
         * @description A version, by its number or its label
         * @example 3
         */
        VersionRef: number | string;
        VersionShare: {
            version: components["schemas"]["VersionRef"];
            /**
             * @description Percent of the starts
             * @example 10
             */
            share: number;
        };
        Migrate: {
            to: components["schemas"]["VersionRef"];
            /** @description Only runs of these versions. Default: all others */
            from?: components["schemas"]["VersionRef"] | components["schemas"]["VersionRef"][];
            /**
             * @description For each renamed step, the id of the step that replaces it
             * @example {
             *       "charge": "charge_card"
             *     }
             */
            map?: {
                [key: string]: string;
            };
            exit?: components["schemas"]["ExitSteps"];
            filter?: components["schemas"]["RunConditions"];
            /**
             * @description Only so many runs, the oldest first
             * @example 1000
             */
            limit?: number;
        };
        /**
         * @description Steps of the old versions: runs of which a branch stands on one of them are cancelled instead (`exits` in the counts of the job)
         * @example [
         *       "wait_a_week"
         *     ]
         */
        ExitSteps: string[];
        WorkflowList: {
            /** @description The workflows, by name */
            data?: components["schemas"]["Workflow"][];
        } & components["schemas"]["Page"];
        VersionList: {
            /** @description The versions, newest first */
            data?: components["schemas"]["Workflow"][];
        } & components["schemas"]["Page"];
        Applied: {
            /**
             * @description The workflow
             * @example order
             */
            name: string;
            /**
             * @description The version that is active now
             * @example 3
             */
            version: number;
            /**
             * @description Whether this made it a new one
             * @example true
             */
            changed: boolean;
        };
        StartRun: {
            /**
             * @description What to start
             * @example order
             */
            workflow: string;
            version?: components["schemas"]["VersionRef"];
            /**
             * @description The input of the run
             * @default {}
             */
            data?: Record<string, unknown>;
            /**
             * @description At most one run of the workflow has it
             * @example order-7
             */
            correlation_id?: string;
            /**
             * @description What or whom the run is about
             * @example customer-42
             */
            subject?: string;
            /**
             * @description Lower is sooner
             * @default 0
             */
            priority?: number;
            /**
             * Format: date-time
             * @description When it begins; without it now
             * @example 2026-11-03T12:00:00Z
             */
            start_at?: string;
            /**
             * @description Like `5m`; not together with start_at
             * @example 5m
             */
            delay?: string;
        };
        Started: {
            /**
             * Format: uuid
             * @description The id of the run
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
             */
            id: string;
            /**
             * @description Its workflow
             * @example order
             */
            workflow: string;
            /**
             * @description The version that it runs
             * @example 3
             */
            version: number;
            /**
             * @description False: this run existed already
             * @example true
             */
            created: boolean;
            /**
             * @description For a rerun: steps before `from` that were undone and are not done again
             * @example [
             *       "ship"
             *     ]
             */
            released?: string[];
        };
        /** @enum {string} */
        RunStatus: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
        RunError: {
            /**
             * @description What went wrong, for people
             * @example the card was refused
             */
            message: string;
            /**
             * @description The same for programs
             * @example card_declined
             */
            code?: string;
            /**
             * @description Whether another attempt can help
             * @enum {string}
             */
            class?: "retryable" | "permanent" | "ambiguous";
            /**
             * @description The step that gave up
             * @example charge
             */
            step?: string;
            /** @description What the run did and could not undo; a retry continues with that */
            not_undone?: {
                /**
                 * @description The step whose effect is still there
                 * @example charge
                 */
                step: string;
                /**
                 * @description The step that should undo it
                 * @example refund
                 */
                by: string;
                /**
                 * @description The item of a foreach
                 * @example 0
                 */
                index?: number;
                error: components["schemas"]["RunError"];
            }[];
            /** @description What child runs did and could not undo; they are dead letters themselves */
            children_not_undone?: {
                /**
                 * @description The child run
                 * @example 0197d3d2-4c0f-7b63-8f1d-2e7a9c5b4d60
                 */
                run: string;
                /**
                 * @description The step whose effect is still there
                 * @example charge
                 */
                step: string;
                /**
                 * @description The step that should undo it
                 * @example refund
                 */
                by: string;
                /**
                 * @description The item of a foreach
                 * @example 0
                 */
                index?: number;
                error: components["schemas"]["RunError"];
            }[];
        };
        Run: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
             */
            id: string;
            /**
             * @description Its workflow
             * @example order
             */
            workflow: string;
            /**
             * @description The version that it runs
             * @example 3
             */
            version: number;
            status: components["schemas"]["RunStatus"];
            /**
             * @description What or whom it is about; null: not said
             * @example customer-42
             */
            subject?: string | null;
            /**
             * @description At most one run of the workflow has it; null: none
             * @example order-7
             */
            correlation_id?: string | null;
            /**
             * @description Through what it was started
             * @example api
             */
            triggered_by?: string | null;
            /**
             * @description Lower is sooner; a level is worth a minute of waiting
             * @example 0
             */
            priority?: number;
            /**
             * Format: uuid
             * @description The run that retries this one
             * @example null
             */
            retried_as?: string | null;
            /**
             * Format: uuid
             * @description The run that this one retries or repeats
             * @example null
             */
            parent?: string | null;
            /**
             * @description With `wait`; false: the run existed already
             * @example true
             */
            created?: boolean;
            /**
             * Format: date-time
             * @description When it was started
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ended; null: it is open
             * @example 2026-11-03T09:00:04Z
             */
            closed_at?: string | null;
            /**
             * Format: date-time
             * @description When it continues
             * @example null
             */
            due_at?: string | null;
            /**
             * @description The input of the run
             * @example {
             *       "total": 99
             *     }
             */
            input?: unknown;
            /**
             * @description Of a completed run
             * @example {
             *       "receipt": "r-1001"
             *     }
             */
            output?: unknown;
            /** @description Why it failed; null: it did not */
            error?: components["schemas"]["RunError"] | null;
        };
        RunList: {
            /**
             * @description With `error` or `where`: how many runs were looked through. A page with fewer runs than `limit` and `has_more` ends where that stopped
             * @example 2000
             */
            scanned?: number;
            /** @description The runs, newest first */
            data?: components["schemas"]["Run"][];
        } & components["schemas"]["Page"];
        Event: {
            /**
             * @description Its place in the log
             * @example 3
             */
            seq: number;
            /**
             * @description What happened
             * @enum {string}
             */
            type: "run_started" | "step_completed" | "step_failed" | "wait_started" | "run_completed" | "run_failed" | "run_cancelled" | "node_passed" | "routed" | "joined" | "signal_received" | "wait_noted" | "run_paused" | "run_resumed" | "compensation_started" | "items_listed" | "step_skipped" | "planned" | "run_repinned" | "run_held" | "run_stopping" | "items_reopened" | "step_advanced";
            /**
             * Format: date-time
             * @description When
             * @example 2026-11-03T09:00:02Z
             */
            at: string;
            /**
             * @description At which step; null: to the run as a whole
             * @example charge
             */
            step?: string;
            /**
             * @description With which attempt
             * @example 1
             */
            attempt?: number;
            /**
             * @description The branch of the run
             * @example 0
             */
            branch?: number;
            /**
             * @description The number of the visit to the step
             * @example 1
             */
            visit?: number;
            /**
             * @description The item of the foreach, counted from 0; for nested ones, the outermost first
             * @example [
             *       0
             *     ]
             */
            item?: number[];
            /**
             * @description What the event says
             * @example {
             *       "receipt": "r-1001"
             *     }
             */
            data?: unknown;
            error?: components["schemas"]["RunError"];
            /**
             * @description If an API key did it, as the data says by its prefix: its name
             * @example helpdesk
             */
            by_name?: string;
        };
        EventList: {
            /** @description The log, in order */
            data?: components["schemas"]["Event"][];
        } & components["schemas"]["Page"];
        Step: {
            /**
             * @description The name of the step
             * @example charge
             */
            step: string;
            /**
             * @description The type of the step
             * @example function
             */
            type: string;
            /**
             * @description Skipped: by a person, since it is switched off, or since the run took another path
             * @enum {string}
             */
            status: "pending" | "running" | "retrying" | "waiting" | "completed" | "failed" | "cancelled" | "skipped";
            /**
             * @description What it returned; null: nothing yet
             * @example {
             *       "receipt": "r-1001"
             *     }
             */
            result?: unknown;
            error?: components["schemas"]["RunError"];
            /**
             * Format: date-time
             * @description When it is tried again; null: it is not
             * @example 2026-11-03T09:01:00Z
             */
            next_attempt_at?: string;
            /** @description Of an agent, its replies and the calls of its tools */
            turns?: components["schemas"]["StepTurn"][];
            /** @description Who skipped it */
            skipped?: {
                /**
                 * @description Who skipped it
                 * @example ann@example.com
                 */
                by: string;
                /**
                 * @description Why
                 * @example paid in cash
                 */
                reason: string;
                /**
                 * @description If that is an API key: its name
                 * @example helpdesk
                 */
                by_name?: string | null;
            };
            /** @description What was tried */
            attempts: {
                /**
                 * @description Which attempt, from 1
                 * @example 1
                 */
                attempt: number;
                /**
                 * @description How it ended
                 * @enum {string}
                 */
                outcome: "completed" | "failed";
                /**
                 * Format: date-time
                 * @description When it ended
                 * @example 2026-11-03T09:00:02Z
                 */
                at: string;
                /**
                 * @description In which branch of the run
                 * @example 0
                 */
                branch?: number;
                /**
                 * @description How often the branch has come here
                 * @example 1
                 */
                visit?: number;
                /**
                 * @description The place of the item of a foreach; null: none
                 * @example [
                 *       0
                 *     ]
                 */
                item?: number[];
                error?: components["schemas"]["RunError"];
                /**
                 * @description Of an attempt that failed: the host and the process that tried it
                 * @example pawl-1/4711
                 */
                worker?: string;
                /**
                 * @description Where the trace is that shows it; null: there is none
                 * @example https://traces.example.com/trace/4bf92f3577b3
                 */
                trace_url?: string | null;
            }[];
            /**
             * @description It is switched off and runs pass it
             * @example false
             */
            disabled?: boolean;
        };
        Job: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37
             */
            id: string;
            /**
             * @description What it does
             * @enum {string}
             */
            kind: "replay" | "bulk" | "audience";
            /**
             * @description How far it is
             * @enum {string}
             */
            status: "queued" | "running" | "paused" | "done" | "failed" | "cancelled";
            /**
             * @description How many runs it is about
             * @example 120
             */
            total: number;
            /**
             * @description How many it has done
             * @example 80
             */
            done: number;
            /**
             * @description How many it could not do
             * @example 1
             */
            failed: number;
            /**
             * @description Why the job as a whole could not continue, or waits; who cancelled it
             * @example null
             */
            error?: string | null;
            /**
             * @description The action of a bulk job
             * @example cancel
             */
            action?: string;
            /**
             * @description For a migration: it only reports what it would do
             * @example false
             */
            dry_run?: boolean;
            /**
             * @description The workflow of the runs; null: all
             * @example order
             */
            workflow?: string | null;
            /**
             * @description The schedule of an audience
             * @example 4
             */
            schedule?: number;
            /**
             * Format: date-time
             * @description The slot of an audience
             * @example 2026-11-02T20:00:00Z
             */
            slot?: string;
            /** @description A few of the runs, or subjects of an audience, that are counted in `failed` */
            examples?: {
                /**
                 * Format: uuid
                 * @description A run that it could not do
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run?: string;
                /**
                 * @description The beginning of the subject
                 * @example customer-42
                 */
                subject?: string | null;
                /**
                 * @description Why not
                 * @example the run has closed
                 */
                problem: string;
                /**
                 * @description At which step
                 * @example charge
                 */
                node?: string;
            }[];
            /**
             * @description Results of the job; for a migration unaffected, moves_on, would_break, exits; for an audience entered, existing (people with a run of this slot, or one that `reentry` counts) and kept_out (people who do not meet `enter_if`)
             * @example {
             *       "cancelled": 80
             *     }
             */
            counts?: {
                [key: string]: number;
            };
            /**
             * Format: date-time
             * @description When it was requested
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it made progress last
             * @example 2026-11-03T09:05:00Z
             */
            updated_at: string;
        };
        /**
         * @description The person for whom the caller acts; it is logged. Default: the name of the key. A token
         *     names its own person.
         * @example ann@example.com
         */
        ActingFor: string;
        BulkRuns: {
            /**
             * @description What to do with each run
             * @enum {string}
             */
            action: "cancel" | "pause" | "resume" | "signal" | "skip" | "settle" | "retry" | "rerun";
            filter?: components["schemas"]["RunConditions"];
            /**
             * @description Act on all runs without a condition
             * @example true
             */
            all?: boolean;
            /**
             * @description Only report what would be done
             * @example true
             */
            dry_run?: boolean;
            /**
             * @description Nothing is done if more runs match
             * @default 100000
             */
            limit?: number;
            /**
             * @description Kept in the logs
             * @example the shop is closed
             */
            reason?: string;
            /**
             * @description Of a signal
             * @example go
             */
            name?: string;
            /**
             * @description Of a signal; of settle: the result of a completed step
             * @example {
             *       "ok": true
             *     }
             */
            data?: unknown;
            /**
             * @description The step to skip or settle
             * @example charge
             */
            node?: string;
            /**
             * @description How that step ended
             * @enum {string}
             */
            as?: "completed" | "failed" | "retry";
            /**
             * @description The result of the skipped step
             * @example {
             *       "receipt": "paid in cash"
             *     }
             */
            value?: unknown;
            by?: components["schemas"]["ActingFor"];
        };
        /** @description As in `GET /v1/runs`. Without a status, all runs that the action applies to */
        RunConditions: {
            /**
             * @description Only runs of this workflow
             * @example order
             */
            workflow?: string;
            /** @description Only runs with one of these */
            status?: string | components["schemas"]["RunStatus"][];
            /**
             * @description Only runs about this subject
             * @example customer-42
             */
            subject?: string;
            /**
             * @description Only the run that has it
             * @example order-7
             */
            correlation_id?: string;
            /**
             * Format: date-time
             * @description Only runs that were created then or later
             * @example 2026-11-03T09:00:00Z
             */
            created_after?: string;
            /**
             * Format: date-time
             * @description Only runs that were created earlier
             * @example 2026-11-03T10:00:00Z
             */
            created_before?: string;
            /**
             * @description Only runs with this text in their error, in any case
             * @example timeout
             */
            error?: string;
            /**
             * @description Only runs whose input meets all of these
             * @example [
             *       "data.total>100"
             *     ]
             */
            where?: string[];
        };
        BulkPreview: {
            /**
             * @description Always true
             * @example true
             */
            dry_run: boolean;
            /**
             * @description What would be done
             * @example cancel
             */
            action: string;
            /**
             * @description With how many runs
             * @example 120
             */
            total: number;
            /**
             * @description False: there may be more
             * @example true
             */
            complete: boolean;
            /**
             * @description The newest of them
             * @example [
             *       "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b"
             *     ]
             */
            sample: string[];
        };
        NodeType: {
            /**
             * @description The name of the type
             * @example wait
             */
            type: string;
            /**
             * @description A short name for people
             * @example Wait
             */
            title: string;
            /**
             * @description What such a step does
             * @example Waits for a while, until a time, or for an event
             */
            description: string;
            /**
             * @description The handles of such a node
             * @example [
             *       "default",
             *       "timeout"
             *     ]
             */
            handles?: string[];
            /**
             * @description A step of the type
             * @example {
             *       "id": "wait_a_week",
             *       "type": "wait",
             *       "config": {
             *         "wait": "7d"
             *       }
             *     }
             */
            example?: Record<string, unknown>;
            /**
             * @description JSON Schema 2020-12 of a step of this type
             * @example {
             *       "required": [
             *         "wait"
             *       ]
             *     }
             */
            schema: Record<string, unknown>;
        };
        Page: {
            /**
             * @description The entries of this page
             * @example []
             */
            data: unknown[];
            /**
             * @description For the next page; null: there is none
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        Action: {
            /**
             * @description What a step calls it
             * @example award_points
             */
            name: string;
            /**
             * @description The params that a step gives
             * @example [
             *       "amount"
             *     ]
             */
            params: string[];
            /**
             * @description JSON Schema of the params; null for any
             * @example {
             *       "properties": {
             *         "amount": {
             *           "type": "integer",
             *           "minimum": 1
             *         }
             *       }
             *     }
             */
            schema: Record<string, unknown> | null;
            /**
             * @description Whether it is of this tenant alone
             * @example false
             */
            own: boolean;
        };
        Session: {
            /**
             * @description The 8 characters of a key, or a person
             * @example ann@example.com
             */
            subject: string;
            /**
             * @description What the key is called, or the person
             * @example Ann
             */
            name: string;
            /**
             * @description Whether it is a person, who acts only for themselves
             * @example true
             */
            person: boolean;
            /**
             * @description For which tenant they act
             * @example default
             */
            tenant: string;
            /** @description For which they may */
            tenants: {
                /**
                 * @description The tenant
                 * @example default
                 */
                name: string;
                /**
                 * @description The role there
                 * @example editor
                 */
                role: string | null;
            }[];
            /**
             * @description The role in this tenant; null: scopes alone
             * @example editor
             */
            role: string | null;
            /**
             * @description What they may do; `admin` stands for everything
             * @example [
             *       "workflows:read",
             *       "workflows:write"
             *     ]
             */
            scopes: string[];
            /**
             * @description What writes with the cookie must send as `X-Pawl-Csrf`; null for a key or a token
             * @example u3Zk9Q1xTb7c
             */
            csrf: string | null;
            /**
             * Format: date-time
             * @description When it ends, if it is not used before
             * @example 2026-11-03T17:00:00Z
             */
            expires_at: string | null;
        };
        /** @description A browser that is signed in */
        SessionInfo: {
            /**
             * @description Its number
             * @example 17
             */
            id: string;
            /**
             * @description Whether it makes this request
             * @example true
             */
            current: boolean;
            /**
             * @description For which tenant it acts
             * @example default
             */
            tenant: string;
            /**
             * Format: date-time
             * @description When it was begun
             * @example 2026-06-01T08:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was used last, to the minute
             * @example 2026-06-01T09:12:00Z
             */
            used_at: string;
            /**
             * Format: date-time
             * @description When it ends, if it is not used before
             * @example 2026-06-01T17:12:00Z
             */
            expires_at: string;
            /**
             * @description The address it was begun from
             * @example 192.0.2.7
             */
            peer: string | null;
            /**
             * @description How the browser calls itself
             * @example Mozilla/5.0
             */
            agent: string | null;
        };
        /** @description The sessions of one owner */
        SessionList: {
            /** @description At most 1,000 */
            data: components["schemas"]["SessionInfo"][];
            /**
             * @description Always null
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Always false
             * @example false
             */
            has_more: boolean;
        };
        /** @enum {string} */
        TaskState: "open" | "approved" | "rejected" | "timed_out" | "withdrawn";
        ActOnTask: {
            /**
             * @description The person; a token always acts for its own person
             * @example ann@example.com
             */
            by?: string;
            /**
             * @description Why
             * @example the amount is right
             */
            reason?: string;
        };
        Task: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
             */
            id: string;
            /**
             * Format: uuid
             * @description The run that asks
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
             */
            run_id: string;
            /**
             * @description The workflow of the run
             * @example order
             */
            workflow: string;
            /**
             * @description The step that asks
             * @example approve
             */
            step: string;
            /**
             * @description What or whom the run is about; null: not said
             * @example customer-42
             */
            subject?: string | null;
            state: components["schemas"]["TaskState"];
            /**
             * @description The question
             * @example Approve the refund of 99 EUR?
             */
            title: string;
            /**
             * @description More about it
             * @example The customer sent the goods back
             */
            description?: string | null;
            /**
             * @description The data to decide on; any JSON
             * @example {
             *       "total": 99
             *     }
             */
            data?: unknown;
            /**
             * @description A JSON Schema of the approved data, or null
             * @example {
             *       "type": "object",
             *       "properties": {
             *         "total": {
             *           "type": "number"
             *         }
             *       }
             *     }
             */
            form?: unknown;
            /**
             * @description Who is asked; null: not one person
             * @example ann@example.com
             */
            assignee?: string | null;
            /**
             * @description Which group is asked; null: none
             * @example null
             */
            group?: string | null;
            /**
             * @description Who may decide, if it is not one person
             * @example [
             *       "ann@example.com"
             *     ]
             */
            approvers?: string[];
            /**
             * @description How many have to approve
             * @example 1
             */
            approvals_needed?: number;
            /**
             * @description Who has approved
             * @example []
             */
            approved_by?: string[];
            /**
             * @description How many have to reject
             * @example 1
             */
            rejections_needed?: number;
            /**
             * @description Who has rejected
             * @example []
             */
            rejected_by?: string[];
            /**
             * @description People who may not decide it
             * @example [
             *       "bob@example.com"
             *     ]
             */
            excluded?: string[];
            /**
             * @description The person who decides alone since the task was escalated
             * @example null
             */
            escalated_to?: string | null;
            /**
             * @description Who works on it; null: no one
             * @example null
             */
            claimed_by?: string | null;
            /**
             * Format: date-time
             * @description Until when it must be decided; null: no limit
             * @example 2026-11-04T09:00:00Z
             */
            due_at?: string | null;
            /**
             * Format: date-time
             * @description Since when it is open
             * @example 2026-11-03T09:00:00Z
             */
            opened_at: string;
            /**
             * Format: date-time
             * @description When it was decided; null: not yet
             * @example null
             */
            decided_at?: string | null;
            /**
             * @description Who decided; null: not yet
             * @example null
             */
            decided_by?: string | null;
            /**
             * @description Why it was decided so
             * @example null
             */
            reason?: string | null;
            /**
             * @description What those are called who decided or claimed it and are API keys, by the 8 characters that stand for a key; null: none is one
             * @example {
             *       "q7m2hcx4": "helpdesk"
             *     }
             */
            key_names?: {
                [key: string]: string;
            } | null;
        };
        TaskList: {
            /** @description The tasks, newest first */
            data?: components["schemas"]["Task"][];
        } & components["schemas"]["Page"];
        TaskDecision: {
            /**
             * Format: date-time
             * @description When
             * @example 2026-11-03T09:00:00Z
             */
            at: string;
            /**
             * @description What was done
             * @enum {string}
             */
            action: "open" | "claim" | "unclaim" | "delegate" | "edit" | "approve" | "reject" | "remind" | "escalate" | "close";
            /**
             * @description The person; `pawl` for automatic actions
             * @example ann@example.com
             */
            by: string;
            /**
             * @description If that is an API key: its name
             * @example helpdesk
             */
            by_name?: string | null;
            /**
             * @description Why
             * @example the amount is right
             */
            reason?: string | null;
            /**
             * @description The edited data, or the new assignee
             * @example {
             *       "total": 99
             *     }
             */
            data?: unknown;
        };
        /** @description Content of a message; each channel uses the parts it knows */
        TemplateContent: {
            /**
             * @description Subject of an email
             * @example Welcome, {{ user.first_name }}
             */
            subject?: string;
            /**
             * @description Text of an SMS, an email or a LINE message
             * @example Hello {{ user.first_name }}
             */
            text?: string;
            /**
             * @description HTML of an email
             * @example <p>Hello {{ user.first_name }}</p>
             */
            html?: string;
            /**
             * @description Message objects of LINE, up to five
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Hello {{ user.first_name }}"
             *       }
             *     ]
             */
            messages?: unknown[];
            /**
             * @description Title of a push message
             * @example Welcome
             */
            title?: string;
            /**
             * @description Text of a push message
             * @example Your first coupon is here
             */
            body?: string;
            /**
             * @description Data for the receiving program
             * @example {
             *       "screen": "coupons"
             *     }
             */
            data?: {
                [key: string]: unknown;
            };
            /**
             * @description Whether Pawl records clicks and opens
             * @example true
             */
            track?: boolean;
        };
        /** @description A message template */
        Template: {
            /**
             * @description The name that message steps use
             * @example welcome
             */
            name: string;
            /**
             * @description Counted from 1
             * @example 2
             */
            version: number;
            /**
             * @description Category of messages that name none
             * @example marketing
             */
            category: string;
            /**
             * @description The content of each language
             * @example {
             *       "en": {
             *         "subject": "Welcome",
             *         "text": "Hello {{ user.first_name }}"
             *       }
             *     }
             */
            languages: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the version was saved
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
        };
        /** @description A page of templates */
        TemplateList: {
            /** @description By name */
            data: {
                /**
                 * @description The name that message steps use
                 * @example welcome
                 */
                name: string;
                /**
                 * @description The newest version
                 * @example 2
                 */
                version: number;
                /**
                 * @description Category of messages that name none
                 * @example marketing
                 */
                category: string;
                /**
                 * @description Its languages
                 * @example [
                 *       "en",
                 *       "th"
                 *     ]
                 */
                languages: string[];
                /**
                 * Format: date-time
                 * @description When the version was saved
                 * @example 2026-11-03T09:00:00Z
                 */
                created_at: string;
            }[];
            /**
             * @description Cursor of the next page
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        /** @description A test message */
        TestMessage: {
            /**
             * Format: uuid
             * @description Its id: GET /v1/messages/{id}
             * @example 0197d3c9-1d70-7a85-b6e2-9f3c5a8d7e14
             */
            message: string;
            /**
             * @description What happened to it
             * @enum {string}
             */
            state: "sent" | "failed" | "unknown";
            /**
             * @description The provider
             * @example sendgrid
             */
            connector: string;
            /**
             * @description The account at the provider
             * @example shop
             */
            account: string;
            /**
             * @description The provider's id of the message
             * @example 14c5d75ce93.dfd.64b469
             */
            external_id: string | null;
            /**
             * @description Why it failed
             * @example null
             */
            error: string | null;
            preview: components["schemas"]["TemplatePreview"];
        };
        /** @description A template as a person would get it */
        TemplatePreview: {
            /**
             * @description Version of the template
             * @example 2
             */
            version: number;
            /**
             * @description The one that was chosen
             * @example en
             */
            language: string;
            /**
             * @description Category of the template
             * @example marketing
             */
            category: string;
            /**
             * @description The filled content
             * @example {
             *       "subject": "Welcome",
             *       "text": "Hello Ann"
             *     }
             */
            content: {
                [key: string]: unknown;
            };
            /** @description How `text` goes out as an SMS */
            sms: {
                /**
                 * @description UCS2 if a character is not in GSM-7
                 * @enum {string}
                 */
                encoding: "GSM7" | "UCS2";
                /**
                 * @description How many SMS it needs
                 * @example 1
                 */
                parts: number;
            } | null;
        };
        /** @description An organization that sees nothing of the others */
        Tenant: {
            /**
             * @description Its number
             * @example 2
             */
            id: number;
            /**
             * @description Its name
             * @example acme
             */
            name: string;
            /**
             * Format: date-time
             * @description When it was made
             * @example 2026-06-01T08:00:00Z
             */
            created_at: string;
            /**
             * @description Open runs at a time; null: any
             * @example 100000
             */
            open_runs_max: number | null;
            /**
             * @description Starts a second; null: any
             * @example 500
             */
            starts_per_second_max: number | null;
            /**
             * @description Bytes of the data of a run; null: any
             * @example 1000000
             */
            payload_bytes_max: number | null;
        };
        /** @description All tenants */
        TenantList: {
            /** @description By number */
            data: components["schemas"]["Tenant"][];
            /**
             * @description Always null
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Always false
             * @example false
             */
            has_more: boolean;
        };
        VersionChanges: {
            /** @description The changes, newest first */
            data: {
                /**
                 * Format: date-time
                 * @description When
                 * @example 2026-11-03T09:00:00Z
                 */
                at: string;
                /**
                 * @description What was done
                 * @example activated
                 */
                action: string;
                /**
                 * @description To which version
                 * @example 3
                 */
                version: number;
                /**
                 * @description Who did it: a person, the name of an API key, `cli`, `sql`, `pawl dev` or `C++`; null: not known
                 * @example ann@example.com
                 */
                by?: string | null;
                /**
                 * @description More about it
                 * @example null
                 */
                detail?: Record<string, unknown> | null;
            }[];
        };
        VersionDiff: {
            /**
             * @description The older version
             * @example 2
             */
            from: number;
            /**
             * @description The newer version
             * @example 3
             */
            to: number;
            /**
             * @description What was added, removed and changed
             * @example {
             *       "nodes": {
             *         "added": [
             *           {
             *             "id": "ship"
             *           }
             *         ],
             *         "removed": [],
             *         "changed": []
             *       }
             *     }
             */
            diff: Record<string, unknown>;
        };
        Webhook: {
            /**
             * @description Its number
             * @example 4
             */
            id: number;
            /**
             * @description Its name
             * @example shop
             */
            name: string;
            /**
             * @description How messages are sent
             * @enum {string}
             */
            kind: "webhook" | "notify" | "queue";
            /**
             * @description Where to, of a webhook
             * @example https://shop.example/hooks/pawl
             */
            url: string | null;
            /**
             * @description Where to, of a channel of the database
             * @example null
             */
            channel: string | null;
            /**
             * @description Where to, of a queue of the database
             * @example null
             */
            queue: string | null;
            /**
             * @description Which events it gets
             * @example [
             *       "run.*"
             *     ]
             */
            events: string[];
            /**
             * @description Of which workflows; empty: of all
             * @example [
             *       "order"
             *     ]
             */
            workflows: string[] | null;
            /**
             * @description How many messages one call may have
             * @example 1
             */
            batch_max: number;
            /**
             * @description How often a message is tried
             * @example [
             *       5,
             *       60,
             *       3600
             *     ]
             */
            retries: number[] | null;
            /**
             * @description Whether messages are sent
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description Since when none are sent; null: they are
             * @example null
             */
            disabled_at: string | null;
            /**
             * @description Why none are sent
             * @example null
             */
            disabled_because: string | null;
            /**
             * @description In a row, of whole batches
             * @example 0
             */
            failures: number;
            /**
             * Format: date-time
             * @description The webhook failed and is left alone until then
             * @example null
             */
            next_at: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before is used too; null: it is not
             * @example null
             */
            old_secret_until: string | null;
            /**
             * @description Messages not delivered yet; counted up to 10000
             * @example 2
             */
            waiting: number;
            /**
             * Format: date-time
             * @description When it was made
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * @description whsec_...; only if it was just created
             * @example whsec_YSBrZXkgdGhhdCBvbmx5IHR3byBrbm93
             */
            secret?: string;
        };
        WebhookList: {
            /** @description The webhooks */
            data: components["schemas"]["Webhook"][];
            /**
             * @description Always null
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Always false
             * @example false
             */
            has_more: boolean;
        };
        Delivery: {
            /**
             * @description The webhook-id
             * @example evt_0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b_3
             */
            id: string;
            /**
             * @description The webhook that it is for
             * @example 4
             */
            webhook: number;
            /**
             * @description What happened
             * @example run.failed
             */
            type: string;
            /**
             * @description To which run
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
             */
            run_id: string | null;
            /**
             * @description Whether it arrived
             * @enum {string}
             */
            state: "pending" | "in_flight" | "published" | "failed";
            /**
             * @description How often it was sent
             * @example 1
             */
            attempts: number;
            /**
             * @description Of the last answer
             * @example 200
             */
            status: number | null;
            /**
             * @description The beginning of the last answer
             * @example ok
             */
            response: string | null;
            /**
             * @description Why it did not arrive; null: nothing is wrong
             * @example null
             */
            error: string | null;
            /**
             * Format: date-time
             * @description When it is sent next; null: not again
             * @example null
             */
            next_at: string | null;
            /**
             * Format: date-time
             * @description When the event was committed
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it arrived, or was given up; null: not yet
             * @example 2026-11-03T09:00:01Z
             */
            finished_at: string | null;
        };
        DeliveryList: {
            /** @description The messages, newest first */
            data: components["schemas"]["Delivery"][];
            /**
             * @description For the next page; null: there is none
             * @example null
             */
            next_cursor: string | null;
            /**
             * @description Whether there is a next page
             * @example false
             */
            has_more: boolean;
        };
        DeliveryRef: {
            /**
             * @description The id of the message
             * @example evt_0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b_3
             */
            id: string;
            /**
             * @description The webhook that it is for
             * @example 4
             */
            webhook: number;
        };
        /** @description Why a run does not move, in sentences and as data */
        Why: {
            /**
             * @description What it waits for
             * @example Waits at 'pay' for the signal paid.
             */
            sentence: string;
            /** @description The same as data, one after the other: `sentence` is these */
            clauses: components["schemas"]["WhyClause"][];
            /**
             * @description Empty if nothing needs to be done
             * @example send it: pawl runs signal 0196 paid
             */
            what_helps: string;
            help: components["schemas"]["WhyHelp"];
            /**
             * @description One sentence per branch, if there are several
             * @example [
             *       "waits at `charge` for the next attempt",
             *       "waits at `pick` for a person"
             *     ]
             */
            places: string[];
            /** @description The same as data, one for each sentence */
            place_clauses: components["schemas"]["WhyClause"][];
        };
        /** @description A part of the answer as data */
        WhyClause: {
            /**
             * @description What it says
             * @example waits_signal
             * @enum {string}
             */
            code: "no_worker" | "begins_later" | "ready" | "at_work" | "reached" | "switched_off" | "held_back" | "backing_off" | "waits_time" | "waits_event" | "waits_signal" | "waits_person" | "waits_child" | "waits_lock" | "waits_callback" | "unknown_outcome" | "joining" | "iterating" | "undoing" | "stopping" | "waits_limit" | "paused" | "held" | "plan_next" | "ending" | "completed" | "cancelled" | "failed" | "not_undone" | "child_not_undone";
            /**
             * @description What it names: texts, numbers, times (RFC 3339); and of `waits_event` the events. What is not known is left out
             * @example {
             *       "step": "pay",
             *       "signal": "paid"
             *     }
             */
            values: {
                [key: string]: unknown;
            };
        };
        /** @description What would move the run as data */
        WhyHelp: {
            /**
             * @description What it is
             * @example send_signal
             * @enum {string}
             */
            code: "nothing" | "start_worker" | "start_program" | "look_at_target" | "send_event" | "send_signal" | "decide" | "look_at_child" | "end_holder" | "settle" | "skip" | "force" | "raise_limit" | "resume" | "fix_code" | "look_at_retry" | "retry" | "retry_undoing";
            /**
             * @description The command that does it; of `look_at_target` the target
             * @example {
             *       "command": "pawl runs signal 0196 paid"
             *     }
             */
            values: {
                [key: string]: string;
            };
        };
        WorkflowRun: {
            /**
             * Format: uuid
             * @description The id of the run
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
             */
            id: string;
            /**
             * @description The name of its workflow
             * @example order
             */
            workflow_type: string;
            /**
             * @description The version that it runs
             * @example 3
             */
            workflow_version: string;
            /**
             * @description How far it is
             * @enum {string}
             */
            status: "running" | "paused" | "completed" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description When it was started
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When something happened to it last
             * @example 2026-11-03T09:05:00Z
             */
            updated_at: string;
            /** @description Its steps, of one run */
            steps?: components["schemas"]["WorkflowStep"][];
            /**
             * @description The data that its steps see
             * @example {
             *       "total": 99
             *     }
             */
            payload: Record<string, unknown>;
        };
        WorkflowRunList: {
            /** @description The runs, newest first */
            data: components["schemas"]["WorkflowRun"][];
        } & WithRequired<components["schemas"]["Page"], "data">;
        WorkflowStep: {
            /**
             * Format: uuid
             * @description The id of the step
             * @example 0197d3c4-9b62-7e1f-8d3b-6c7f2a4e5d18
             */
            id: string;
            /**
             * Format: uuid
             * @description Its run
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
             */
            run_id: string;
            /**
             * @description Its name in the definition
             * @example charge
             */
            step_name: string;
            /**
             * @description Its place in the run
             * @example 1
             */
            seq: number;
            /**
             * @description How far it is
             * @enum {string}
             */
            status: "pending" | "in_progress" | "completed" | "failed" | "waiting" | "cancelled";
            /**
             * @description What it returned
             * @example {
             *       "receipt": "r-1001"
             *     }
             */
            result?: unknown;
            /**
             * @description How often it was tried
             * @example 1
             */
            attempts: number;
            /**
             * @description How often it may be tried
             * @example 5
             */
            max_attempts: number | null;
            /**
             * Format: date-time
             * @description When it is tried again
             * @example null
             */
            next_attempt_at?: string | null;
            /**
             * @description What its calls send as their key
             * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b/charge
             */
            idempotency_key?: string | null;
            /**
             * @description Why it failed
             * @example null
             */
            error?: string | null;
            /**
             * Format: date-time
             * @description When the run came to it
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When something happened to it last
             * @example 2026-11-03T09:05:00Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When a worker took it
             * @example null
             */
            claimed_at?: string | null;
            /**
             * Format: date-time
             * @description When its worker was heard last
             * @example null
             */
            last_heartbeat?: string | null;
            /**
             * @description That of its run
             * @example 0
             */
            priority?: number;
            /**
             * @description As the definition has it
             * @example {
             *       "total": "{{ total }}"
             *     }
             */
            input?: unknown;
            /**
             * @description The worker that executes it
             * @example null
             */
            lock_owner?: string | null;
        };
        WorkflowStepList: {
            /** @description The steps, in order */
            data: components["schemas"]["WorkflowStep"][];
        };
        StepLog: {
            /**
             * Format: uuid
             * @description The id of the entry
             * @example 0197d3c4-9c75-7a20-b41d-0e8f6b3a5c92
             */
            id: string;
            /**
             * Format: uuid
             * @description The step that it is about
             * @example 0197d3c4-9b62-7e1f-8d3b-6c7f2a4e5d18
             */
            step_id: string;
            /**
             * @description How serious it is
             * @enum {string}
             */
            level: "info" | "warn" | "error";
            /**
             * @description What happened
             * @example step completed
             */
            message: string;
            /**
             * @description More about it
             * @example {
             *       "attempt": 1
             *     }
             */
            meta: Record<string, unknown>;
            /**
             * Format: date-time
             * @description When
             * @example 2026-11-03T09:00:00Z
             */
            created_at: string;
            /**
             * @description Its place in the log of the run
             * @example 3
             */
            seq?: number;
        };
        StepLogList: {
            /** @description The entries, in order */
            data: components["schemas"]["StepLog"][];
        };
        DeletedWorkflow: {
            /**
             * @description The workflow
             * @example order
             */
            name: string;
            /**
             * @description The version that was active
             * @example 3
             */
            version: number;
            /**
             * @description The number of schedules deleted with it
             * @example 1
             */
            schedules: number;
            /**
             * @description The number of event triggers deleted with it
             * @example 2
             */
            events: number;
            /**
             * @description The number of runs still open
             * @example 0
             */
            open_runs: number;
            /** @description The job that cancels them */
            job: null | components["schemas"]["Job"];
        };
        /** @description Runs of a workflow over time */
        WorkflowRates: {
            /**
             * @description Its name
             * @example welcome_series
             */
            workflow: string;
            /**
             * @description Runs that are open now
             * @example 1017
             */
            open: number;
            /**
             * @description Runs that began in the range
             * @example 412
             */
            started: number;
            /**
             * @description Runs that reached their end
             * @example 380
             */
            completed: number;
            /**
             * @description Runs that failed
             * @example 4
             */
            failed: number;
            /**
             * @description Runs that were cancelled
             * @example 1
             */
            cancelled: number;
            /** @description Runs that began, piece by piece */
            started_over_time: number[];
            /** @description Runs that failed, piece by piece */
            failed_over_time: number[];
        };
        /** @description An event, and what it meant for a workflow */
        EventStart: {
            event: components["schemas"]["OutsideEvent"];
            /**
             * @description Whether it started a run
             * @example true
             */
            started: boolean;
            /**
             * Format: uuid
             * @description The run that it started; with `entered` the run that was in its way
             * @example 01a1eb6f-adc7-70bc-a550-708681e82da9
             */
            run_id: string | null;
            /**
             * @description What came of it
             * @example filter
             * @enum {string}
             */
            reason: "started" | "pending" | "held" | "refused" | "filter" | "entered" | "not_allowed" | "off" | "earlier";
            /**
             * @description The same as a sentence
             * @example it is not what a trigger asks for: {"amount": {"gt": 100}}
             */
            detail: string;
        };
        /** @description Test cases of a workflow */
        WorkflowTests: {
            /**
             * @description Of which workflow
             * @example welcome
             */
            name: string;
            /**
             * @description As they were saved
             * @example tests: [{name: greets}]
             */
            text: string;
            /**
             * @description Changes with the text
             * @example 5d41402abc4b2a76b9719d911017c592
             */
            etag: string;
            /**
             * Format: date-time
             * @description When they were saved last
             * @example 2026-05-01T08:00:00Z
             */
            updated_at: string;
            /**
             * @description By whom
             * @example ann
             */
            updated_by: string;
            /**
             * @description If that is an API key: its name
             * @example deploys
             */
            updated_by_name?: string | null;
        };
        /** @description What came of a test case */
        TestedCase: {
            /**
             * @description Its name
             * @example greets
             */
            name: string;
            /**
             * @description Where it begins in the text
             * @example 2
             */
            line: number;
            /**
             * @description Whether all was as expected
             * @example true
             */
            passed: boolean;
            /**
             * @description How the run ended; waiting when it did not
             * @example completed
             * @enum {string}
             */
            status: "completed" | "failed" | "cancelled" | "waiting";
            /**
             * @description In virtual time
             * @example 3d
             */
            took: string;
            /** @description The steps in the order in which they ended */
            path: string[];
            /**
             * @description What the run returned
             * @example {
             *       "receipt": "r-1001"
             *     }
             */
            output?: unknown;
            /**
             * @description Why it failed
             * @example {
             *       "message": "the card was refused"
             *     }
             */
            error?: unknown;
            /** @description What was not as expected */
            mismatches: {
                /**
                 * @description Which expectation
                 * @example status
                 */
                what: string;
                /**
                 * @description What was seen instead
                 * @example expected completed but it failed
                 */
                message: string;
                /** @description Lines that begin with a blank, - or + */
                diff: string[];
            }[];
        };
        /** @description What came of test cases, and what they reach */
        TestedWorkflow: {
            /**
             * @description Its name
             * @example welcome
             */
            workflow: string;
            /**
             * @description Which version; null: a given definition
             * @example 3
             */
            version: number | null;
            /**
             * @description Cases that passed
             * @example 5
             */
            passed: number;
            /**
             * @description Cases that did not
             * @example 0
             */
            failed: number;
            /** @description In the order of the text */
            tests: components["schemas"]["TestedCase"][];
            /** @description How often the cases came to each node and took each edge */
            coverage: {
                /** @description In the order of the definition */
                nodes: {
                    /**
                     * @description The node
                     * @example greet
                     */
                    id: string;
                    /**
                     * @description How often
                     * @example 2
                     */
                    visits: number;
                }[];
                /** @description In the order of the definition */
                edges: {
                    /**
                     * @description The node it leaves
                     * @example greet
                     */
                    from: string;
                    /**
                     * @description Where it leads
                     * @example wait_a_day
                     */
                    to: string;
                    /**
                     * @description By which handle
                     * @example default
                     */
                    handle: string;
                    /**
                     * @description How often
                     * @example 2
                     */
                    taken: number;
                }[];
            };
        };
    };
    responses: {
        /** @description The answer */
        GroupMute: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "fingerprint": "9f86d081884c7d65",
                 *       "muted": {
                 *         "at": "2026-11-03T09:10:00Z",
                 *         "by": "ann@example.com",
                 *         "reason": "known, the fix is on its way"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Of the error
                     * @example 9f86d081884c7d65
                     */
                    fingerprint: string;
                    muted: components["schemas"]["Mute"];
                };
            };
        };
        /** @description The answer */
        OutsideEventList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": [
                 *         {
                 *           "id": "evt-1001",
                 *           "name": "order.paid",
                 *           "key": "order-7",
                 *           "subject": "customer-42",
                 *           "source": "/shop",
                 *           "data": {
                 *             "total": 99
                 *           },
                 *           "at": "2026-11-03T09:00:00Z",
                 *           "state": "matched"
                 *         }
                 *       ],
                 *       "next_cursor": null,
                 *       "has_more": false
                 *     }
                 */
                "application/json": components["schemas"]["OutsideEventList"];
            };
        };
        /** @description The result */
        JourneyAnswer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": true,
                 *       "status": "sent",
                 *       "message_id": "msg-1",
                 *       "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Whether the call succeeded
                     * @example true
                     */
                    success: boolean;
                    /**
                     * @description Why it did not
                     * @example the signature is wrong
                     */
                    error?: string;
                    /**
                     * @description Why a message was skipped
                     * @example unsubscribed
                     */
                    reason?: string;
                    /**
                     * @description State of the message
                     * @example sent
                     */
                    status?: string;
                    /**
                     * @description The provider's id of the message
                     * @example msg-1
                     */
                    message_id?: string;
                    /**
                     * @description The same as `message_id`
                     * @example msg-1
                     */
                    external_message_id?: string;
                    /**
                     * @description The run that sends it
                     * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                     */
                    run_id?: string;
                    /**
                     * @description How many workflows were started
                     * @example 1
                     */
                    dispatched?: number;
                    /**
                     * @description The started workflows
                     * @example [
                     *       {
                     *         "workflow": "welcome_series",
                     *         "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b"
                     *       }
                     *     ]
                     */
                    workflows?: Record<string, unknown>[];
                    /**
                     * @description How many of LINE's reports were stored
                     * @example 1
                     */
                    processed?: number;
                    /**
                     * @description A remark about the result
                     * @example the person has unsubscribed
                     */
                    message?: string;
                };
            };
        };
        /** @description What went wrong */
        problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:pawl:problem:not_found",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "detail": "there is no run 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *       "code": "not_found",
                 *       "values": {
                 *         "run": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b"
                 *       },
                 *       "request_id": "req-8f3a1c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The answer */
        Applied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "name": "order",
                 *       "version": 3,
                 *       "changed": true
                 *     }
                 */
                "application/json": components["schemas"]["Applied"];
            };
        };
        /** @description The answer */
        DeadLetterList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": [
                 *         {
                 *           "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *           "workflow": "order",
                 *           "version": 3,
                 *           "error": {
                 *             "message": "the card was refused",
                 *             "code": "card_declined",
                 *             "class": "permanent",
                 *             "step": "charge"
                 *           },
                 *           "fingerprint": "9f86d081884c7d65",
                 *           "at": "2026-11-03T09:02:00Z",
                 *           "replayed_as": null
                 *         }
                 *       ],
                 *       "next_cursor": null,
                 *       "has_more": false
                 *     }
                 */
                "application/json": components["schemas"]["DeadLetterList"];
            };
        };
        /** @description The answer */
        EventList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": [
                 *         {
                 *           "seq": 3,
                 *           "type": "step_completed",
                 *           "at": "2026-11-03T09:00:02Z",
                 *           "step": "charge",
                 *           "attempt": 1,
                 *           "data": {
                 *             "receipt": "r-1001"
                 *           }
                 *         }
                 *       ],
                 *       "next_cursor": null,
                 *       "has_more": false
                 *     }
                 */
                "application/json": components["schemas"]["EventList"];
            };
        };
        /** @description The answer */
        FunctionAnswer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": true,
                 *       "data": {
                 *         "execution_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *         "workflow_name": "order",
                 *         "status": "queued",
                 *         "total_steps": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FunctionAnswer"];
            };
        };
        /** @description The answer */
        Job: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37",
                 *       "kind": "bulk",
                 *       "status": "running",
                 *       "total": 120,
                 *       "done": 80,
                 *       "failed": 1,
                 *       "action": "cancel",
                 *       "workflow": "order",
                 *       "created_at": "2026-11-03T09:00:00Z",
                 *       "updated_at": "2026-11-03T09:05:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["Job"];
            };
        };
        /** @description The answer */
        OrganizationFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "the key is not valid",
                 *       "category": "AUTH",
                 *       "correlationId": "3b9e5d70-4f1c-4a28-96d3-e7c0a8b25f41",
                 *       "status": 401
                 *     }
                 */
                "application/json": components["schemas"]["OrganizationFailure"];
            };
        };
        /** @description The answer */
        OrganizationResults: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": true,
                 *       "correlationId": "3b9e5d70-4f1c-4a28-96d3-e7c0a8b25f41",
                 *       "results": {
                 *         "6f2d8c1e-9a4b-4d37-8e50-1b7c3f9a2d64": {
                 *           "messagesProcessed": 3,
                 *           "succeeded": 2,
                 *           "failed": 1,
                 *           "dlqRouted": 0,
                 *           "errors": [
                 *             "the card was refused"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrganizationResults"];
            };
        };
        /** @description The answer */
        Run: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *       "workflow": "order",
                 *       "version": 3,
                 *       "status": "completed",
                 *       "subject": "customer-42",
                 *       "correlation_id": "order-7",
                 *       "triggered_by": "api",
                 *       "priority": 0,
                 *       "created_at": "2026-11-03T09:00:00Z",
                 *       "closed_at": "2026-11-03T09:00:04Z",
                 *       "input": {
                 *         "total": 99
                 *       },
                 *       "output": {
                 *         "receipt": "r-1001"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Run"];
            };
        };
        /** @description The answer */
        RunList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": [
                 *         {
                 *           "id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *           "workflow": "order",
                 *           "version": 3,
                 *           "status": "completed",
                 *           "subject": "customer-42",
                 *           "correlation_id": "order-7",
                 *           "triggered_by": "api",
                 *           "priority": 0,
                 *           "created_at": "2026-11-03T09:00:00Z",
                 *           "closed_at": "2026-11-03T09:00:04Z",
                 *           "input": {
                 *             "total": 99
                 *           },
                 *           "output": {
                 *             "receipt": "r-1001"
                 *           }
                 *         }
                 *       ],
                 *       "next_cursor": null,
                 *       "has_more": false,
                 *       "scanned": 2000
                 *     }
                 */
                "application/json": components["schemas"]["RunList"];
            };
        };
        /** @description The answer */
        Started: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *       "workflow": "order",
                 *       "version": 3,
                 *       "created": true
                 *     }
                 */
                "application/json": components["schemas"]["Started"];
            };
        };
        /** @description The answer */
        Validation: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "valid": true,
                 *       "definition": {
                 *         "name": "hello",
                 *         "nodes": [
                 *           {
                 *             "id": "greet",
                 *             "type": "code",
                 *             "config": {
                 *               "function": "echo"
                 *             }
                 *           }
                 *         ],
                 *         "edges": []
                 *       },
                 *       "errors": []
                 *     }
                 */
                "application/json": components["schemas"]["Validation"];
            };
        };
        /** @description The answer */
        VersionList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": [
                 *         {
                 *           "name": "order",
                 *           "version": 3,
                 *           "label": "1.2.0",
                 *           "active": true,
                 *           "draft": false,
                 *           "created_at": "2026-11-03T09:00:00Z",
                 *           "definition": {
                 *             "name": "order",
                 *             "nodes": [
                 *               {
                 *                 "id": "charge",
                 *                 "function": "charge-card"
                 *               }
                 *             ],
                 *             "edges": []
                 *           }
                 *         }
                 *       ],
                 *       "next_cursor": null,
                 *       "has_more": false
                 *     }
                 */
                "application/json": components["schemas"]["VersionList"];
            };
        };
        /** @description The answer */
        Workflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "name": "order",
                 *       "version": 3,
                 *       "label": "1.2.0",
                 *       "active": true,
                 *       "draft": false,
                 *       "created_at": "2026-11-03T09:00:00Z",
                 *       "definition": {
                 *         "name": "order",
                 *         "nodes": [
                 *           {
                 *             "id": "charge",
                 *             "function": "charge-card"
                 *           }
                 *         ],
                 *         "edges": []
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Workflow"];
            };
        };
        /** @description The answer */
        WorkflowList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": [
                 *         {
                 *           "name": "order",
                 *           "version": 3,
                 *           "label": "1.2.0",
                 *           "active": true,
                 *           "draft": false,
                 *           "created_at": "2026-11-03T09:00:00Z",
                 *           "definition": {
                 *             "name": "order",
                 *             "nodes": [
                 *               {
                 *                 "id": "charge",
                 *                 "function": "charge-card"
                 *               }
                 *             ],
                 *             "edges": []
                 *           }
                 *         }
                 *       ],
                 *       "next_cursor": null,
                 *       "has_more": false
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowList"];
            };
        };
        /** @description The answer */
        Schedule: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": 4,
                 *       "workflow": "nightly_report",
                 *       "trigger": 0,
                 *       "cron": "0 3 * * *",
                 *       "timezone": "Asia/Bangkok",
                 *       "overlap": "skip",
                 *       "catch_up": "1h",
                 *       "jitter": "30s",
                 *       "input": {
                 *         "day": "yesterday"
                 *       },
                 *       "audience": null,
                 *       "local_time": null,
                 *       "status": "active",
                 *       "problem": null,
                 *       "paused_at": null,
                 *       "pause_reason": null,
                 *       "next_at": "2026-11-03T20:00:00Z",
                 *       "last_slot": "2026-11-02T20:00:00Z",
                 *       "last_run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *       "fired": 31,
                 *       "skipped": 0,
                 *       "missed": 1,
                 *       "backfill": null
                 *     }
                 */
                "application/json": components["schemas"]["Schedule"];
            };
        };
        /** @description The answer */
        AudiencePreview: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "count": 2150,
                 *       "examples": [
                 *         {
                 *           "subject": "customer-42",
                 *           "first_name": "Ann"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AudiencePreview"];
            };
        };
        /** @description Who is signed in, and what they may do */
        Session: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "subject": "ann@example.com",
                 *       "name": "Ann",
                 *       "person": true,
                 *       "tenant": "default",
                 *       "tenants": [
                 *         {
                 *           "name": "default",
                 *           "role": "editor"
                 *         }
                 *       ],
                 *       "role": "editor",
                 *       "scopes": [
                 *         "workflows:read",
                 *         "workflows:write"
                 *       ],
                 *       "csrf": "u3Zk9Q1xTb7c",
                 *       "expires_at": "2026-11-03T17:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["Session"];
            };
        };
        /** @description How many sessions ended */
        Ended: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "ended": 2
                 *     }
                 */
                "application/json": {
                    /**
                     * @description How many
                     * @example 2
                     */
                    ended: number;
                };
            };
        };
        /** @description The answer */
        Task: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52",
                 *       "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *       "workflow": "order",
                 *       "step": "approve",
                 *       "subject": "customer-42",
                 *       "state": "open",
                 *       "title": "Approve the refund of 99 EUR?",
                 *       "data": {
                 *         "total": 99
                 *       },
                 *       "assignee": "ann@example.com",
                 *       "approvals_needed": 1,
                 *       "due_at": "2026-11-04T09:00:00Z",
                 *       "opened_at": "2026-11-03T09:00:00Z",
                 *       "decided_at": null,
                 *       "decided_by": null,
                 *       "reason": null
                 *     }
                 */
                "application/json": components["schemas"]["Task"];
            };
        };
        /** @description The answer */
        TaskList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": [
                 *         {
                 *           "id": "0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52",
                 *           "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *           "workflow": "order",
                 *           "step": "approve",
                 *           "subject": "customer-42",
                 *           "state": "open",
                 *           "title": "Approve the refund of 99 EUR?",
                 *           "data": {
                 *             "total": 99
                 *           },
                 *           "assignee": "ann@example.com",
                 *           "approvals_needed": 1,
                 *           "due_at": "2026-11-04T09:00:00Z",
                 *           "opened_at": "2026-11-03T09:00:00Z",
                 *           "decided_at": null,
                 *           "decided_by": null,
                 *           "reason": null
                 *         }
                 *       ],
                 *       "next_cursor": null,
                 *       "has_more": false
                 *     }
                 */
                "application/json": components["schemas"]["TaskList"];
            };
        };
        /** @description The answer */
        WorkflowRun: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *       "workflow_type": "order",
                 *       "workflow_version": "3",
                 *       "status": "completed",
                 *       "created_at": "2026-11-03T09:00:00Z",
                 *       "updated_at": "2026-11-03T09:05:00Z",
                 *       "payload": {
                 *         "total": 99
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowRun"];
            };
        };
        /** @description The answer */
        WorkflowRunList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": [
                 *         {
                 *           "id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *           "workflow_type": "order",
                 *           "workflow_version": "3",
                 *           "status": "completed",
                 *           "created_at": "2026-11-03T09:00:00Z",
                 *           "updated_at": "2026-11-03T09:05:00Z",
                 *           "payload": {
                 *             "total": 99
                 *           }
                 *         }
                 *       ],
                 *       "next_cursor": null,
                 *       "has_more": false
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowRunList"];
            };
        };
        /** @description The answer */
        WorkflowStepList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": [
                 *         {
                 *           "id": "0197d3c4-9b62-7e1f-8d3b-6c7f2a4e5d18",
                 *           "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                 *           "step_name": "charge",
                 *           "seq": 1,
                 *           "status": "completed",
                 *           "result": {
                 *             "receipt": "r-1001"
                 *           },
                 *           "attempts": 1,
                 *           "max_attempts": 5,
                 *           "created_at": "2026-11-03T09:00:00Z",
                 *           "updated_at": "2026-11-03T09:05:00Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WorkflowStepList"];
            };
        };
        /** @description The answer */
        StepLogList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "data": [
                 *         {
                 *           "id": "0197d3c4-9c75-7a20-b41d-0e8f6b3a5c92",
                 *           "step_id": "0197d3c4-9b62-7e1f-8d3b-6c7f2a4e5d18",
                 *           "level": "info",
                 *           "message": "step completed",
                 *           "meta": {
                 *             "attempt": 1
                 *           },
                 *           "created_at": "2026-11-03T09:00:00Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["StepLogList"];
            };
        };
    };
    parameters: {
        /**
         * @description The name of a connector
         * @example sendgrid
         */
        connectorName: string;
        /**
         * @description The etag of the draft that the caller saw, in quotes
         * @example "5d41402abc4b2a76b9719d911017c592"
         */
        ifMatch: string;
        /**
         * @description The id of the job
         * @example 0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37
         */
        jobId: string;
        /**
         * @description Of the link in a message
         * @example k1.8Jm2
         */
        linkToken: string;
        /**
         * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
         * @example 50
         */
        limit: number;
        /**
         * @description `next_cursor` of the previous page
         * @example WyJ3YWl0Il0
         */
        cursor: string;
        /**
         * @description Only runs with this text in their error, in any case: its message, code, class or step
         * @example timeout
         */
        runError: string;
        /**
         * @description Only runs whose input meets this condition: `data.` and a path, one of `= != < <= > >=`, and a number, `true`, `false`, `null` or a text, in quotes if it looks like one of these. Repeated: all of them
         * @example [
         *       "data.total>100"
         *     ]
         */
        runWhere: string[];
        /**
         * @description The name of the workflow
         * @example order
         */
        workflowName: string;
        /**
         * @description The id of the run
         * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
         */
        runId: string;
        /**
         * @description Bare or quoted, at most 255 characters
         * @example order-7-start
         */
        idempotencyKey: string;
        /**
         * @description json, or csv for spreadsheets; `Accept: text/csv` selects csv too
         * @example csv
         */
        format: "json" | "csv";
        /**
         * @description As `GET /v1/workers` shows it
         * @example 01980000-0000-7000-8000-000000000000
         */
        workerId: string;
        /**
         * @description The name of a queue of pgmq
         * @example workflow_queue
         */
        queueName: string;
        /**
         * @description The key of a person: the subject of runs about them
         * @example 4711
         */
        personKey: string;
        /**
         * @description The number of the schedule
         * @example 4
         */
        scheduleId: number;
        /**
         * @description The id of the task
         * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
         */
        taskId: string;
        /**
         * @description The name of a template
         * @example welcome
         */
        templateName: string;
        /**
         * @description A number, or a label such as `1.2.0`
         * @example 3
         */
        version: string;
        /**
         * @description The number of the webhook
         * @example 4
         */
        webhookId: number;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": 7,
                     *           "prefix": "x7kq2abc",
                     *           "name": "deploys",
                     *           "scopes": [
                     *             "runs:read"
                     *           ],
                     *           "role": "editor",
                     *           "status": "active",
                     *           "created_at": "2026-11-03T09:00:00Z",
                     *           "expires_at": "2027-11-03T09:00:00Z",
                     *           "revoked_at": null,
                     *           "last_used_at": "2026-11-03T09:30:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "billing",
                 *       "role": "operator",
                 *       "expires_in": "90d"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description What it is for
                     * @example deploys
                     */
                    name: string;
                    role?: components["schemas"]["Role"];
                    /**
                     * @description What it may do beside its role
                     * @example [
                     *       "runs:read"
                     *     ]
                     */
                    scopes?: string[];
                    /**
                     * @description How long it is valid, as `90d`; without it: until it is revoked
                     * @example 90d
                     */
                    expires_in?: string;
                };
            };
        };
        responses: {
            /** @description The key, for the only time */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "prefix": "x7kq2abc",
                     *       "name": "deploys",
                     *       "scopes": [
                     *         "runs:read"
                     *       ],
                     *       "role": "editor",
                     *       "status": "active",
                     *       "created_at": "2026-11-03T09:00:00Z",
                     *       "expires_at": "2027-11-03T09:00:00Z",
                     *       "revoked_at": null,
                     *       "last_used_at": "2026-11-03T09:30:00Z",
                     *       "key": "pawl_x7kq2abc_9Qm4Vt2sLw8Zr5Yc"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"] & {
                        /**
                         * @description The key itself
                         * @example pawl_x7kq2abc_9Qm4Vt2sLw8Zr5Yc
                         */
                        key: string;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As `GET /v1/keys` shows it, or the number of the key
                 * @example pawl_x7kq2abc
                 */
                prefix: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "prefix": "x7kq2abc",
                     *       "revoked": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Which one
                         * @example x7kq2abc
                         */
                        prefix: string;
                        /**
                         * @description Always true
                         * @constant
                         */
                        revoked: true;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "subject": "ann@example.com",
                     *           "role": "viewer",
                     *           "created_at": "2026-11-03T09:00:00Z",
                     *           "created_by": "x7kq2abc",
                     *           "created_by_name": "deploys"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    putMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As the identity provider names them: a verified email address, or the subject of its tokens
                 * @example ann@example.com
                 */
                subject: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "editor"
                 *     }
                 */
                "application/json": {
                    role: components["schemas"]["Role"];
                };
            };
        };
        responses: {
            /** @description The member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subject": "ann@example.com",
                     *       "role": "viewer",
                     *       "created_at": "2026-11-03T09:00:00Z",
                     *       "created_by": "x7kq2abc",
                     *       "created_by_name": "deploys"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As the identity provider names them: a verified email address, or the subject of its tokens
                 * @example ann@example.com
                 */
                subject: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Taken out */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subject": "ann@example.com",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Who
                         * @example ann@example.com
                         */
                        subject: string;
                        /**
                         * @description Always true
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Only of this caller: the 8 characters of a key, or a person
                 * @example x7kq2abc
                 */
                by?: string;
                /**
                 * @description Only this operation, by its `operationId`
                 * @example revokeKey
                 */
                action?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "1042",
                     *           "at": "2026-11-03T09:00:00Z",
                     *           "by": "x7kq2abc",
                     *           "by_name": "deploys",
                     *           "person": false,
                     *           "action": "cancelRun",
                     *           "target": "/v1/runs/0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b/cancel",
                     *           "status": 202,
                     *           "door": "api",
                     *           "peer": "203.0.113.7",
                     *           "request_id": "req-8f3a1c"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["AuditList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listConnectors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All connectors */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "sendgrid",
                     *           "title": "SendGrid",
                     *           "own": false,
                     *           "channels": [
                     *             "email"
                     *           ],
                     *           "account_of": "sendgrid",
                     *           "credentials": [
                     *             {
                     *               "name": "api_key",
                     *               "required": true,
                     *               "json": false,
                     *               "help": "Settings, API Keys"
                     *             }
                     *           ],
                     *           "settings": [
                     *             {
                     *               "name": "from",
                     *               "required": true,
                     *               "json": false,
                     *               "help": null
                     *             }
                     *           ],
                     *           "replay": "safe",
                     *           "per_second": 100,
                     *           "hooks": true
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "sendgrid",
                     *       "title": "SendGrid",
                     *       "own": false,
                     *       "channels": [
                     *         "email"
                     *       ],
                     *       "account_of": "sendgrid",
                     *       "credentials": [
                     *         {
                     *           "name": "api_key",
                     *           "required": true,
                     *           "json": false,
                     *           "help": "Settings, API Keys"
                     *         }
                     *       ],
                     *       "settings": [
                     *         {
                     *           "name": "from",
                     *           "required": true,
                     *           "json": false,
                     *           "help": null
                     *         }
                     *       ],
                     *       "replay": "safe",
                     *       "per_second": 100,
                     *       "hooks": true,
                     *       "definition": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorDetails"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    putConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "pigeon",
                 *       "title": "Pigeon post",
                 *       "channels": [
                 *         "pigeon"
                 *       ],
                 *       "credentials": {
                 *         "api_key": {
                 *           "required": true
                 *         }
                 *       },
                 *       "request": {
                 *         "url": "https://pigeon.example/send",
                 *         "auth": {
                 *           "bearer": "{{ credentials.api_key }}"
                 *         },
                 *         "json": {
                 *           "to": "{{ to }}",
                 *           "text": "{{ content.text }}"
                 *         }
                 *       },
                 *       "answers": [
                 *         {
                 *           "status": "2xx",
                 *           "means": "accepted",
                 *           "id": "body.id"
                 *         },
                 *         {
                 *           "status": "5xx",
                 *           "means": "unknown"
                 *         },
                 *         {
                 *           "status": "4xx",
                 *           "means": "refused"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": Record<string, unknown>;
                /**
                 * @example name: pigeon
                 *     title: Pigeon post
                 *     channels: [pigeon]
                 */
                "application/yaml": string;
            };
        };
        responses: {
            /** @description The connector */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "pigeon",
                     *       "title": "Pigeon post",
                     *       "own": true,
                     *       "channels": [
                     *         "pigeon"
                     *       ],
                     *       "account_of": "pigeon",
                     *       "credentials": [
                     *         {
                     *           "name": "api_key",
                     *           "required": true,
                     *           "json": false,
                     *           "help": "Settings, API Keys"
                     *         }
                     *       ],
                     *       "settings": [],
                     *       "replay": "safe",
                     *       "per_second": null,
                     *       "hooks": false,
                     *       "definition": {
                     *         "name": "pigeon",
                     *         "title": "Pigeon post",
                     *         "channels": [
                     *           "pigeon"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorDetails"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    deleteConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "pigeon",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Name of the connector
                         * @example pigeon
                         */
                        name: string;
                        /**
                         * @description Always true
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All accounts, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "connector": "sendgrid",
                     *           "account": "shop",
                     *           "channels": [
                     *             "email"
                     *           ],
                     *           "settings": {
                     *             "from": "shop@example.com"
                     *           },
                     *           "hook_url": "https://pawl.example/v1/hooks/sendgrid/dGhpcyBpcyBhbiBlbmRwb2ludC4",
                     *           "created_at": "2026-11-03T09:00:00Z",
                     *           "updated_at": "2026-11-03T09:05:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["AccountList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    putAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
                /**
                 * @description A name of your choice. A message that names no account uses the one with the setting `default: true`, else the one called `default`, else the only one
                 * @example shop
                 */
                account: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credentials": {
                 *         "api_key": "SG.xxxxx",
                 *         "webhook_public_key": "MFkwEwYHKoZ..."
                 *       },
                 *       "settings": {
                 *         "from": "Shop <news@shop.example>"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The secrets that the connector needs
                     * @example {
                     *       "api_key": "SG.9Qm4Vt2sLw8Z"
                     *     }
                     */
                    credentials?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description The other settings of the connector. `base_url` replaces the provider's host, `webhook_window` limits how old a hook may be, and `default: true` makes it the account of messages that name no account
                     * @example {
                     *       "from": "shop@example.com"
                     *     }
                     */
                    settings?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector": "sendgrid",
                     *       "account": "shop",
                     *       "channels": [
                     *         "email"
                     *       ],
                     *       "settings": {
                     *         "from": "shop@example.com"
                     *       },
                     *       "hook_url": "https://pawl.example/v1/hooks/sendgrid/dGhpcyBpcyBhbiBlbmRwb2ludC4",
                     *       "created_at": "2026-11-03T09:00:00Z",
                     *       "updated_at": "2026-11-03T09:05:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
                /**
                 * @description A name of your choice. A message that names no account uses the one with the setting `default: true`, else the one called `default`, else the only one
                 * @example shop
                 */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector": "sendgrid",
                     *       "account": "shop",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The connector
                         * @example sendgrid
                         */
                        connector: string;
                        /**
                         * @description Its name
                         * @example shop
                         */
                        account: string;
                        /**
                         * @description Always true
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    verifyHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
                /**
                 * @description The last part of an account's `hook_url`
                 * @example dGhpcyBpcyBhbiBlbmRwb2ludC4
                 */
                endpoint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It exists */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            default: components["responses"]["problem"];
        };
    };
    takeHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a connector
                 * @example sendgrid
                 */
                connector: components["parameters"]["connectorName"];
                /**
                 * @description The last part of an account's `hook_url`
                 * @example dGhpcyBpcyBhbiBlbmRwb2ludC4
                 */
                endpoint: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "event": "delivered",
                 *       "id": "msg-1"
                 *     }
                 */
                "application/json": unknown;
                /**
                 * @example {
                 *       "MessageSid": "msg-1",
                 *       "MessageStatus": "delivered"
                 *     }
                 */
                "application/x-www-form-urlencoded": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All credentials, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "mail_token",
                     *           "key_id": "k1",
                     *           "created_at": "2026-11-03T09:00:00Z",
                     *           "updated_at": "2026-11-03T09:05:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["CredentialList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    putCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the credential
                 * @example mail_token
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "sk_live_51H"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The secret
                     * @example sk_live_51H
                     */
                    value: string;
                };
            };
        };
        responses: {
            /** @description Stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "mail_token",
                     *       "key_id": "k1",
                     *       "created_at": "2026-11-03T09:00:00Z",
                     *       "updated_at": "2026-11-03T09:05:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Credential"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    deleteCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the credential
                 * @example mail_token
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "mail_token",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Which one
                         * @example mail_token
                         */
                        name: string;
                        /**
                         * @description Always true
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /**
                 * @description Only those of this workflow
                 * @example order
                 */
                workflow?: string;
                /**
                 * @description Only those of this step
                 * @example charge
                 */
                step?: string;
                /**
                 * @description Only those of this group
                 * @example 9f86d0
                 */
                fingerprint?: string;
                /**
                 * @description Default: those not replayed yet
                 * @example true
                 */
                replayed?: boolean;
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of dead letters */
            200: components["responses"]["DeadLetterList"];
            default: components["responses"]["problem"];
        };
    };
    groupDeadLetters: {
        parameters: {
            query?: {
                /**
                 * @description Only those of this workflow
                 * @example order
                 */
                workflow?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "fingerprint": "9f86d081884c7d65",
                     *           "workflow": "order",
                     *           "step": "charge",
                     *           "message": "the card was refused",
                     *           "count": 3,
                     *           "first_at": "2026-11-03T08:40:00Z",
                     *           "last_at": "2026-11-03T09:02:00Z",
                     *           "sample_run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *           "pulse": [
                     *             0,
                     *             0,
                     *             1,
                     *             2
                     *           ],
                     *           "muted": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The groups, the largest first */
                        data: components["schemas"]["DeadLetterGroup"][];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    replayDeadLetters: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workflow": "order",
                 *       "step": "charge"
                 *     }
                 */
                "application/json": components["schemas"]["ReplayFilter"] | components["schemas"]["ReplayRuns"];
            };
        };
        responses: {
            /** @description The new runs of those named by their ids */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *           "replayed_as": "0197d3d2-4c0f-7b63-8f1d-2e7a9c5b4d60"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Replayed"];
                };
            };
            /** @description The job */
            202: components["responses"]["Job"];
            default: components["responses"]["problem"];
        };
    };
    muteFailures: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the error, as the groups say it
                 * @example 3f9c1d20a7b4e865
                 */
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The supplier mends it on Monday"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Why
                     * @example known, the fix is on its way
                     */
                    reason: string;
                    by?: components["schemas"]["ActingFor"];
                };
            };
        };
        responses: {
            /** @description It is muted */
            200: components["responses"]["GroupMute"];
            default: components["responses"]["problem"];
        };
    };
    unmuteFailures: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the error, as the groups say it
                 * @example 3f9c1d20a7b4e865
                 */
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is not muted any more */
            200: components["responses"]["GroupMute"];
            default: components["responses"]["problem"];
        };
    };
    replayDeadLetter: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run was replayed before */
            200: components["responses"]["Started"];
            /** @description The new run */
            201: components["responses"]["Started"];
            default: components["responses"]["problem"];
        };
    };
    listDrafts: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of drafts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "order",
                     *           "etag": "5d41402abc4b2a76b9719d911017c592",
                     *           "updated_at": "2026-11-03T09:05:00Z",
                     *           "updated_by": "ann@example.com"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        /** @description The drafts */
                        data: components["schemas"]["WorkflowDraft"][];
                        /**
                         * @description For the next page; null: there is none
                         * @example null
                         */
                        next_cursor: string | null;
                        /**
                         * @description Whether there is a next page
                         * @example false
                         */
                        has_more: boolean;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "order",
                     *       "text": "name: order\nnodes: []\nedges: []\n",
                     *       "etag": "5d41402abc4b2a76b9719d911017c592",
                     *       "updated_at": "2026-11-03T09:05:00Z",
                     *       "updated_by": "ann@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["WorkflowDraft"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    putDraft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The etag of the draft that the caller saw, in quotes
                 * @example "5d41402abc4b2a76b9719d911017c592"
                 */
                "If-Match"?: components["parameters"]["ifMatch"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "name: welcome\nsteps:\n  - name: greet\n    code: echo\n"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description YAML or JSON
                     * @example name: order
                     *     nodes: []
                     *     edges: []
                     */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Saved, with the new etag */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "order",
                     *       "etag": "5d41402abc4b2a76b9719d911017c592",
                     *       "updated_at": "2026-11-03T09:05:00Z",
                     *       "updated_by": "ann@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["WorkflowDraft"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    deleteDraft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The etag of the draft that the caller saw, in quotes
                 * @example "5d41402abc4b2a76b9719d911017c592"
                 */
                "If-Match"?: components["parameters"]["ifMatch"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "order",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Which one
                         * @example order
                         */
                        name: string;
                        /**
                         * @description Always true
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    putLayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nodes": {
                 *         "greet": {
                 *           "x": 0,
                 *           "y": 80
                 *         }
                 *       }
                 *     }
                 */
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Kept */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "order",
                     *       "layout": {
                     *         "nodes": {
                     *           "greet": {
                     *             "x": 0,
                     *             "y": 80
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Of which workflow
                         * @example order
                         */
                        name: string;
                        /**
                         * @description What was sent
                         * @example {
                         *       "nodes": {
                         *         "greet": {
                         *           "x": 0,
                         *           "y": 80
                         *         }
                         *       }
                         *     }
                         */
                        layout: Record<string, unknown>;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listInbox: {
        parameters: {
            query?: {
                /**
                 * @description Only events of this name
                 * @example order.paid
                 */
                name?: string;
                /**
                 * @description Only events with this key
                 * @example order-7
                 */
                key?: string;
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: components["responses"]["OutsideEventList"];
            default: components["responses"]["problem"];
        };
    };
    publishEvents: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "order.paid",
                 *       "key": "order-7",
                 *       "data": {
                 *         "total": 99
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PublishEvent"] | components["schemas"]["PublishEvent"][] | unknown;
                /**
                 * @example {
                 *       "specversion": "1.0",
                 *       "id": "evt-1001",
                 *       "source": "/shop",
                 *       "type": "order.paid",
                 *       "subject": "order-7",
                 *       "data": {
                 *         "total": 99
                 *       }
                 *     }
                 */
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
                /**
                 * @example [
                 *       {
                 *         "specversion": "1.0",
                 *         "id": "evt-1001",
                 *         "source": "/shop",
                 *         "type": "order.paid",
                 *         "subject": "order-7",
                 *         "data": {
                 *           "total": 99
                 *         }
                 *       }
                 *     ]
                 */
                "application/cloudevents-batch+json": components["schemas"]["CloudEvent"][];
            };
        };
        responses: {
            /** @description Accepted; for a list, in its order */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt-1001",
                     *       "duplicate": false
                     *     }
                     */
                    "application/json": components["schemas"]["Published"] | {
                        /** @description In the order of the request */
                        data: components["schemas"]["Published"][];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listWatches: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "table": "public.wallet_ledger",
                     *           "event": "wallet_ledger",
                     *           "operations": [
                     *             "INSERT"
                     *           ],
                     *           "tenant_column": "merchant_id",
                     *           "subject_column": "user_id",
                     *           "workflows": [
                     *             "welcome_series"
                     *           ],
                     *           "problem": null
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        /** @description The watches */
                        data?: components["schemas"]["Watch"][];
                    } & components["schemas"]["Page"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    signalRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "go",
                 *       "data": {
                 *         "ok": true
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The name that the run waits for
                     * @example go
                     */
                    name: string;
                    /**
                     * @description Any JSON
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    data?: unknown;
                    /**
                     * @description Keep the signal until the run waits for it
                     * @default false
                     */
                    early?: boolean;
                };
            };
        };
        responses: {
            /** @description The signal is stored for the run */
            202: components["responses"]["Run"];
            default: components["responses"]["problem"];
        };
    };
    pauseRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "the shop is closed"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Why; the log of the run has it
                     * @example the shop is closed
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The run will pause */
            202: components["responses"]["Run"];
            default: components["responses"]["problem"];
        };
    };
    resumeRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The run will continue */
            202: components["responses"]["Run"];
            default: components["responses"]["problem"];
        };
    };
    skipStep: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "node": "charge",
                 *       "reason": "paid in cash"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The id of the step
                     * @example charge
                     */
                    node: string;
                    /**
                     * @description Kept in the log, with who asked
                     * @example paid in cash
                     */
                    reason: string;
                    /**
                     * @description The result of the step; default: null
                     * @example {
                     *       "receipt": "paid in cash"
                     *     }
                     */
                    value?: unknown;
                    /**
                     * @description By which way out the run leaves the step; default: its default edge
                     * @example timeout
                     */
                    handle?: string;
                    by?: components["schemas"]["ActingFor"];
                };
            };
        };
        responses: {
            /** @description The step will be skipped */
            202: components["responses"]["Run"];
            default: components["responses"]["problem"];
        };
    };
    settleStep: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "node": "charge",
                 *       "as": "completed"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The id of the step
                     * @example charge
                     */
                    node: string;
                    /**
                     * @description What became of it
                     * @enum {string}
                     */
                    as: "completed" | "failed" | "retry";
                    /**
                     * @description Why it failed, or must be retried
                     * @example the provider has no such charge
                     */
                    reason?: string;
                    /**
                     * @description The result of a completed step; default: null
                     * @example {
                     *       "receipt": "r-1001"
                     *     }
                     */
                    data?: unknown;
                    by?: components["schemas"]["ActingFor"];
                };
            };
        };
        responses: {
            /** @description The run continues with it */
            202: components["responses"]["Run"];
            default: components["responses"]["problem"];
        };
    };
    callBack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From the header Pawl-Callback-Token of the call
                 * @example k1.8Jm2
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "status": "completed",
                 *       "data": {
                 *         "ok": true
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description How the work ended
                     * @default completed
                     * @enum {string}
                     */
                    status?: "completed" | "failed";
                    /**
                     * @description The result of the step; any JSON
                     * @example {
                     *       "receipt": "r-1001"
                     *     }
                     */
                    data?: unknown;
                    /** @description Why it failed */
                    error?: {
                        /**
                         * @description For programs
                         * @example card_declined
                         */
                        code?: string;
                        /**
                         * @description For people
                         * @example the card was refused
                         */
                        message?: string;
                        /**
                         * @description Whether another attempt can help
                         * @default false
                         */
                        retryable?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description The run will continue */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always true
                         * @example true
                         */
                        accepted: boolean;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    beatCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From the header Pawl-Callback-Token of the call
                 * @example k1.8Jm2
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The time of the step starts again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always true
                         * @example true
                         */
                        accepted: boolean;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    workflowEnqueue: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "enqueue",
                 *       "payload": {
                 *         "workflow_name": "order",
                 *         "input": {
                 *           "id": 7
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FunctionCall"];
            };
        };
        responses: {
            /** @description Done */
            200: components["responses"]["FunctionAnswer"];
            /** @description Not done */
            default: components["responses"]["FunctionAnswer"];
        };
    };
    workflowOrchestrator: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "action": "list_workflows"
                 *     }
                 */
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Done */
            200: components["responses"]["FunctionAnswer"];
            /** @description Not done */
            default: components["responses"]["FunctionAnswer"];
        };
    };
    workflowExecutorWorker: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "organization_id": "0190b5d2-7a3c-7c4e-9f00-3b1d5a6e7f80"
                 *     }
                 */
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Done */
            200: components["responses"]["OrganizationResults"];
            /** @description Not done */
            default: components["responses"]["OrganizationFailure"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /**
                 * @description Only jobs with this status
                 * @example running
                 */
                status?: "queued" | "running" | "paused" | "done" | "failed" | "cancelled";
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37",
                     *           "kind": "bulk",
                     *           "status": "running",
                     *           "total": 120,
                     *           "done": 80,
                     *           "failed": 1,
                     *           "action": "cancel",
                     *           "workflow": "order",
                     *           "created_at": "2026-11-03T09:00:00Z",
                     *           "updated_at": "2026-11-03T09:05:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["JobList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job
                 * @example 0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37
                 */
                id: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: components["responses"]["Job"];
            default: components["responses"]["problem"];
        };
    };
    pauseJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the job
                 * @example 0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37
                 */
                id: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: components["responses"]["Job"];
            default: components["responses"]["problem"];
        };
    };
    resumeJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the job
                 * @example 0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37
                 */
                id: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: components["responses"]["Job"];
            default: components["responses"]["problem"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the job
                 * @example 0197d3d5-7e92-7c41-9b0a-6d4f8e2c1a37
                 */
                id: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    by?: components["schemas"]["ActingFor"];
                };
            };
        };
        responses: {
            /** @description The job */
            200: components["responses"]["Job"];
            default: components["responses"]["problem"];
        };
    };
    dispatchWorkflowTrigger: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trigger_table": "wallet_ledger",
                 *       "trigger_operation": "INSERT",
                 *       "user_id": "user-456",
                 *       "record_data": {
                 *         "amount": 100,
                 *         "transaction_type": "earn"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The table
                     * @example wallet_ledger
                     */
                    trigger_table: string;
                    /**
                     * @description INSERT, UPDATE or DELETE
                     * @example INSERT
                     */
                    trigger_operation: string;
                    /**
                     * @description Must be the merchant of the API key
                     * @example 6f2d8c1e-9a4b-4d37-8e50-1b7c3f9a2d64
                     */
                    merchant_id?: string;
                    /**
                     * @description The person that runs are about
                     * @example user-456
                     */
                    user_id?: string | number;
                    /**
                     * @description The key of the row
                     * @example 1001
                     */
                    record_id?: string | number;
                    /**
                     * @description The row
                     * @example {
                     *       "amount": 100,
                     *       "transaction_type": "earn"
                     *     }
                     */
                    record_data?: Record<string, unknown>;
                    /**
                     * @description The row before an UPDATE
                     * @example {
                     *       "amount": 90,
                     *       "transaction_type": "earn"
                     *     }
                     */
                    old_record_data?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description Accepted */
            200: components["responses"]["JourneyAnswer"];
            /** @description Refused */
            default: components["responses"]["JourneyAnswer"];
        };
    };
    sendLineMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "user-456",
                 *       "messages": [
                 *         {
                 *           "type": "text",
                 *           "text": "Hello"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Must be the merchant of the API key
                     * @example 6f2d8c1e-9a4b-4d37-8e50-1b7c3f9a2d64
                     */
                    merchant_id?: string;
                    /**
                     * @description The person
                     * @example user-456
                     */
                    user_id?: string | number;
                    /**
                     * @description LINE user, instead of the person's
                     * @example U4af4980629
                     */
                    line_user_id?: string;
                    /**
                     * @description Message objects of LINE
                     * @example [
                     *       {
                     *         "type": "text",
                     *         "text": "Hello"
                     *       }
                     *     ]
                     */
                    messages?: Record<string, unknown>[];
                    /**
                     * @description One text, instead of `messages`
                     * @example Hello
                     */
                    message?: string;
                    /**
                     * @description `transactional`; otherwise marketing
                     * @example transactional
                     */
                    category?: string;
                    /**
                     * @description A second call with it sends nothing
                     * @example order-7
                     */
                    correlation_id?: string;
                };
            };
        };
        responses: {
            /** @description Sent or skipped */
            200: components["responses"]["JourneyAnswer"];
            /** @description Not sent yet */
            202: components["responses"]["JourneyAnswer"];
            /** @description Not sent */
            default: components["responses"]["JourneyAnswer"];
        };
    };
    sendSms8x8: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone": "+66812345678",
                 *       "message": "Your code is 1234",
                 *       "category": "transactional"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Must be the merchant of the API key
                     * @example 6f2d8c1e-9a4b-4d37-8e50-1b7c3f9a2d64
                     */
                    merchant_id?: string;
                    /**
                     * @description The person
                     * @example user-456
                     */
                    user_id?: string | number;
                    /**
                     * @description Number, instead of the person's
                     * @example +66812345678
                     */
                    phone?: string;
                    /**
                     * @description The text
                     * @example Your code is 1234
                     */
                    message?: string;
                    /**
                     * @description `transactional`; otherwise marketing
                     * @example transactional
                     */
                    category?: string;
                    /**
                     * @description A second call with it sends nothing
                     * @example order-7
                     */
                    correlation_id?: string;
                };
            };
        };
        responses: {
            /** @description Sent or skipped */
            200: components["responses"]["JourneyAnswer"];
            /** @description Not sent yet */
            202: components["responses"]["JourneyAnswer"];
            /** @description Not sent */
            default: components["responses"]["JourneyAnswer"];
        };
    };
    lineWebhook: {
        parameters: {
            query?: {
                /**
                 * @description Owner of the account
                 * @example 6f2d8c1e-9a4b-4d37-8e50-1b7c3f9a2d64
                 */
                merchant_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "destination": "U1",
                 *       "events": []
                 *     }
                 */
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Stored */
            200: components["responses"]["JourneyAnswer"];
            /** @description Not stored */
            default: components["responses"]["JourneyAnswer"];
        };
    };
    listLimits: {
        parameters: {
            query?: {
                /**
                 * @description Only of this workflow
                 * @example order
                 */
                workflow?: string;
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of limits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "scope": "workflow",
                     *           "workflow": "order",
                     *           "name": "concurrency",
                     *           "key": null,
                     *           "limit": 10,
                     *           "defined": 20,
                     *           "set": 10,
                     *           "running": 10,
                     *           "waiting": 4
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["LimitList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    setLimit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workflow": "order",
                 *       "name": "per_customer",
                 *       "limit": 5
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Default: a limit that all workflows share (scope tenant)
                     * @example order
                     */
                    workflow?: string;
                    /**
                     * @description As in the definition, or else `concurrency` or `rate`
                     * @example concurrency
                     */
                    name: string;
                    /**
                     * @description Default: every key
                     * @example customer-42
                     */
                    key?: string;
                    /**
                     * @description Null: the definition's limit applies again
                     * @example 10
                     */
                    limit: number | null;
                };
            };
        };
        responses: {
            /** @description The limit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "workflow": "order",
                     *       "name": "concurrency",
                     *       "key": null,
                     *       "limit": 10
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Of which workflow; null: of none
                         * @example order
                         */
                        workflow: string | null;
                        /**
                         * @description Its name
                         * @example concurrency
                         */
                        name: string;
                        /**
                         * @description For which key; null: for all
                         * @example null
                         */
                        key: string | null;
                        /**
                         * @description How many
                         * @example 10
                         */
                        limit: number | null;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    followLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the link in a message
                 * @example k1.8Jm2
                 */
                token: components["parameters"]["linkToken"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the address */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    showPixel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the link in a message
                 * @example k1.8Jm2
                 */
                token: components["parameters"]["linkToken"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An image that is not seen */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": unknown;
                };
            };
            /** @description A page that says why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    showPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the link in a message
                 * @example k1.8Jm2
                 */
                token: components["parameters"]["linkToken"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    savePreferences: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the link in a message
                 * @example k1.8Jm2
                 */
                token: components["parameters"]["linkToken"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "seen": [
                 *         "email",
                 *         "sms"
                 *       ],
                 *       "want": [
                 *         "email"
                 *       ]
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /**
                     * @description What the page has shown
                     * @example [
                     *       "email",
                     *       "sms"
                     *     ]
                     */
                    seen?: string[];
                    /**
                     * @description What is wanted
                     * @example [
                     *       "email"
                     *     ]
                     */
                    want?: string[];
                    /**
                     * @description Nothing is wanted
                     * @example 1
                     */
                    none?: string;
                };
            };
        };
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /**
                 * @description The provider's id of the message
                 * @example SM0a1b2c
                 */
                external_id?: string;
                /**
                 * @description The key of the person it is for
                 * @example 4711
                 */
                person?: string;
                /**
                 * @description The state of the message now
                 * @example delivered
                 */
                state?: components["schemas"]["MessageState"];
                /**
                 * @description Only of this run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run?: string;
                /**
                 * @description Only of runs of this workflow
                 * @example welcome_series
                 */
                workflow?: string;
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0197d3c9-1d70-7a85-b6e2-9f3c5a8d7e14",
                     *           "test": false,
                     *           "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *           "workflow": "welcome_series",
                     *           "version": 3,
                     *           "node": "send_welcome",
                     *           "person": "customer-42",
                     *           "channel": "email",
                     *           "connector": "sendgrid",
                     *           "account": "shop",
                     *           "template": "welcome",
                     *           "template_version": 2,
                     *           "variant": null,
                     *           "category": "marketing",
                     *           "address": "ann@example.com",
                     *           "external_id": "14c5d75ce93.dfd.64b469",
                     *           "state": "opened",
                     *           "reason": null,
                     *           "error": null,
                     *           "created_at": "2026-11-03T09:00:00Z",
                     *           "sent_at": "2026-11-03T09:00:01Z",
                     *           "delivered_at": "2026-11-03T09:00:03Z",
                     *           "opened_at": "2026-11-03T09:20:00Z",
                     *           "machine_opened_at": null,
                     *           "clicked_at": null,
                     *           "bounced_at": null,
                     *           "complained_at": null,
                     *           "failed_at": null,
                     *           "unsubscribed_at": null,
                     *           "replied_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the message
                 * @example 0197d3c9-1d70-7a85-b6e2-9f3c5a8d7e14
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197d3c9-1d70-7a85-b6e2-9f3c5a8d7e14",
                     *       "test": false,
                     *       "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *       "workflow": "welcome_series",
                     *       "version": 3,
                     *       "node": "send_welcome",
                     *       "person": "customer-42",
                     *       "channel": "email",
                     *       "connector": "sendgrid",
                     *       "account": "shop",
                     *       "template": "welcome",
                     *       "template_version": 2,
                     *       "variant": null,
                     *       "category": "marketing",
                     *       "address": "ann@example.com",
                     *       "external_id": "14c5d75ce93.dfd.64b469",
                     *       "state": "opened",
                     *       "reason": null,
                     *       "error": null,
                     *       "created_at": "2026-11-03T09:00:00Z",
                     *       "sent_at": "2026-11-03T09:00:01Z",
                     *       "delivered_at": "2026-11-03T09:00:03Z",
                     *       "opened_at": "2026-11-03T09:20:00Z",
                     *       "machine_opened_at": null,
                     *       "clicked_at": null,
                     *       "bounced_at": null,
                     *       "complained_at": null,
                     *       "failed_at": null,
                     *       "unsubscribed_at": null,
                     *       "replied_at": null,
                     *       "content": {
                     *         "subject": "Your cart",
                     *         "text": "Hello Ann, your cart is waiting"
                     *       },
                     *       "content_missing": null,
                     *       "facts": [
                     *         {
                     *           "kind": "delivered",
                     *           "at": "2026-11-03T09:00:03Z",
                     *           "received_at": "2026-11-03T09:00:04Z",
                     *           "machine": false,
                     *           "connector": "sendgrid",
                     *           "account": "shop",
                     *           "provider_event_id": "ZGVsaXZlcmVkLTA",
                     *           "detail": {
                     *             "response": "250 OK"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MessageDetails"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                /**
                 * @description Only of this channel
                 * @example email
                 */
                channel?: string;
                /**
                 * @description Only this address, in any spelling
                 * @example ann@example.com
                 */
                address?: string;
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of addresses */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "channel": "email",
                     *           "address": "ann@example.com",
                     *           "reason": "bounced",
                     *           "at": "2026-11-03T09:00:03Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["SuppressionList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    suppressAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel": "email",
                 *       "address": "ann@example.com",
                 *       "reason": "asked_by_phone"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The channel
                     * @example email
                     */
                    channel: string;
                    /**
                     * @description The address
                     * @example ann@example.com
                     */
                    address: string;
                    /**
                     * @description Why it gets nothing
                     * @default by_hand
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The address is suppressed */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "channel": "email",
                     *       "address": "ann@example.com",
                     *       "reason": "bounced",
                     *       "at": "2026-11-03T09:00:03Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    liftSuppression: {
        parameters: {
            query: {
                /**
                 * @description The channel
                 * @example email
                 */
                channel: string;
                /**
                 * @description The address in any spelling
                 * @example ann@example.com
                 */
                address: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address gets messages again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "channel": "email",
                     *       "address": "ann@example.com",
                     *       "lifted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The channel
                         * @example email
                         */
                        channel: string;
                        /**
                         * @description As in the request
                         * @example ann@example.com
                         */
                        address: string;
                        /**
                         * @description Always true
                         * @constant
                         */
                        lifted: true;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    showUnsubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Part of the link in a message
                 * @example k1.8Jm2
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page with a button to confirm */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page with the reason for the refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    unsubscribeByLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Part of the link in a message
                 * @example k1.8Jm2
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "List-Unsubscribe": "One-Click"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /**
                     * @description By mail programs
                     * @example One-Click
                     */
                    "List-Unsubscribe"?: string;
                };
            };
        };
        responses: {
            /** @description Unsubscribed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page with the reason for the refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    listMessagePolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All policies */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "channel": "email",
                     *           "timezone": "UTC",
                     *           "quiet_hours": {
                     *             "from": "21:00",
                     *             "to": "08:00"
                     *           },
                     *           "cap": {
                     *             "count": 3,
                     *             "seconds": 604800
                     *           },
                     *           "holdout": 5,
                     *           "updated_at": "2026-11-03T09:05:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["MessagePolicyList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    putMessagePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "quiet_hours": {
                 *         "from": "21:00",
                 *         "to": "08:00"
                 *       },
                 *       "timezone": "Asia/Bangkok",
                 *       "cap": {
                 *         "count": 3,
                 *         "per": "7d"
                 *       },
                 *       "holdout": 5
                 *     }
                 */
                "application/json": {
                    /**
                     * @description One channel, or `*` for those without a policy of their own
                     * @default *
                     */
                    channel?: string;
                    /**
                     * @description Time zone of people without one
                     * @default UTC
                     */
                    timezone?: string;
                    /** @description Messages wait in these hours, in the person's time zone */
                    quiet_hours?: {
                        /**
                         * @description HH:MM
                         * @example 21:00
                         */
                        from: string;
                        /**
                         * @description HH:MM
                         * @example 08:00
                         */
                        to: string;
                    };
                    /** @description How many messages a person gets per period */
                    cap?: {
                        /**
                         * @description The maximum
                         * @example 3
                         */
                        count: number;
                        /**
                         * @description A duration
                         * @example 7d
                         */
                        per: string;
                    };
                    /**
                     * @description Percentage of people who get nothing
                     * @default 0
                     */
                    holdout?: number;
                };
            };
        };
        responses: {
            /** @description The policy */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "channel": "email",
                     *       "timezone": "UTC",
                     *       "quiet_hours": {
                     *         "from": "21:00",
                     *         "to": "08:00"
                     *       },
                     *       "cap": {
                     *         "count": 3,
                     *         "seconds": 604800
                     *       },
                     *       "holdout": 5,
                     *       "updated_at": "2026-11-03T09:05:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["MessagePolicy"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    deleteMessagePolicy: {
        parameters: {
            query?: {
                /**
                 * @description Default: `*`
                 * @example sms
                 */
                channel?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "channel": "email",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The channel
                         * @example email
                         */
                        channel: string;
                        /**
                         * @description Always true
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getFunnel: {
        parameters: {
            query?: {
                /**
                 * @description From this time on, rounded down to the hour
                 * @example 2026-05-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description Before this time, rounded up to the hour
                 * @example 2026-06-01T00:00:00Z
                 */
                to?: string;
                /**
                 * @description Only runs of this version: a number or a label
                 * @example 3
                 */
                version?: string;
                /**
                 * @description Group the counts
                 * @example variant
                 */
                by?: "variant" | "channel" | "day" | "version";
                /**
                 * @description What to compare variants by
                 * @example clicked
                 */
                metric?: "converted" | "completed" | "opened" | "clicked" | "replied";
                /**
                 * @description json, or csv for spreadsheets; `Accept: text/csv` selects csv too
                 * @example csv
                 */
                format?: components["parameters"]["format"];
            };
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example welcome_series
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "workflow": "welcome_series",
                     *       "version": null,
                     *       "from": "2026-05-01T00:00:00Z",
                     *       "to": "2026-06-01T00:00:00Z",
                     *       "as_of": "2026-06-01T00:00:01Z",
                     *       "rebuilding": false,
                     *       "counted": true,
                     *       "counted_from": null,
                     *       "inside": 1017,
                     *       "totals": {
                     *         "people": 3987,
                     *         "entered": 4120,
                     *         "completed": 3010,
                     *         "exited": 88,
                     *         "failed": 4,
                     *         "cancelled": 1,
                     *         "converted": 412,
                     *         "sent": 3920,
                     *         "skipped": 200,
                     *         "delivered": 3880,
                     *         "opened": 1502,
                     *         "machine_opened": 310,
                     *         "clicked": 520,
                     *         "opens": 1911,
                     *         "clicks": 640,
                     *         "bounced": 31,
                     *         "undelivered": 9,
                     *         "complained": 1,
                     *         "unsubscribed": 12,
                     *         "replied": 44,
                     *         "skipped_by": {
                     *           "no_address": 120,
                     *           "unsubscribed": 80
                     *         },
                     *         "failed_by": {
                     *           "card_declined": 4
                     *         },
                     *         "exited_by": {
                     *           "order.paid": 88
                     *         },
                     *         "converted_by": {
                     *           "bought": 412
                     *         }
                     *       },
                     *       "nodes": [],
                     *       "edges": [
                     *         {
                     *           "from": "loyal",
                     *           "handle": "true",
                     *           "to": "thanks",
                     *           "count": 812
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Funnel"];
                    "text/csv": string;
                };
            };
            default: components["responses"]["problem"];
        };
    };
    countWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example welcome_series
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "workflow": "welcome_series",
                     *       "version": null,
                     *       "from": "2026-05-01T00:00:00Z",
                     *       "to": "2026-06-01T00:00:00Z",
                     *       "as_of": "2026-06-01T00:00:01Z",
                     *       "rebuilding": false,
                     *       "counted": true,
                     *       "counted_from": null,
                     *       "inside": 1017
                     *     }
                     */
                    "application/json": components["schemas"]["Funnel"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listPeopleInside: {
        parameters: {
            query?: {
                /**
                 * @description Only at this node
                 * @example wait_a_week
                 */
                at?: string;
                /**
                 * @description What they wait for (time, event, human, child, callback, target, lock, retry), or completed, exited, failed, cancelled or ended
                 * @example time
                 */
                state?: string;
                /**
                 * @description Only runs of this version: a number or a label
                 * @example 3
                 */
                version?: string;
                /**
                 * @description Only runs that ended then or later
                 * @example 2026-05-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description Only runs that ended earlier
                 * @example 2026-06-01T00:00:00Z
                 */
                to?: string;
                /**
                 * @description json, or csv for spreadsheets; `Accept: text/csv` selects csv too
                 * @example csv
                 */
                format?: components["parameters"]["format"];
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example welcome_series
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of people */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "person": "4711",
                     *           "run_id": "01a1eb6f-adc7-70bc-a550-708681e82da9",
                     *           "version": 3,
                     *           "node": "wait_a_week",
                     *           "state": "time",
                     *           "since": "2026-05-01T08:00:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["PersonPlaceList"];
                    "text/csv": string;
                };
            };
            default: components["responses"]["problem"];
        };
    };
    movePeople: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example welcome_series
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "release",
                 *       "at": "wait_a_week",
                 *       "reason": "the offer began early"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description What is done with them
                     * @example release
                     * @enum {string}
                     */
                    action: "release" | "exit";
                    /**
                     * @description The step where they are
                     * @example wait_a_week
                     */
                    at: string;
                    /**
                     * @description By which way they leave it; default: its default edge
                     * @example timeout
                     */
                    handle?: string;
                    /**
                     * @description Kept in the logs of their runs
                     * @example the offer began early
                     */
                    reason: string;
                    /**
                     * @description Only runs of this version
                     * @example 3
                     */
                    version?: string;
                    /** @description Only these runs */
                    runs?: string[];
                    /**
                     * @description At most so many
                     * @default 1000
                     * @example 1000
                     */
                    limit?: number;
                    /**
                     * @description The `next_cursor` of the call before
                     * @example WyJ3YWl0Il0
                     */
                    cursor?: string;
                    by?: components["schemas"]["ActingFor"];
                };
            };
        };
        responses: {
            /** @description They will go on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reached": 214,
                     *       "failed": 0,
                     *       "problems": [
                     *         {
                     *           "run": "01a1eb6f-adc7-70bc-a550-708681e82da9",
                     *           "problem": "it is not at this step now"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Runs that got the message
                         * @example 214
                         */
                        reached: number;
                        /**
                         * @description Runs that did not
                         * @example 0
                         */
                        failed: number;
                        /** @description The first 20 of these */
                        problems: {
                            /**
                             * Format: uuid
                             * @description The run
                             * @example 01a1eb6f-adc7-70bc-a550-708681e82da9
                             */
                            run: string;
                            /**
                             * @description Why
                             * @example it is not at this step now
                             */
                            problem: string;
                        }[];
                        /**
                         * @description Cursor of the next part
                         * @example null
                         */
                        next_cursor: string | null;
                        /**
                         * @description Whether there is a next part
                         * @example false
                         */
                        has_more: boolean;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    simulateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example welcome_series
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "since": "7d"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description How far back, at most 366d
                     * @default 7d
                     * @example 7d
                     */
                    since?: string;
                    /**
                     * @description At most this many runs
                     * @default 10000
                     * @example 10000
                     */
                    limit?: number;
                    /**
                     * @description A definition to try instead of the published one, as YAML or JSON
                     * @example {
                     *       "name": "welcome_series",
                     *       "nodes": [
                     *         {
                     *           "id": "came",
                     *           "type": "trigger"
                     *         }
                     *       ],
                     *       "edges": []
                     *     }
                     */
                    definition?: string | Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description What would have happened */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "workflow": "welcome_series",
                     *       "from": "2026-05-01T08:00:00Z",
                     *       "to": "2026-05-08T08:00:00Z",
                     *       "events": 4233,
                     *       "entered": 4120,
                     *       "people": 3987,
                     *       "inside_before": 101,
                     *       "refused": 12,
                     *       "truncated": false,
                     *       "by_clock": false,
                     *       "statuses": {
                     *         "completed": 3010,
                     *         "waiting": 1098,
                     *         "failed": 12
                     *       },
                     *       "errors": {
                     *         "card_declined": 12
                     *       },
                     *       "waiting_at": {
                     *         "wait_a_week": 1098
                     *       },
                     *       "messages": [
                     *         {
                     *           "node": "thanks",
                     *           "channel": "sms",
                     *           "sent": 812,
                     *           "at_night": 96,
                     *           "skipped_by": {
                     *             "no_address": 120,
                     *             "unsubscribed": 80
                     *           }
                     *         }
                     *       ],
                     *       "nodes": [
                     *         {
                     *           "node": "thanks",
                     *           "entered": 812
                     *         }
                     *       ],
                     *       "edges": [
                     *         {
                     *           "from": "loyal",
                     *           "handle": "true",
                     *           "to": "thanks",
                     *           "count": 812
                     *         }
                     *       ],
                     *       "assumed_false": [
                     *         "loyal"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Simulation"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    examineDatabase: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The findings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "check": "workers",
                     *           "verdict": "warn",
                     *           "detail": "none at work",
                     *           "next": "pawl worker",
                     *           "code": "no_workers",
                     *           "values": {
                     *             "count": "0"
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["FindingList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listWorkers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01980000-0000-7000-8000-000000000000",
                     *           "host": "app-1",
                     *           "pid": 4711,
                     *           "version": "1.0.0",
                     *           "started_at": "2026-06-01T08:00:00Z",
                     *           "beat_at": "2026-06-01T08:00:02Z",
                     *           "runs": 12,
                     *           "draining_since": null,
                     *           "status": "working"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["WorkerList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    drainWorker: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description As `GET /v1/workers` shows it
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                id: components["parameters"]["workerId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The worker */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000000",
                     *       "host": "app-1",
                     *       "pid": 4711,
                     *       "version": "1.0.0",
                     *       "started_at": "2026-06-01T08:00:00Z",
                     *       "beat_at": "2026-06-01T08:00:02Z",
                     *       "runs": 12,
                     *       "draining_since": null,
                     *       "status": "working"
                     *     }
                     */
                    "application/json": components["schemas"]["Worker"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    resumeWorker: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description As `GET /v1/workers` shows it
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                id: components["parameters"]["workerId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The worker */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01980000-0000-7000-8000-000000000000",
                     *       "host": "app-1",
                     *       "pid": 4711,
                     *       "version": "1.0.0",
                     *       "started_at": "2026-06-01T08:00:00Z",
                     *       "beat_at": "2026-06-01T08:00:02Z",
                     *       "runs": 12,
                     *       "draining_since": null,
                     *       "status": "working"
                     *     }
                     */
                    "application/json": components["schemas"]["Worker"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listQueues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queues */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "workflow_queue",
                     *           "kind": "pgmq",
                     *           "length": 3,
                     *           "visible": 3,
                     *           "oldest_at": "2026-06-01T08:00:00Z",
                     *           "starts": "message",
                     *           "workflow": null,
                     *           "tenant": "default",
                     *           "dead_letter_queue": "workflow_dlq",
                     *           "reads_max": 5
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["QueueList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    peekQueue: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The name of a queue of pgmq
                 * @example workflow_queue
                 */
                name: components["parameters"]["queueName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "42",
                     *           "reads": 0,
                     *           "sent_at": "2026-06-01T08:00:00Z",
                     *           "visible_at": "2026-06-01T08:00:00Z",
                     *           "bytes": 120,
                     *           "message": {
                     *             "workflow_name": "welcome"
                     *           },
                     *           "headers": null
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["QueueMessageList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    purgeQueue: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of a queue of pgmq
                 * @example workflow_queue
                 */
                name: components["parameters"]["queueName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many went */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "workflow_queue",
                     *       "purged": 12
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The queue
                         * @example workflow_queue
                         */
                        name: string;
                        /**
                         * @description How many
                         * @example 12
                         */
                        purged: number;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listTargets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The targets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "target": "https://api.example.com",
                     *           "state": "open",
                     *           "workers": 2,
                     *           "workers_open": 1,
                     *           "opened": 3,
                     *           "until": "2026-06-01T08:00:08Z",
                     *           "error": "answered with 503",
                     *           "changed_at": "2026-06-01T08:00:00Z",
                     *           "closing": false
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["TargetList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    closeTarget: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target": "https://api.example.com"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Its origin, as the list shows it
                     * @example https://api.example.com
                     */
                    target: string;
                };
            };
        };
        responses: {
            /** @description The target */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "target": "https://api.example.com",
                     *       "state": "open",
                     *       "workers": 2,
                     *       "workers_open": 1,
                     *       "opened": 3,
                     *       "until": "2026-06-01T08:00:08Z",
                     *       "error": "answered with 503",
                     *       "changed_at": "2026-06-01T08:00:00Z",
                     *       "closing": false
                     *     }
                     */
                    "application/json": components["schemas"]["Target"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /**
                 * @description Only people with this text in their key, an address or an attribute, in upper or lower case. A request examines up to 20,000 people, so a page may be empty while `has_more` is true
                 * @example ann@
                 */
                q?: string;
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of people */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "key": "4711",
                     *           "attributes": {
                     *             "first_name": "Ann",
                     *             "tier": "gold"
                     *           },
                     *           "addresses": {
                     *             "email": "ann@example.com"
                     *           },
                     *           "locale": "th-TH",
                     *           "timezone": "Asia/Bangkok",
                     *           "created_at": "2026-11-03T09:00:00Z",
                     *           "updated_at": "2026-11-03T09:05:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["PersonList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    putPeople: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "people": [
                 *         {
                 *           "key": "4711",
                 *           "attributes": {
                 *             "first_name": "Ann"
                 *           },
                 *           "addresses": {
                 *             "email": "ann@example.com"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Up to 1000 */
                    people: components["schemas"]["NewPerson"][];
                };
            };
        };
        responses: {
            /** @description Added or replaced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 2
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description How many different people were saved
                         * @example 2
                         */
                        count: number;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "4711",
                     *       "attributes": {
                     *         "first_name": "Ann",
                     *         "tier": "gold"
                     *       },
                     *       "addresses": {
                     *         "email": "ann@example.com"
                     *       },
                     *       "locale": "th-TH",
                     *       "timezone": "Asia/Bangkok",
                     *       "created_at": "2026-11-03T09:00:00Z",
                     *       "updated_at": "2026-11-03T09:05:00Z",
                     *       "source": null,
                     *       "unsubscribed": [
                     *         {
                     *           "channel": "email",
                     *           "category": "marketing",
                     *           "at": "2026-11-03T09:30:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PersonDetails"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    putPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "attributes": {
                 *         "first_name": "Ann",
                 *         "tier": "gold"
                 *       },
                 *       "addresses": {
                 *         "email": "ann@example.com",
                 *         "sms": "+66812345678"
                 *       },
                 *       "locale": "th-TH",
                 *       "timezone": "Asia/Bangkok"
                 *     }
                 */
                "application/json": {
                    attributes?: components["schemas"]["PersonAttributes"];
                    addresses?: components["schemas"]["PersonAddresses"];
                    /**
                     * @description The language
                     * @example th-TH
                     */
                    locale?: string | null;
                    /**
                     * @description The time zone
                     * @example Asia/Bangkok
                     */
                    timezone?: string | null;
                };
            };
        };
        responses: {
            /** @description The person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "4711",
                     *       "attributes": {
                     *         "first_name": "Ann",
                     *         "tier": "gold"
                     *       },
                     *       "addresses": {
                     *         "email": "ann@example.com"
                     *       },
                     *       "locale": "th-TH",
                     *       "timezone": "Asia/Bangkok",
                     *       "created_at": "2026-11-03T09:00:00Z",
                     *       "updated_at": "2026-11-03T09:05:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Person"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    erasePerson: {
        parameters: {
            query?: {
                /**
                 * @description Also delete closed runs
                 * @example true
                 */
                runs?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Erased */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "customer-42",
                     *       "erased": true,
                     *       "runs": 3
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The key of the person
                         * @example customer-42
                         */
                        key: string;
                        /**
                         * @description Always true
                         * @constant
                         */
                        erased: true;
                        /**
                         * @description How many runs were deleted
                         * @example 3
                         */
                        runs: number;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getPersonLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "customer-42",
                     *       "preferences_url": "https://pawl.example/p/k1.8Jm2",
                     *       "unsubscribe_url": "https://pawl.example/v1/unsubscribe/k1.8Jm2"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The key of the person
                         * @example customer-42
                         */
                        key: string;
                        /**
                         * @description A page with all choices
                         * @example https://pawl.example/p/k1.8Jm2
                         */
                        preferences_url: string;
                        /**
                         * @description Stops all but transactional
                         * @example https://pawl.example/v1/unsubscribe/k1.8Jm2
                         */
                        unsubscribe_url: string;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    linkLine: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "link_token": "NMZTNuVrPTqlr2IF8Bnymkb7rXfYv5EY"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The token from LINE
                     * @example NMZTNuVrPTqlr2IF8Bnymkb7rXfYv5EY
                     */
                    link_token: string;
                };
            };
        };
        responses: {
            /** @description Where the person goes next */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "customer-42",
                     *       "nonce": "wAAAcGVyc29uLTQy",
                     *       "url": "https://access.line.me/dialog/bot/accountLink?linkToken=NMZT&nonce=wAAA",
                     *       "expires_at": "2026-11-03T09:10:00Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The key of the person
                         * @example customer-42
                         */
                        key: string;
                        /**
                         * @description Part of the url; LINE returns it
                         * @example wAAAcGVyc29uLTQy
                         */
                        nonce: string;
                        /**
                         * @description A page of LINE, where the person confirms
                         * @example https://access.line.me/dialog/bot/accountLink?linkToken=NMZT&nonce=wAAA
                         */
                        url: string;
                        /**
                         * Format: date-time
                         * @description When the url expires
                         * @example 2026-11-03T09:10:00Z
                         */
                        expires_at: string;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    unsubscribePerson: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "channel": "email"
                 *     }
                 */
                "application/json": components["schemas"]["Wish"];
            };
        };
        responses: {
            /** @description What the person has unsubscribed from */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "customer-42",
                     *       "unsubscribed": [
                     *         {
                     *           "channel": "email",
                     *           "category": "marketing",
                     *           "at": "2026-11-03T09:30:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Unsubscribed"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    resubscribePerson: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "channel": "email"
                 *     }
                 */
                "application/json": components["schemas"]["Wish"];
            };
        };
        responses: {
            /** @description What the person is still unsubscribed from */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "customer-42",
                     *       "unsubscribed": []
                     *     }
                     */
                    "application/json": components["schemas"]["Unsubscribed"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getPersonSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The source */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "redacted": [
                     *         "income",
                     *         "birth_name"
                     *       ],
                     *       "source": null
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Columns, or attributes where people are kept in Pawl, that messages and conditions may use and nothing keeps or shows (`pawl.redact`)
                         * @example [
                         *       "income",
                         *       "birth_name"
                         *     ]
                         */
                        redacted: string[];
                        /**
                         * @description Null: people are kept in Pawl
                         * @example null
                         */
                        source: null | components["schemas"]["PersonSource"];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getTimeline: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The key of a person: the subject of runs about them
                 * @example 4711
                 */
                key: components["parameters"]["personKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "at": "2026-11-03T09:20:00Z",
                     *           "type": "fact",
                     *           "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *           "workflow": "welcome_series",
                     *           "message_id": "0197d3c9-1d70-7a85-b6e2-9f3c5a8d7e14",
                     *           "fact": "opened",
                     *           "channel": "email",
                     *           "machine": false
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["Timeline"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    rehearseWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "definition": {
                 *         "name": "hi",
                 *         "nodes": [
                 *           {
                 *             "id": "came",
                 *             "type": "trigger"
                 *           }
                 *         ],
                 *         "edges": []
                 *       },
                 *       "test": {
                 *         "subject": "ann"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description What to try, as YAML or JSON
                     * @example {
                     *       "name": "hi",
                     *       "nodes": [
                     *         {
                     *           "id": "came",
                     *           "type": "trigger"
                     *         }
                     *       ],
                     *       "edges": []
                     *     }
                     */
                    definition: string | Record<string, unknown>;
                    /**
                     * @description A case as in a file of tests: `input`, `subject`, `person`, `start`, `events`, `mocks` by step, and `expect`
                     * @example {
                     *       "subject": "ann",
                     *       "input": {
                     *         "items": "2 shirts"
                     *       }
                     *     }
                     */
                    test?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description What would happen */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "workflow": "thanks",
                     *       "status": "completed",
                     *       "started_at": "2026-01-01T00:00:00Z",
                     *       "ended_at": "2026-01-02T00:00:00Z",
                     *       "took": "1d",
                     *       "person": {
                     *         "first_name": "Ann"
                     *       },
                     *       "output": {},
                     *       "error": null,
                     *       "stopped": false,
                     *       "steps": [
                     *         {
                     *           "node": "thanks",
                     *           "type": "message",
                     *           "at": "2026-01-01T00:00:00Z",
                     *           "ended_at": "2026-01-02T00:00:00Z",
                     *           "by": {
                     *             "from": "a_day",
                     *             "handle": "default",
                     *             "to": "thanks"
                     *           },
                     *           "attempts": 1,
                     *           "input": {
                     *             "channel": "sms",
                     *             "text": "Thank you, Ann"
                     *           },
                     *           "waits_for": {
                     *             "due_at": "2026-01-02T00:00:00Z"
                     *           },
                     *           "result": {
                     *             "state": "sent",
                     *             "channel": "sms"
                     *           },
                     *           "error": null,
                     *           "handle": "default",
                     *           "disabled": false,
                     *           "made_up": false
                     *         }
                     *       ],
                     *       "truncated": false,
                     *       "edges": [
                     *         {
                     *           "from": "loyal",
                     *           "handle": "true",
                     *           "to": "thanks",
                     *           "count": 812
                     *         }
                     *       ],
                     *       "waits_at": [],
                     *       "emitted": [],
                     *       "remarks": [],
                     *       "mismatches": []
                     *     }
                     */
                    "application/json": components["schemas"]["Rehearsal"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    runRates: {
        parameters: {
            query?: {
                /**
                 * @description The beginning; without it: a day before `to`
                 * @example 2026-11-02T09:00:00Z
                 */
                from?: string;
                /**
                 * @description The end; without it: now
                 * @example 2026-11-03T09:00:00Z
                 */
                to?: string;
                /**
                 * @description How long the pieces are; without it they fit the range
                 * @example 1h
                 */
                step?: "1m" | "5m" | "1h" | "1d";
                /**
                 * @description Only runs of this workflow
                 * @example order
                 */
                workflow?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pieces, in order, without gaps */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "step": "1h",
                     *       "data": [
                     *         {
                     *           "at": "2026-11-03T09:00:00Z",
                     *           "started": 120,
                     *           "completed": 110,
                     *           "failed": 2,
                     *           "cancelled": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description How long the pieces are
                         * @enum {string}
                         */
                        step: "1m" | "5m" | "1h" | "1d";
                        /** @description The pieces */
                        data: components["schemas"]["RunRate"][];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "work": {
                     *         "due": 12,
                     *         "oldest_at": "2026-11-03T08:58:00Z",
                     *         "oldest_run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b"
                     *       },
                     *       "tasks": {
                     *         "open": 5,
                     *         "overdue": 1,
                     *         "due_soon": 2,
                     *         "oldest_at": "2026-11-03T07:00:00Z",
                     *         "next_due_at": "2026-11-03T12:00:00Z"
                     *       },
                     *       "failures": {
                     *         "groups": 2,
                     *         "runs": 7,
                     *         "last_at": "2026-11-03T09:02:00Z"
                     *       },
                     *       "targets": [
                     *         {
                     *           "id": 4,
                     *           "name": "shop",
                     *           "kind": "webhook",
                     *           "state": "failing",
                     *           "reason": null,
                     *           "failures": 6,
                     *           "until": "2026-11-03T09:10:00Z"
                     *         }
                     *       ],
                     *       "service": {
                     *         "workers": [
                     *           {
                     *             "id": "01980000-0000-7000-8000-000000000000",
                     *             "host": "app-1",
                     *             "pid": 4711,
                     *             "version": "1.0.0",
                     *             "started_at": "2026-11-03T08:00:00Z",
                     *             "beat_at": "2026-11-03T09:00:02Z"
                     *           }
                     *         ],
                     *         "database": {
                     *           "taken_at": "2026-11-03T09:00:00Z",
                     *           "horizon_age_seconds": 3.5,
                     *           "connections": 24,
                     *           "connections_max": 100,
                     *           "size_bytes": 734003200,
                     *           "transaction_id_age": 51200000,
                     *           "partition_weeks_ahead": 4,
                     *           "wal_kept_bytes": 16777216,
                     *           "replication_lag_bytes": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /**
                 * @description Only runs of this workflow
                 * @example order
                 */
                workflow?: string;
                /**
                 * @description One or more, separated by commas
                 * @example failed,cancelled
                 */
                status?: string;
                /**
                 * @description Only runs about this subject
                 * @example customer-42
                 */
                subject?: string;
                /**
                 * @description Only the runs that have it
                 * @example order-7
                 */
                correlation_id?: string;
                /**
                 * @description Only runs that were created then or later
                 * @example 2026-11-03T09:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Only runs that were created earlier
                 * @example 2026-11-03T10:00:00Z
                 */
                created_before?: string;
                /**
                 * @description Only runs with this text in their error, in any case: its message, code, class or step
                 * @example timeout
                 */
                error?: components["parameters"]["runError"];
                /**
                 * @description Only runs whose input meets this condition: `data.` and a path, one of `= != < <= > >=`, and a number, `true`, `false`, `null` or a text, in quotes if it looks like one of these. Repeated: all of them
                 * @example [
                 *       "data.total>100"
                 *     ]
                 */
                where?: components["parameters"]["runWhere"];
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs */
            200: components["responses"]["RunList"];
            default: components["responses"]["problem"];
        };
    };
    startRun: {
        parameters: {
            query?: {
                /**
                 * @description How long to wait for the end, like `30s`; 60s at most
                 * @example 30s
                 */
                wait?: string;
            };
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workflow": "order",
                 *       "data": {
                 *         "id": 7
                 *       },
                 *       "correlation_id": "order-7"
                 *     }
                 */
                "application/json": components["schemas"]["StartRun"];
            };
        };
        responses: {
            /** @description A run with this correlation_id existed already, or the awaited run has closed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *       "workflow": "order",
                     *       "version": 3,
                     *       "created": true
                     *     }
                     */
                    "application/json": components["schemas"]["Started"] | components["schemas"]["Run"];
                };
            };
            /** @description Started */
            201: components["responses"]["Started"];
            /** @description Started; not closed yet */
            202: components["responses"]["Run"];
            default: components["responses"]["problem"];
        };
    };
    countRuns: {
        parameters: {
            query?: {
                /**
                 * @description Only runs of this workflow
                 * @example order
                 */
                workflow?: string;
                /**
                 * @description One or more, separated by commas; only these are counted
                 * @example failed,cancelled
                 */
                status?: string;
                /**
                 * @description Only runs about this subject
                 * @example customer-42
                 */
                subject?: string;
                /**
                 * @description Only the runs that have it
                 * @example order-7
                 */
                correlation_id?: string;
                /**
                 * @description Only runs that were created then or later
                 * @example 2026-11-03T09:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Only runs that were created earlier
                 * @example 2026-11-03T10:00:00Z
                 */
                created_before?: string;
                /**
                 * @description Only runs with this text in their error, in any case: its message, code, class or step
                 * @example timeout
                 */
                error?: components["parameters"]["runError"];
                /**
                 * @description Only runs whose input meets this condition: `data.` and a path, one of `= != < <= > >=`, and a number, `true`, `false`, `null` or a text, in quotes if it looks like one of these. Repeated: all of them
                 * @example [
                 *       "data.total>100"
                 *     ]
                 */
                where?: components["parameters"]["runWhere"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A number for each status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "status": "failed",
                     *           "count": 3,
                     *           "complete": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The counts, by status */
                        data: {
                            status: components["schemas"]["RunStatus"];
                            /**
                             * @description How many
                             * @example 3
                             */
                            count: number;
                            /**
                             * @description False: there are more
                             * @example true
                             */
                            complete: boolean;
                        }[];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    startRuns: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "runs": [
                 *         {
                 *           "workflow": "order",
                 *           "data": {
                 *             "id": 7
                 *           }
                 *         },
                 *         {
                 *           "workflow": "order",
                 *           "data": {
                 *             "id": 8
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description What to start */
                    runs: components["schemas"]["StartRun"][];
                };
            };
        };
        responses: {
            /** @description The started runs, in the order of the request */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *           "workflow": "order",
                     *           "version": 3,
                     *           "created": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The runs, in the order of the request */
                        data: (components["schemas"]["Started"] | components["schemas"]["NotEntered"])[];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    bulkRuns: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "cancel",
                 *       "filter": {
                 *         "workflow": "order",
                 *         "status": "waiting"
                 *       },
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["BulkRuns"];
            };
        };
        responses: {
            /** @description What would be done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": true,
                     *       "action": "cancel",
                     *       "total": 120,
                     *       "complete": true,
                     *       "sample": [
                     *         "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BulkPreview"];
                };
            };
            /** @description The job */
            202: components["responses"]["Job"];
            default: components["responses"]["problem"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            200: components["responses"]["Run"];
            default: components["responses"]["problem"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: components["responses"]["EventList"];
            default: components["responses"]["problem"];
        };
    };
    listSteps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The steps in the order of the definition */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "step": "charge",
                     *           "type": "function",
                     *           "status": "completed",
                     *           "result": {
                     *             "receipt": "r-1001"
                     *           },
                     *           "attempts": [
                     *             {
                     *               "attempt": 1,
                     *               "outcome": "completed",
                     *               "at": "2026-11-03T09:00:02Z"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The steps, in order */
                        data: components["schemas"]["Step"][];
                        /**
                         * @description Where the trace is in which the run began (`--trace-url`); null: it is not traced, or that is not set
                         * @example https://traces.example.com/trace/01a1eb6fadc770bca550708681e82da9
                         */
                        trace_url?: string | null;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    streamRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Continue after this event
                 * @example 3
                 */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: components["responses"]["problem"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "the customer changed their mind"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Why; the log of the run has it
                     * @example the customer changed their mind
                     */
                    reason?: string;
                    /**
                     * @description End at once, without waiting or undoing
                     * @default false
                     */
                    force?: boolean;
                };
            };
        };
        responses: {
            /** @description The run had closed already */
            200: components["responses"]["Run"];
            /** @description The run begins no more steps, awaits those under way, undoes, and ends */
            202: components["responses"]["Run"];
            default: components["responses"]["problem"];
        };
    };
    retryRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run was retried before */
            200: components["responses"]["Started"];
            /** @description The new run */
            201: components["responses"]["Started"];
            default: components["responses"]["problem"];
        };
    };
    whyRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A sentence for people */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sentence": "Waits at 'pay' for the signal paid.",
                     *       "clauses": [
                     *         {
                     *           "code": "waits_signal",
                     *           "values": {
                     *             "step": "pay",
                     *             "signal": "paid"
                     *           }
                     *         }
                     *       ],
                     *       "what_helps": "send it: pawl runs signal 0196 paid",
                     *       "help": {
                     *         "code": "send_signal",
                     *         "values": {
                     *           "command": "pawl runs signal 0196 paid"
                     *         }
                     *       },
                     *       "places": [],
                     *       "place_clauses": []
                     *     }
                     */
                    "application/json": components["schemas"]["Why"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    rerunRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "from": "charge",
                 *       "data": {
                 *         "card": "new"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Default: the input of the old run
                     * @example {
                     *       "total": 89
                     *     }
                     */
                    data?: Record<string, unknown>;
                    /**
                     * @description The step to continue from; results before it are kept. Default: the first step,
                     *     with the workflow's current version
                     * @example charge
                     */
                    from?: string;
                    /**
                     * @description Continue `from` a step even in a retired version
                     * @default false
                     */
                    confirm?: boolean;
                };
            };
        };
        responses: {
            /** @description The new run */
            201: components["responses"]["Started"];
            default: components["responses"]["problem"];
        };
    };
    streamAll: {
        parameters: {
            query?: {
                /**
                 * @description Only events of runs of this workflow
                 * @example order
                 */
                workflow?: string;
            };
            header?: {
                /**
                 * @description Where to go on, after the stream was cut
                 * @example WyJ3YWl0Il0
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /**
                 * @description Only of this workflow
                 * @example order
                 */
                workflow?: string;
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of schedules */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": 4,
                     *           "workflow": "nightly_report",
                     *           "trigger": 0,
                     *           "cron": "0 3 * * *",
                     *           "timezone": "Asia/Bangkok",
                     *           "overlap": "skip",
                     *           "catch_up": "1h",
                     *           "jitter": "30s",
                     *           "input": {
                     *             "day": "yesterday"
                     *           },
                     *           "audience": null,
                     *           "local_time": null,
                     *           "status": "active",
                     *           "problem": null,
                     *           "paused_at": null,
                     *           "pause_reason": null,
                     *           "next_at": "2026-11-03T20:00:00Z",
                     *           "last_slot": "2026-11-02T20:00:00Z",
                     *           "last_run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *           "fired": 31,
                     *           "skipped": 0,
                     *           "missed": 1,
                     *           "backfill": null
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: components["responses"]["Schedule"];
            default: components["responses"]["problem"];
        };
    };
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "holidays"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Why; the list shows it
                     * @example the shop is closed
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The schedule */
            200: components["responses"]["Schedule"];
            default: components["responses"]["problem"];
        };
    };
    resumeSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: components["responses"]["Schedule"];
            default: components["responses"]["problem"];
        };
    };
    triggerSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /**
                     * @description Replaces the schedule's input
                     * @example {
                     *       "day": "today"
                     *     }
                     */
                    input?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description The run */
            201: components["responses"]["Started"];
            /** @description For an audience: the job that reads it and starts its runs */
            202: components["responses"]["Job"];
            default: components["responses"]["problem"];
        };
    };
    previewSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many */
            200: components["responses"]["AudiencePreview"];
            default: components["responses"]["problem"];
        };
    };
    previewAudience: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "tier = gold"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Who is meant
                     * @example select id as subject, first_name from customers where tier = 'gold'
                     */
                    query: string;
                };
            };
        };
        responses: {
            /** @description How many */
            200: components["responses"]["AudiencePreview"];
            default: components["responses"]["problem"];
        };
    };
    cancelBackfill: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: components["responses"]["Schedule"];
            default: components["responses"]["problem"];
        };
    };
    backfillSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the schedule
                 * @example 4
                 */
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-01-01T00:00:00Z",
                 *       "to": "2026-01-08T00:00:00Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description The first slot that is started
                     * @example 2026-10-01T00:00:00Z
                     */
                    from: string;
                    /**
                     * Format: date-time
                     * @description Default: now
                     * @example 2026-11-01T00:00:00Z
                     */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description The backfill has begun */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "slots": 31,
                     *       "schedule": {
                     *         "id": 4,
                     *         "workflow": "nightly_report",
                     *         "trigger": 0,
                     *         "cron": "0 3 * * *",
                     *         "timezone": "Asia/Bangkok",
                     *         "overlap": "skip",
                     *         "catch_up": "1h",
                     *         "jitter": "30s",
                     *         "input": {
                     *           "day": "yesterday"
                     *         },
                     *         "audience": null,
                     *         "local_time": null,
                     *         "status": "active",
                     *         "problem": null,
                     *         "paused_at": null,
                     *         "pause_reason": null,
                     *         "next_at": "2026-11-03T20:00:00Z",
                     *         "last_slot": "2026-11-02T20:00:00Z",
                     *         "last_run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *         "fired": 31,
                     *         "skipped": 0,
                     *         "missed": 1,
                     *         "backfill": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The number of slots in that time
                         * @example 31
                         */
                        slots: number;
                        schedule: components["schemas"]["Schedule"];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listNodeTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The node types */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "type": "wait",
                     *           "title": "Wait",
                     *           "description": "Waits for a while, until a time, or for an event",
                     *           "handles": [
                     *             "default",
                     *             "timeout"
                     *           ],
                     *           "schema": {
                     *             "required": [
                     *               "wait"
                     *             ]
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The types */
                        data: components["schemas"]["NodeType"][];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listActions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The actions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "award_points",
                     *           "params": [
                     *             "amount"
                     *           ],
                     *           "schema": {
                     *             "properties": {
                     *               "amount": {
                     *                 "type": "integer",
                     *                 "minimum": 1
                     *               }
                     *             }
                     *           },
                     *           "own": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The actions */
                        data: components["schemas"]["Action"][];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Pawl",
                     *         "version": "1"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": Record<string, unknown>;
                };
            };
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    livez: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Starting, draining, or something fails: the text says what */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metrics */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Session"];
            default: components["responses"]["problem"];
        };
    };
    switchSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tenant": "acme"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The name of the tenant
                     * @example default
                     */
                    tenant: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Session"];
            default: components["responses"]["problem"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "pawl_x7kq2abc_0000000000000000000000000000000000000000000"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description An API key
                     * @example pawl_x7kq2abc_9Qm4Vt2sLw8Zr5Yc
                     */
                    key?: string;
                    /**
                     * @description What a link of `pawl dev` has in its address; it can be used once
                     * @example 9Qm4Vt2sLw8Zr5Yc
                     */
                    ticket?: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Session"];
            default: components["responses"]["problem"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Ended"];
            default: components["responses"]["problem"];
        };
    };
    getSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "issuer": "https://login.example.com"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Whether there is one
                         * @example true
                         */
                        enabled: boolean;
                        /**
                         * @description Which one; null: none
                         * @example https://login.example.com
                         */
                        issuer: string | null;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    startSignIn: {
        parameters: {
            query?: {
                /**
                 * @description The path of the page to come back to, below the base path
                 * @example /runs?status=failed
                 */
                return?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the provider */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["problem"];
        };
    };
    finishSignIn: {
        parameters: {
            query?: {
                /**
                 * @description Of the provider
                 * @example SplxlOBeZQQYbYS6WxSbIA
                 */
                code?: string;
                /**
                 * @description As the start gave it to the provider
                 * @example u3Zk9Q1xTb7c
                 */
                state?: string;
                /**
                 * @description Why the provider refused
                 * @example access_denied
                 */
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in: to the page that the start named */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "17",
                     *           "current": true,
                     *           "tenant": "default",
                     *           "created_at": "2026-06-01T08:00:00Z",
                     *           "used_at": "2026-06-01T09:12:00Z",
                     *           "expires_at": "2026-06-01T17:12:00Z",
                     *           "peer": "192.0.2.7",
                     *           "agent": "Mozilla/5.0"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    deleteSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Ended"];
            default: components["responses"]["problem"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As `GET /v1/sessions` shows it
                 * @example 17
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Ended"];
            default: components["responses"]["problem"];
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /**
                 * @description Only tasks in this state; `overdue` timed out or soon will, `decided` is not open any more
                 * @example open
                 */
                state?: "open" | "approved" | "rejected" | "timed_out" | "withdrawn" | "overdue" | "decided";
                /**
                 * @description Only tasks of this person
                 * @example ann@example.com
                 */
                assignee?: string;
                /**
                 * @description Only tasks of this group
                 * @example refunds
                 */
                group?: string;
                /**
                 * @description Only tasks of this workflow
                 * @example order
                 */
                workflow?: string;
                /**
                 * @description Only tasks of this run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run?: string;
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tasks */
            200: components["responses"]["TaskList"];
            default: components["responses"]["problem"];
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52",
                     *       "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *       "workflow": "order",
                     *       "step": "approve",
                     *       "subject": "customer-42",
                     *       "state": "open",
                     *       "title": "Approve the refund of 99 EUR?",
                     *       "data": {
                     *         "total": 99
                     *       },
                     *       "assignee": "ann@example.com",
                     *       "approvals_needed": 1,
                     *       "due_at": "2026-11-04T09:00:00Z",
                     *       "opened_at": "2026-11-03T09:00:00Z",
                     *       "decided_at": null,
                     *       "decided_by": null,
                     *       "reason": null,
                     *       "audit": [
                     *         {
                     *           "at": "2026-11-03T09:00:00Z",
                     *           "action": "open",
                     *           "by": "pawl"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description What was done about it, in order */
                        audit: components["schemas"]["TaskDecision"][];
                    } & components["schemas"]["Task"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    claimTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "by": "ann"
                 *     }
                 */
                "application/json": components["schemas"]["ActOnTask"];
            };
        };
        responses: {
            /** @description The task */
            200: components["responses"]["Task"];
            default: components["responses"]["problem"];
        };
    };
    unclaimTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "by": "ann"
                 *     }
                 */
                "application/json": components["schemas"]["ActOnTask"];
            };
        };
        responses: {
            /** @description The task */
            200: components["responses"]["Task"];
            default: components["responses"]["problem"];
        };
    };
    delegateTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": "bob",
                 *       "by": "ann",
                 *       "reason": "on holiday"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Who is asked from now on
                     * @example bob@example.com
                     */
                    to: string;
                    /**
                     * @description Who delegates it
                     * @example ann@example.com
                     */
                    by?: string;
                    /**
                     * @description Why
                     * @example on holiday
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The task */
            200: components["responses"]["Task"];
            default: components["responses"]["problem"];
        };
    };
    approveTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "by": "ann",
                 *       "data": {
                 *         "amount": 5
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Who approves
                     * @example ann@example.com
                     */
                    by?: string;
                    /**
                     * @description Why
                     * @example the amount is right
                     */
                    reason?: string;
                    /**
                     * @description As edited; any JSON
                     * @example {
                     *       "total": 89
                     *     }
                     */
                    data?: unknown;
                };
            };
        };
        responses: {
            /** @description The task */
            200: components["responses"]["Task"];
            default: components["responses"]["problem"];
        };
    };
    rejectTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "by": "ann",
                 *       "reason": "too expensive"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Who rejects
                     * @example ann@example.com
                     */
                    by?: string;
                    /**
                     * @description Why
                     * @example the goods did not arrive
                     */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The task */
            200: components["responses"]["Task"];
            default: components["responses"]["problem"];
        };
    };
    linkTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "by": "ann",
                 *       "expires_in": "2d"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Who decides by the link
                     * @example ann@example.com
                     */
                    by: string;
                    /**
                     * @description Like `2d`
                     * @default 7d
                     */
                    expires_in?: string;
                };
            };
        };
        responses: {
            /** @description The link */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://pawl.example/v1/tasks/0197d3c8.../decide?token=k1.8Jm2",
                     *       "expires_at": "2026-11-04T09:00:00Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description The link; it goes to that person only
                         * @example https://pawl.example/v1/tasks/0197d3c8.../decide?token=k1.8Jm2
                         */
                        url: string;
                        /**
                         * Format: date-time
                         * @description Until when it works
                         * @example 2026-11-04T09:00:00Z
                         */
                        expires_at: string;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    showTaskLink: {
        parameters: {
            query: {
                /**
                 * @description What makes the link a proof
                 * @example k1.8Jm2
                 */
                token: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that asks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    decideByLink: {
        parameters: {
            query: {
                /**
                 * @description What makes the link a proof
                 * @example k1.8Jm2
                 */
                token: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the task
                 * @example 0197d3c8-6b1e-7f24-a3d9-4c8e0b7a1f52
                 */
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decision": "approve",
                 *       "reason": "the amount is right"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /**
                     * @description What is decided
                     * @enum {string}
                     */
                    decision?: "approve" | "reject";
                    /**
                     * @description Why
                     * @example the amount is right
                     */
                    reason?: string;
                    /**
                     * @description JSON
                     * @example {"total": 89}
                     */
                    data?: string;
                };
            };
        };
        responses: {
            /** @description Decided */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    approveRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "approved": true,
                 *       "by": "ann"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Required if several wait
                     * @example approve
                     */
                    step?: string;
                    /**
                     * @description False: it is rejected
                     * @default true
                     */
                    approved?: boolean;
                    /**
                     * @description Who decides
                     * @example ann@example.com
                     */
                    by?: string;
                    /**
                     * @description Why
                     * @example the amount is right
                     */
                    reason?: string;
                    /**
                     * @description As edited; any JSON
                     * @example {
                     *       "total": 89
                     *     }
                     */
                    payload?: unknown;
                };
            };
        };
        responses: {
            /** @description The task */
            200: components["responses"]["Task"];
            default: components["responses"]["problem"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "welcome",
                     *           "version": 2,
                     *           "category": "marketing",
                     *           "languages": [
                     *             "en",
                     *             "th"
                     *           ],
                     *           "created_at": "2026-11-03T09:00:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getTemplate: {
        parameters: {
            query?: {
                /**
                 * @description Default: the newest
                 * @example 2
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The name of a template
                 * @example welcome
                 */
                name: components["parameters"]["templateName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "welcome",
                     *       "version": 2,
                     *       "category": "marketing",
                     *       "languages": {
                     *         "en": {
                     *           "subject": "Welcome",
                     *           "text": "Hello {{ user.first_name }}"
                     *         }
                     *       },
                     *       "created_at": "2026-11-03T09:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    putTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a template
                 * @example welcome
                 */
                name: components["parameters"]["templateName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "category": "marketing",
                 *       "languages": {
                 *         "en": {
                 *           "subject": "Welcome",
                 *           "text": "Hello {{ user.first_name | default: \"you\" }}"
                 *         },
                 *         "th": {
                 *           "subject": "สวัสดี",
                 *           "text": "สวัสดี {{ user.first_name }}"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The same as in the address, so that a file of `pawl templates apply` can be sent
                     * @example welcome
                     */
                    name?: string;
                    /**
                     * @description `transactional` ignores unsubscribes and policies
                     * @default marketing
                     */
                    category?: string;
                    /** @description The content of each language */
                    languages: {
                        [key: string]: components["schemas"]["TemplateContent"];
                    };
                };
            };
        };
        responses: {
            /** @description Saved */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "welcome",
                     *       "version": 2,
                     *       "changed": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Name of the template
                         * @example welcome
                         */
                        name: string;
                        /**
                         * @description The newest version
                         * @example 2
                         */
                        version: number;
                        /**
                         * @description Whether this request added it
                         * @example true
                         */
                        changed: boolean;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of a template
                 * @example welcome
                 */
                name: components["parameters"]["templateName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "welcome",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Name of the template
                         * @example welcome
                         */
                        name: string;
                        /**
                         * @description Always true
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    previewTemplate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of a template
                 * @example welcome
                 */
                name: components["parameters"]["templateName"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "user": {
                 *         "first_name": "Ann"
                 *       },
                 *       "language": "th"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Default: the newest
                     * @example 2
                     */
                    version?: number;
                    /** @description Contents that are not saved yet */
                    languages?: {
                        [key: string]: components["schemas"]["TemplateContent"];
                    };
                    /**
                     * @description The key of a person
                     * @example customer-42
                     */
                    person?: string;
                    /**
                     * @description Data of the person
                     * @example {
                     *       "first_name": "Ann"
                     *     }
                     */
                    user?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Data of the event that starts the run
                     * @example {
                     *       "total": 99
                     *     }
                     */
                    trigger?: unknown;
                    /**
                     * @description Values that the step passes
                     * @example {
                     *       "code": "SUMMER"
                     *     }
                     */
                    with?: unknown;
                    /**
                     * @description Default: that of the person
                     * @example en
                     */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description What the person would get */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 2,
                     *       "language": "en",
                     *       "category": "marketing",
                     *       "content": {
                     *         "subject": "Welcome",
                     *         "text": "Hello Ann"
                     *       },
                     *       "sms": {
                     *         "encoding": "GSM7",
                     *         "parts": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TemplatePreview"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    sendTestMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of a template
                 * @example welcome
                 */
                name: components["parameters"]["templateName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel": "email",
                 *       "to": "me@shop.example",
                 *       "user": {
                 *         "first_name": "Ann"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The channel
                     * @example email
                     */
                    channel: string;
                    /**
                     * @description The address
                     * @example ann@example.com
                     */
                    to: string;
                    /**
                     * @description Default: the one that has an account for the channel
                     * @example sendgrid
                     */
                    connector?: string;
                    /**
                     * @description Default: the default one of the connector
                     * @example shop
                     */
                    account?: string;
                    /**
                     * @description Default: the newest
                     * @example 2
                     */
                    version?: number;
                    /**
                     * @description The key of a person
                     * @example customer-42
                     */
                    person?: string;
                    /**
                     * @description Data of the person
                     * @example {
                     *       "first_name": "Ann"
                     *     }
                     */
                    user?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Data of the event that starts the run
                     * @example {
                     *       "total": 99
                     *     }
                     */
                    trigger?: unknown;
                    /**
                     * @description Values that the step passes
                     * @example {
                     *       "code": "SUMMER"
                     *     }
                     */
                    with?: unknown;
                    /**
                     * @description Default: that of the person
                     * @example en
                     */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description What the provider answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "0197d3c9-1d70-7a85-b6e2-9f3c5a8d7e14",
                     *       "state": "sent",
                     *       "connector": "sendgrid",
                     *       "account": "shop",
                     *       "external_id": "14c5d75ce93.dfd.64b469",
                     *       "error": null,
                     *       "preview": {
                     *         "version": 2,
                     *         "language": "en",
                     *         "category": "marketing",
                     *         "content": {
                     *           "subject": "Welcome",
                     *           "text": "Hello Ann"
                     *         },
                     *         "sms": {
                     *           "encoding": "GSM7",
                     *           "parts": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TestMessage"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listTenants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenants */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": 2,
                     *           "name": "acme",
                     *           "created_at": "2026-06-01T08:00:00Z",
                     *           "open_runs_max": 100000,
                     *           "starts_per_second_max": 500,
                     *           "payload_bytes_max": 1000000
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["TenantList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "acme"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description What it is called, forever
                     * @example acme
                     */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The tenant, with its first key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 2,
                     *       "name": "acme",
                     *       "created_at": "2026-06-01T08:00:00Z",
                     *       "open_runs_max": 100000,
                     *       "starts_per_second_max": 500,
                     *       "payload_bytes_max": 1000000,
                     *       "key": "pawl_x7kq2abc_0000000000000000000000000000000000000000000"
                     *     }
                     */
                    "application/json": components["schemas"]["Tenant"] & {
                        /**
                         * @description An API key of the new tenant
                         * @example pawl_x7kq2abc_0000000000000000000000000000000000000000000
                         */
                        key: string;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    limitTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the tenant
                 * @example acme
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "open_runs_max": 100000,
                 *       "starts_per_second_max": 500
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Open runs at a time
                     * @example 100000
                     */
                    open_runs_max?: number | null;
                    /**
                     * @description Starts a second, for each server
                     * @example 500
                     */
                    starts_per_second_max?: number | null;
                    /**
                     * @description Bytes of the data of a run
                     * @example 1000000
                     */
                    payload_bytes_max?: number | null;
                };
            };
        };
        responses: {
            /** @description The tenant */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 2,
                     *       "name": "acme",
                     *       "created_at": "2026-06-01T08:00:00Z",
                     *       "open_runs_max": 100000,
                     *       "starts_per_second_max": 500,
                     *       "payload_bytes_max": 1000000
                     *     }
                     */
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    retireVersion: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
                /**
                 * @description A number, or a label such as `1.2.0`
                 * @example 3
                 */
                version: components["parameters"]["version"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "drain": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Move its open runs to the head
                     * @example true
                     */
                    drain?: boolean;
                };
            };
        };
        responses: {
            /** @description The version */
            200: components["responses"]["Workflow"];
            default: components["responses"]["problem"];
        };
    };
    unretireVersion: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
                /**
                 * @description A number, or a label such as `1.2.0`
                 * @example 3
                 */
                version: components["parameters"]["version"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version */
            200: components["responses"]["Workflow"];
            default: components["responses"]["problem"];
        };
    };
    setCanary: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "shares": [
                 *         {
                 *           "version": 4,
                 *           "share": 5
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Versions beside the head, with their shares; empty: none */
                    shares: components["schemas"]["VersionShare"][];
                };
            };
        };
        responses: {
            /** @description The workflow */
            200: components["responses"]["Workflow"];
            default: components["responses"]["problem"];
        };
    };
    switchWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "on": false,
                 *       "reason": "the provider is down"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description False: starts are refused, also of later versions
                     * @example false
                     */
                    on: boolean;
                    /**
                     * @description Why it is switched off; refused starts show it
                     * @example the shop is closed
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The workflow */
            200: components["responses"]["Workflow"];
            default: components["responses"]["problem"];
        };
    };
    listVersionChanges: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "at": "2026-11-03T09:00:00Z",
                     *           "action": "activated",
                     *           "version": 3,
                     *           "by": "ann@example.com"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["VersionChanges"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    diffVersions: {
        parameters: {
            query: {
                /**
                 * @description The older version
                 * @example 2
                 */
                from: string;
                /**
                 * @description The newer version
                 * @example 3
                 */
                to: string;
            };
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": 2,
                     *       "to": 3,
                     *       "diff": {
                     *         "nodes": {
                     *           "added": [
                     *             {
                     *               "id": "ship"
                     *             }
                     *           ],
                     *           "removed": [],
                     *           "changed": []
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VersionDiff"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    impactOfVersion: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": 5
                 *     }
                 */
                "application/json": components["schemas"]["Migrate"];
            };
        };
        responses: {
            /** @description The job */
            202: components["responses"]["Job"];
            default: components["responses"]["problem"];
        };
    };
    migrateRuns: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": 5,
                 *       "map": {
                 *         "charge": "charge_card"
                 *       }
                 *     }
                 */
                "application/json": {
                    to: components["schemas"]["VersionRef"];
                    /** @description Only runs of these versions. Default: all others */
                    from?: components["schemas"]["VersionRef"] | components["schemas"]["VersionRef"][];
                    /**
                     * @description Which node of the new version replaces which
                     * @example {
                     *       "charge": "charge_card"
                     *     }
                     */
                    map?: {
                        [key: string]: string;
                    };
                    exit?: components["schemas"]["ExitSteps"];
                    by?: components["schemas"]["ActingFor"];
                    filter?: components["schemas"]["RunConditions"];
                    /**
                     * @description Only so many runs, the oldest first
                     * @example 1000
                     */
                    limit?: number;
                    /**
                     * @description As /impact
                     * @example false
                     */
                    dry_run?: boolean;
                    /**
                     * @description Then retire the versions in `from`
                     * @example true
                     */
                    drain?: boolean;
                };
            };
        };
        responses: {
            /** @description The job */
            202: components["responses"]["Job"];
            default: components["responses"]["problem"];
        };
    };
    rollbackWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "to": 4
                 *     }
                 */
                "application/json": {
                    to?: components["schemas"]["VersionRef"];
                    /**
                     * @description Move open runs of the head back too
                     * @example true
                     */
                    repin?: boolean;
                    /**
                     * @description Which node replaces which
                     * @example {
                     *       "charge_card": "charge"
                     *     }
                     */
                    map?: {
                        [key: string]: string;
                    };
                    by?: components["schemas"]["ActingFor"];
                };
            };
        };
        responses: {
            /** @description The workflow */
            200: components["responses"]["Workflow"];
            /** @description The job that re-pins runs */
            202: components["responses"]["Job"];
            default: components["responses"]["problem"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All webhooks, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": 4,
                     *           "name": "shop",
                     *           "kind": "webhook",
                     *           "url": "https://shop.example/hooks/pawl",
                     *           "channel": null,
                     *           "queue": null,
                     *           "events": [
                     *             "run.*"
                     *           ],
                     *           "workflows": [
                     *             "order"
                     *           ],
                     *           "batch_max": 1,
                     *           "retries": [
                     *             5,
                     *             60,
                     *             3600
                     *           ],
                     *           "enabled": true,
                     *           "disabled_at": null,
                     *           "disabled_because": null,
                     *           "failures": 0,
                     *           "next_at": null,
                     *           "old_secret_until": null,
                     *           "waiting": 2,
                     *           "created_at": "2026-11-03T09:00:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "billing",
                 *       "url": "https://example.com/hook",
                 *       "events": [
                 *         "run.failed"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Its name
                     * @example shop
                     */
                    name?: string;
                    /**
                     * @description Where to send
                     * @example https://shop.example/hooks/pawl
                     */
                    url?: string;
                    /**
                     * @description Or a channel of the database
                     * @example pawl_runs
                     */
                    channel?: string;
                    /**
                     * @description Or a queue of the database
                     * @example run_events
                     */
                    queue?: string;
                    /**
                     * @description Types such as `run.failed`, `run.*` or `*`; default: all
                     * @example [
                     *       "run.failed"
                     *     ]
                     */
                    events?: string[];
                    /**
                     * @description Default: all
                     * @example [
                     *       "order"
                     *     ]
                     */
                    workflows?: string[];
                    /**
                     * @description Messages per request; more than one changes the body
                     * @default 1
                     */
                    batch_max?: number;
                    /**
                     * @description Seconds to wait after each failure; default: 5 s to 24 h
                     * @example [
                     *       5,
                     *       60,
                     *       3600
                     *     ]
                     */
                    retries?: number[];
                };
            };
        };
        responses: {
            /** @description The webhook, with its secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "name": "shop",
                     *       "kind": "webhook",
                     *       "url": "https://shop.example/hooks/pawl",
                     *       "channel": null,
                     *       "queue": null,
                     *       "events": [
                     *         "run.*"
                     *       ],
                     *       "workflows": [
                     *         "order"
                     *       ],
                     *       "batch_max": 1,
                     *       "retries": [
                     *         5,
                     *         60,
                     *         3600
                     *       ],
                     *       "enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_because": null,
                     *       "failures": 0,
                     *       "next_at": null,
                     *       "old_secret_until": null,
                     *       "waiting": 2,
                     *       "created_at": "2026-11-03T09:00:00Z",
                     *       "secret": "whsec_YSBrZXkgdGhhdCBvbmx5IHR3byBrbm93"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "name": "shop",
                     *       "kind": "webhook",
                     *       "url": "https://shop.example/hooks/pawl",
                     *       "channel": null,
                     *       "queue": null,
                     *       "events": [
                     *         "run.*"
                     *       ],
                     *       "workflows": [
                     *         "order"
                     *       ],
                     *       "batch_max": 1,
                     *       "retries": [
                     *         5,
                     *         60,
                     *         3600
                     *       ],
                     *       "enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_because": null,
                     *       "failures": 0,
                     *       "next_at": null,
                     *       "old_secret_until": null,
                     *       "waiting": 2,
                     *       "created_at": "2026-11-03T09:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Which one
                         * @example 4
                         */
                        id: number;
                        /**
                         * @description Always true
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    rotateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, with its new secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "name": "shop",
                     *       "kind": "webhook",
                     *       "url": "https://shop.example/hooks/pawl",
                     *       "channel": null,
                     *       "queue": null,
                     *       "events": [
                     *         "run.*"
                     *       ],
                     *       "workflows": [
                     *         "order"
                     *       ],
                     *       "batch_max": 1,
                     *       "retries": [
                     *         5,
                     *         60,
                     *         3600
                     *       ],
                     *       "enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_because": null,
                     *       "failures": 0,
                     *       "next_at": null,
                     *       "old_secret_until": null,
                     *       "waiting": 2,
                     *       "created_at": "2026-11-03T09:00:00Z",
                     *       "secret": "whsec_YSBrZXkgdGhhdCBvbmx5IHR3byBrbm93"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    enableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4,
                     *       "name": "shop",
                     *       "kind": "webhook",
                     *       "url": "https://shop.example/hooks/pawl",
                     *       "channel": null,
                     *       "queue": null,
                     *       "events": [
                     *         "run.*"
                     *       ],
                     *       "workflows": [
                     *         "order"
                     *       ],
                     *       "batch_max": 1,
                     *       "retries": [
                     *         5,
                     *         60,
                     *         3600
                     *       ],
                     *       "enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_because": null,
                     *       "failures": 0,
                     *       "next_at": null,
                     *       "old_secret_until": null,
                     *       "waiting": 2,
                     *       "created_at": "2026-11-03T09:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message is in the outbox; the deliveries show its outcome */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt_0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b_3",
                     *       "webhook": 4
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryRef"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Only messages in this state
                 * @example failed
                 */
                state?: "pending" | "in_flight" | "published" | "failed";
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b_3",
                     *           "webhook": 4,
                     *           "type": "run.failed",
                     *           "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *           "state": "published",
                     *           "attempts": 1,
                     *           "status": 200,
                     *           "response": "ok",
                     *           "error": null,
                     *           "next_at": null,
                     *           "created_at": "2026-11-03T09:00:00Z",
                     *           "finished_at": "2026-11-03T09:00:01Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
                /**
                 * @description The id of the message
                 * @example evt_01980000-0000-7000-8000-000000000000_4
                 */
                delivery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt_0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b_3",
                     *       "webhook": 4,
                     *       "type": "run.failed",
                     *       "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b",
                     *       "state": "published",
                     *       "attempts": 1,
                     *       "status": 200,
                     *       "response": "ok",
                     *       "error": null,
                     *       "next_at": null,
                     *       "created_at": "2026-11-03T09:00:00Z",
                     *       "finished_at": "2026-11-03T09:00:01Z",
                     *       "body": {
                     *         "type": "run.failed",
                     *         "timestamp": "2026-11-03T09:00:00Z",
                     *         "data": {
                     *           "run_id": "0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"] & {
                        /**
                         * @description What is sent; null: the run is gone
                         * @example {
                         *       "type": "run.completed",
                         *       "timestamp": "2026-06-01T08:00:00Z",
                         *       "data": {}
                         *     }
                         */
                        body: Record<string, unknown> | null;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the webhook
                 * @example 4
                 */
                id: components["parameters"]["webhookId"];
                /**
                 * @description The id of the message
                 * @example evt_0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b_3
                 */
                delivery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt_0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b_3",
                     *       "webhook": 4
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryRef"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    rejectRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "by": "ann",
                 *       "reason": "too expensive"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Who decides
                     * @example ann@example.com
                     */
                    by?: string;
                    /**
                     * @description Why
                     * @example the goods did not arrive
                     */
                    reason?: string;
                    /**
                     * @description Required if several wait
                     * @example approve
                     */
                    step?: string;
                    /**
                     * @description Not used
                     * @example {}
                     */
                    payload?: unknown;
                };
            };
        };
        responses: {
            /** @description The task */
            200: components["responses"]["Task"];
            default: components["responses"]["problem"];
        };
    };
    listWorkflowRuns: {
        parameters: {
            query?: {
                /**
                 * @description Only runs of this workflow
                 * @example order
                 */
                workflow_type?: string;
                /**
                 * @description Only runs with this status
                 * @example running
                 */
                status?: "running" | "paused" | "completed" | "failed" | "cancelled";
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs */
            200: components["responses"]["WorkflowRunList"];
            default: components["responses"]["problem"];
        };
    };
    startWorkflowRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workflow_type": "order"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The name of the workflow
                     * @example order
                     */
                    workflow_type: string;
                    /**
                     * @description At most one run of the workflow has it
                     * @example order-7
                     */
                    correlation_id?: string;
                    /**
                     * @description What or whom it is about
                     * @example customer-42
                     */
                    subject?: string;
                    /**
                     * @description Lower is sooner; a level is worth a minute of waiting
                     * @example 0
                     */
                    priority?: number;
                    /**
                     * @description A number or a label; default: the version that starts use now
                     * @example 3
                     */
                    workflow_version?: string | number;
                    /**
                     * @description The input
                     * @example {
                     *       "total": 99
                     *     }
                     */
                    payload?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description The run existed already */
            200: components["responses"]["WorkflowRun"];
            /** @description Started */
            201: components["responses"]["WorkflowRun"];
            default: components["responses"]["problem"];
        };
    };
    showWorkflowRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            200: components["responses"]["WorkflowRun"];
            default: components["responses"]["problem"];
        };
    };
    listWorkflowSteps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The steps */
            200: components["responses"]["WorkflowStepList"];
            default: components["responses"]["problem"];
        };
    };
    listStepLogs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the run
                 * @example 0197d3c4-8a51-7d0e-9c2a-5b6f1e2d3c4b
                 */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The logs */
            200: components["responses"]["StepLogList"];
            default: components["responses"]["problem"];
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workflows */
            200: components["responses"]["WorkflowList"];
            default: components["responses"]["problem"];
        };
    };
    applyWorkflow: {
        parameters: {
            query?: {
                /**
                 * @description Keep it as a version that nothing starts yet
                 * @example true
                 */
                draft?: boolean;
            };
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "hello",
                 *       "steps": [
                 *         {
                 *           "name": "greet",
                 *           "code": "echo"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Definition"];
                /**
                 * @example name: order
                 *     nodes:
                 *       - {id: charge, function: charge-card}
                 *     edges: []
                 */
                "application/yaml": string;
            };
        };
        responses: {
            /** @description It was already active */
            200: components["responses"]["Applied"];
            /** @description A new version */
            201: components["responses"]["Applied"];
            default: components["responses"]["problem"];
        };
    };
    validateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "hello",
                 *       "steps": [
                 *         {
                 *           "name": "greet",
                 *           "code": "echo"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": Record<string, unknown>;
                /**
                 * @example name: order
                 *     nodes:
                 *       - {id: charge, function: charge-card}
                 *     edges: []
                 */
                "application/yaml": string;
            };
        };
        responses: {
            /** @description The verdict */
            200: components["responses"]["Validation"];
            default: components["responses"]["problem"];
        };
    };
    getWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow */
            200: components["responses"]["Workflow"];
            default: components["responses"]["problem"];
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: {
                /**
                 * @description What to do if there are open runs: delete nothing, let them run to their end, or cancel them with a job
                 * @example finish
                 */
                open_runs?: "refuse" | "finish" | "cancel";
            };
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "order",
                     *       "version": 3,
                     *       "schedules": 1,
                     *       "events": 2,
                     *       "open_runs": 0,
                     *       "job": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedWorkflow"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listVersions: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: components["responses"]["VersionList"];
            default: components["responses"]["problem"];
        };
    };
    getVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
                /**
                 * @description A number, or a label such as `1.2.0`
                 * @example 3
                 */
                version: components["parameters"]["version"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version */
            200: components["responses"]["Workflow"];
            default: components["responses"]["problem"];
        };
    };
    activateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "version": 3
                 *     }
                 */
                "application/json": {
                    version?: components["schemas"]["VersionRef"];
                };
            };
        };
        responses: {
            /** @description The workflow */
            200: components["responses"]["Workflow"];
            default: components["responses"]["problem"];
        };
    };
    deactivateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow */
            200: components["responses"]["Workflow"];
            default: components["responses"]["problem"];
        };
    };
    runRatesByWorkflow: {
        parameters: {
            query?: {
                /**
                 * @description The beginning; without it: a day before `to`
                 * @example 2026-05-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description The end; without it: now
                 * @example 2026-05-02T00:00:00Z
                 */
                to?: string;
                /**
                 * @description How long the pieces are, at most 100 of them; without it they fit the range
                 * @example 1h
                 */
                step?: "1m" | "5m" | "1h" | "1d";
                /**
                 * @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow
                 * @example 50
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description `next_cursor` of the previous page
                 * @example WyJ3YWl0Il0
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workflows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "workflow": "welcome_series",
                     *           "open": 1017,
                     *           "started": 412,
                     *           "completed": 380,
                     *           "failed": 4,
                     *           "cancelled": 1,
                     *           "started_over_time": [
                     *             17
                     *           ],
                     *           "failed_over_time": [
                     *             0
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        /** @description The workflows, by name */
                        data: components["schemas"]["WorkflowRates"][];
                        /**
                         * @description Cursor of the next page
                         * @example null
                         */
                        next_cursor: string | null;
                        /**
                         * @description Whether there is a next page
                         * @example false
                         */
                        has_more: boolean;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getWorkflowText: {
        parameters: {
            query?: {
                /**
                 * @description A number or a label; without it: the active one
                 * @example 3
                 */
                version?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The definition */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listEventStarts: {
        parameters: {
            query?: {
                /**
                 * @description At most so many
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "event": {
                     *             "id": "evt-1001",
                     *             "name": "order.paid",
                     *             "key": "order-7",
                     *             "subject": "customer-42",
                     *             "source": "/shop",
                     *             "data": {
                     *               "total": 99
                     *             },
                     *             "at": "2026-11-03T09:00:00Z",
                     *             "state": "matched"
                     *           },
                     *           "started": false,
                     *           "run_id": null,
                     *           "reason": "filter",
                     *           "detail": "it is not what a trigger asks for: {\"amount\": {\"gt\": 100}}"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Newest first */
                        data: components["schemas"]["EventStart"][];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    getWorkflowTests: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test cases */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "welcome",
                     *       "text": "tests: [{name: greets}]\n",
                     *       "etag": "5d41402abc4b2a76b9719d911017c592",
                     *       "updated_at": "2026-05-01T08:00:00Z",
                     *       "updated_by": "ann"
                     *     }
                     */
                    "application/json": components["schemas"]["WorkflowTests"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    putWorkflowTests: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The etag of the draft that the caller saw, in quotes
                 * @example "5d41402abc4b2a76b9719d911017c592"
                 */
                "If-Match"?: components["parameters"]["ifMatch"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "tests:\n  - name: greets\n    input: {}\n"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description YAML or JSON
                     * @example tests:
                     *       - name: greets
                     *         input: {}
                     */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Saved, with the new etag */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "welcome",
                     *       "text": "tests: [{name: greets}]\n",
                     *       "etag": "5d41402abc4b2a76b9719d911017c592",
                     *       "updated_at": "2026-05-01T08:00:00Z",
                     *       "updated_by": "ann"
                     *     }
                     */
                    "application/json": components["schemas"]["WorkflowTests"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    deleteWorkflowTests: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The etag of the draft that the caller saw, in quotes
                 * @example "5d41402abc4b2a76b9719d911017c592"
                 */
                "If-Match"?: components["parameters"]["ifMatch"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "welcome",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Of which workflow
                         * @example welcome
                         */
                        name: string;
                        /**
                         * @description Always true
                         * @example true
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    runWorkflowTests: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Bare or quoted, at most 255 characters
                 * @example order-7-start
                 */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "only": "refund"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Cases to run instead of those that are kept, as YAML or JSON
                     * @example tests: [{name: greets}]
                     */
                    text?: string;
                    /**
                     * @description Of this version, a number or a label; without it: the active one
                     * @example 3
                     */
                    version?: number | string;
                    /**
                     * @description A definition to test instead of a version
                     * @example {
                     *       "name": "welcome",
                     *       "steps": [
                     *         {
                     *           "name": "greet",
                     *           "code": "echo"
                     *         }
                     *       ]
                     *     }
                     */
                    definition?: string | Record<string, unknown>;
                    /**
                     * @description Only cases with this in their name
                     * @example refund
                     */
                    only?: string;
                };
            };
        };
        responses: {
            /** @description What came of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "workflow": "welcome",
                     *       "version": 3,
                     *       "passed": 5,
                     *       "failed": 0,
                     *       "tests": [
                     *         {
                     *           "name": "greets",
                     *           "line": 2,
                     *           "passed": true,
                     *           "status": "completed",
                     *           "took": "3d",
                     *           "path": [
                     *             "greet"
                     *           ],
                     *           "mismatches": []
                     *         }
                     *       ],
                     *       "coverage": {
                     *         "nodes": [
                     *           {
                     *             "id": "greet",
                     *             "visits": 2
                     *           }
                     *         ],
                     *         "edges": [
                     *           {
                     *             "from": "greet",
                     *             "to": "wait_a_day",
                     *             "handle": "default",
                     *             "taken": 2
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TestedWorkflow"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    setWorkflowOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the workflow
                 * @example order
                 */
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "owner": "Team CRM"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Who; null: no one
                     * @example Team CRM
                     */
                    owner: string | null;
                };
            };
        };
        responses: {
            /** @description The workflow */
            200: components["responses"]["Workflow"];
            default: components["responses"]["problem"];
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
