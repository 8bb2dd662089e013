// Generated from src/api/openapi/*.yaml: npm run generate -w @pawl/client

export interface paths {
    "/v1/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The names of the credentials, without their secrets */
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
        /** Delete a secret; steps that use it fail from then on */
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
        /** Runs that gave up, newest first */
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
        /** Dead letters grouped by error, most frequent first */
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
        /** Replay all that match, as a job of the server; or some by their ids, at once */
        post: operations["replayDeadLetters"];
        delete?: never;
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
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Continue at the step that failed, as a new run */
        post: operations["replayDeadLetter"];
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
        /** Events that came from outside, newest first */
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
    "/v1/runs/{id}/signals": {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hold a run before its next step */
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
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Continue a paused run */
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
                /** @description From the header Pawl-Callback-Token of the call */
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
                /** @description From the header Pawl-Callback-Token of the call */
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
        /** workflow-enqueue: enqueue, status, health */
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
        /** workflow-orchestrator: process due work now */
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
        /** Process what is due for the organization of the key and report the result */
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
        /** Jobs of the servers, newest first */
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
                id: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        /** A job and its progress */
        get: operations["getJob"];
        put?: never;
        post?: never;
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
    "/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Limits that apply to runs now, and limits that were set, by name */
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
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs, newest first */
        get: operations["listRuns"];
        put?: never;
        /**
         * Start a run
         * @description The input is checked first; the answer names everything that is missing. A run that was
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
    "/v1/runs/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start up to 1,000 runs, all or none */
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
         * @description `cancel`, `pause`, `resume`, `signal` and `skip` are for open runs, `retry` for failed and
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
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        /** A run */
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
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        /** The log of a run, oldest first */
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
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        /** The steps of a run with their attempts */
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
                /** @description Continue after this event */
                "Last-Event-ID"?: string;
            };
            path: {
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
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask a run to stop */
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
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Continue at the step that failed, as a new run */
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
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        /** Why a run does not move, and what would move it */
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
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start again from the first step, with the same input or an edited one */
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
        /** The cron triggers of all workflows, oldest first */
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
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        /** A schedule and its next slots */
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
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start runs again, from the next slot on */
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
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a run now, independent of the clock */
        post: operations["triggerSchedule"];
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
        /** The types of steps, each with a JSON Schema */
        get: operations["listNodeTypes"];
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
        /** This document */
        get: operations["getOpenApi"];
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
        /** Whether the process is alive */
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
        /** Whether the process can work */
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
    "/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tasks of people, newest first */
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
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        /** A task with its audit */
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
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Claim a task, so that others cannot decide it */
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
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Release a claimed task */
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
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delegate a task to another person */
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
                token: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        /** The page behind a link */
        get: operations["showTaskLink"];
        put?: never;
        /** Decide on the page behind a link */
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
                run: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve the step of a run that waits for a person */
        post: operations["approveRun"];
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
                name: components["parameters"]["workflowName"];
                /** @description A number, or a label such as `1.2.0` */
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
                name: components["parameters"]["workflowName"];
                /** @description A number, or a label such as `1.2.0` */
                version: components["parameters"]["version"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unretire a version; activate it to start runs with it */
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
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /** Changes to the versions of a workflow, newest first */
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
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /** The differences between two versions */
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
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check what a version would mean for every open run; changes nothing
         * @description A job whose `counts` say how many runs are `unaffected`, `moves_on` and `would_break`, with
         *     examples of the last that name the step and the reason.
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
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move open runs to another version
         * @description Runs that would break are left as they are and become examples of the job. The others move
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
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Activate the version that was the head before */
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
        /** The webhooks, without their secrets */
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
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        /** A webhook and its state */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** Delete a webhook; undelivered messages are dropped */
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
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a new secret; for 24 hours the old one signs too */
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
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enable a webhook that was disabled, or that is left alone because it failed */
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
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message of the type webhook.test */
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
                id: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        /** Deliveries, newest first */
        get: operations["listDeliveries"];
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
                id: components["parameters"]["webhookId"];
                delivery: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message again, with the same webhook-id */
        post: operations["redeliver"];
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
        /** Runs, newest first */
        get: operations["listWorkflowRuns"];
        put?: never;
        /** Start a run */
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
                run: string;
            };
            cookie?: never;
        };
        /** A run with its steps */
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
                run: string;
            };
            cookie?: never;
        };
        /** The steps that a run has reached */
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
                run: string;
            };
            cookie?: never;
        };
        /** What happened to the steps of a run */
        get: operations["listStepLogs"];
        put?: never;
        post?: never;
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
                run: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject the step of a run that waits for a person */
        post: operations["rejectRun"];
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
        /** All workflows, by name */
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
        /** Check a definition without changing anything */
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
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /** A workflow and its active definition */
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
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        /** The versions of a workflow, newest first */
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
                name: components["parameters"]["workflowName"];
                /** @description A number, or a label such as `1.2.0` */
                version: components["parameters"]["version"];
            };
            cookie?: never;
        };
        /** One version with its definition */
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
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a workflow active again, or activate another version */
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
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuse new runs; open runs continue */
        post: operations["deactivateWorkflow"];
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
        Credential: {
            name: string;
            /** @description The key it was encrypted with */
            key_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CredentialList: {
            data: components["schemas"]["Credential"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        DeadLetter: {
            /** Format: uuid */
            run_id: string;
            workflow: string;
            version: number;
            step?: string | null;
            error: components["schemas"]["RunError"];
            fingerprint: string;
            /** Format: date-time */
            at: string;
            /** Format: uuid */
            replayed_as?: string | null;
            /** Format: date-time */
            replayed_at?: string | null;
        };
        DeadLetterList: {
            data?: components["schemas"]["DeadLetter"][];
        } & components["schemas"]["Page"];
        DeadLetterGroup: {
            fingerprint: string;
            workflow: string;
            step?: string | null;
            message: string;
            count: number;
            /** Format: date-time */
            first_at: string;
            /** Format: date-time */
            last_at: string;
            /** Format: uuid */
            sample_run_id: string;
        };
        ReplayRuns: {
            runs: string[];
        };
        Replayed: {
            data: {
                /** Format: uuid */
                run_id: string;
                /**
                 * Format: uuid
                 * @description Null if this is not a failed or cancelled run
                 */
                replayed_as: string | null;
            }[];
        };
        /** @description All conditions must hold; at least one, or `all` */
        ReplayFilter: {
            all?: boolean;
            workflow?: string;
            step?: string;
            fingerprint?: string;
        };
        PublishEvent: {
            /** @description An id is accepted once; default: a new one */
            id?: string;
            name: string;
            /** @description What or whom it is about; default: the subject */
            key?: string;
            /** @description The subject of runs that it starts */
            subject?: string;
            /** @description Any JSON */
            data?: unknown;
        };
        CloudEvent: {
            /** @constant */
            specversion: "1.0";
            id: string;
            source: string;
            type: string;
            subject?: string;
            /** Format: date-time */
            time?: string;
            partitionkey?: string;
            /** @description Any JSON */
            data?: unknown;
            data_base64?: string;
        };
        Published: {
            id: string;
            /** @description True: it was published before and is ignored */
            duplicate: boolean;
        };
        OutsideEvent: {
            id: string;
            name: string;
            key?: string | null;
            subject?: string | null;
            source?: string | null;
            /**
             * Format: date-time
             * @description When it happened, according to its sender
             */
            time?: string | null;
            data?: unknown;
            /**
             * Format: date-time
             * @description When it arrived
             */
            at: string;
            /** @enum {string} */
            state: "pending" | "matched";
            /** @description Why it could not start a workflow */
            problem?: string | null;
        };
        OutsideEventList: {
            data?: components["schemas"]["OutsideEvent"][];
        } & components["schemas"]["Page"];
        JobList: {
            data?: components["schemas"]["Job"][];
        } & components["schemas"]["Page"];
        LimitList: {
            data?: components["schemas"]["Limit"][];
        } & components["schemas"]["Page"];
        Limit: {
            /** @enum {string} */
            scope: "workflow" | "tenant" | "global";
            workflow: string | null;
            name: string;
            /** @description Null: the only one, or every key */
            key: string | null;
            /** @description The limit that applies now */
            limit: number;
            /** @description From the definition; null if it applies to no run now */
            defined: number | null;
            /** @description The override */
            set: number | null;
            /** @description Runs that have begun and not ended; with `while_waiting: free`, those that do not wait */
            running: number;
            waiting: number;
        };
        ScheduleList: {
            data?: components["schemas"]["Schedule"][];
        } & components["schemas"]["Page"];
        Schedule: {
            id: number;
            workflow: string;
            /** @description Which of the definition's triggers, from 0 */
            trigger: number;
            cron: string;
            timezone: string;
            /** @enum {string} */
            overlap: "skip" | "allow" | "queue";
            /** @description A slot that is later than this is left out: `1h` */
            catch_up: string;
            /** @description Runs start up to this much later: `30s` */
            jitter: string;
            input: unknown;
            /**
             * @description `inactive`: the workflow is inactive. `failing`: see `problem`
             * @enum {string}
             */
            status: "active" | "paused" | "failing" | "inactive";
            /** @description Why the last slot could not fire */
            problem: string | null;
            /** Format: date-time */
            paused_at: string | null;
            pause_reason: string | null;
            /**
             * Format: date-time
             * @description The next slot; null for a second after a change, and while paused
             */
            next_at: string | null;
            /** Format: date-time */
            last_slot: string | null;
            /** Format: uuid */
            last_run_id: string | null;
            /** @description Number of started runs */
            fired: number;
            /** @description Slots left out because a run was open */
            skipped: number;
            /** @description Slots left out because no worker was running in time, or the run could not be started */
            missed: number;
            backfill: null | {
                /** Format: date-time */
                next_at: string;
                /** Format: date-time */
                to: string;
            };
            upcoming?: string[];
            /** @description Of its last slots, newest first; only for a single schedule */
            last_runs?: components["schemas"]["Run"][];
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description Stable, for programs: `validation_failed`, `not_found`, ... */
            code: string;
            errors?: {
                /** @description JSON pointer into the request body */
                pointer?: string;
                /** @description A query parameter or header */
                parameter?: string;
                detail: string;
            }[];
            /** @description With `not_awaited`: the signals that the run waits for */
            waits_for?: string[];
            request_id?: string;
        };
        /** @description A workflow; docs/definition.md has all fields */
        Definition: {
            name: string;
            description?: string;
            steps?: Record<string, unknown>[];
        };
        Workflow: {
            name: string;
            version: number;
            /** @description Its semantic version, such as `1.2.0` */
            label?: string | null;
            /** @description False: it cannot be started */
            active: boolean;
            /** @description Nothing starts it until it is activated */
            draft?: boolean;
            /** Format: date-time */
            retired_at?: string | null;
            /** @description Versions that are active beside the head, with their shares of the starts */
            canary?: components["schemas"]["VersionShare"][];
            /** @description Why the workflow is switched off */
            switched_off?: string | null;
            /** @description In lists of versions */
            open_runs?: number;
            /**
             * Format: date-time
             * @description When this version was created
             */
            created_at: string;
            definition: Record<string, unknown>;
        };
        /** @description A version, by its number or its label */
        VersionRef: number | string;
        VersionShare: {
            version: components["schemas"]["VersionRef"];
            /** @description Percent of the starts */
            share: number;
        };
        Migrate: {
            to: components["schemas"]["VersionRef"];
            /** @description Only runs of these versions. Default: all others */
            from?: components["schemas"]["VersionRef"] | components["schemas"]["VersionRef"][];
            /** @description For each renamed step, the id of the step that replaces it */
            map?: {
                [key: string]: string;
            };
            filter?: components["schemas"]["RunConditions"];
            limit?: number;
        };
        WorkflowList: {
            data?: components["schemas"]["Workflow"][];
        } & components["schemas"]["Page"];
        VersionList: {
            data?: components["schemas"]["Workflow"][];
        } & components["schemas"]["Page"];
        Applied: {
            name: string;
            version: number;
            changed: boolean;
        };
        Validation: {
            valid: boolean;
            errors: {
                pointer?: string;
                line?: number;
                detail: string;
            }[];
        };
        StartRun: {
            workflow: string;
            version?: components["schemas"]["VersionRef"];
            /** @default {} */
            data?: Record<string, unknown>;
            /** @description At most one run of the workflow has it */
            correlation_id?: string;
            /** @description What or whom the run is about */
            subject?: string;
            /**
             * @description Lower is sooner
             * @default 0
             */
            priority?: number;
            /** Format: date-time */
            start_at?: string;
            /** @description Like `5m`; not together with start_at */
            delay?: string;
        };
        Started: {
            /** Format: uuid */
            id: string;
            workflow: string;
            version: number;
            /** @description False: this run existed already */
            created: boolean;
            /** @description For a rerun: steps before `from` that were undone and are not done again */
            released?: string[];
        };
        /** @enum {string} */
        RunStatus: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
        RunError: {
            message: string;
            code?: string;
            class?: string;
            step?: string;
            /** @description What the run did and could not undo; a retry continues with that */
            not_undone?: {
                step: string;
                /** @description The step that should undo it */
                by: string;
                /** @description The item of a foreach */
                index?: number;
                error: components["schemas"]["RunError"];
            }[];
            /** @description What child runs did and could not undo; they are dead letters themselves */
            children_not_undone?: {
                /** @description The child run */
                run: string;
                step: string;
                /** @description The step that should undo it */
                by: string;
                /** @description The item of a foreach */
                index?: number;
                error: components["schemas"]["RunError"];
            }[];
        };
        Run: {
            /** Format: uuid */
            id: string;
            workflow: string;
            version: number;
            status: components["schemas"]["RunStatus"];
            subject?: string | null;
            correlation_id?: string | null;
            triggered_by?: string | null;
            priority?: number;
            /**
             * Format: uuid
             * @description The run that retries this one
             */
            retried_as?: string | null;
            /**
             * Format: uuid
             * @description The run that this one retries or repeats
             */
            parent?: string | null;
            /** @description With `wait`; false: the run existed already */
            created?: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            closed_at?: string | null;
            /**
             * Format: date-time
             * @description When it continues
             */
            due_at?: string | null;
            /** @description The input of the run */
            input?: unknown;
            /** @description Of a completed run */
            output?: unknown;
            error?: components["schemas"]["RunError"] | null;
        };
        RunList: {
            data?: components["schemas"]["Run"][];
        } & components["schemas"]["Page"];
        Event: {
            seq: number;
            /** @enum {string} */
            type: "run_started" | "step_completed" | "step_failed" | "wait_started" | "run_completed" | "run_failed" | "run_cancelled" | "node_passed" | "routed" | "joined" | "signal_received" | "wait_noted" | "run_paused" | "run_resumed" | "compensation_started" | "items_listed" | "step_skipped" | "planned" | "run_repinned" | "run_held" | "run_stopping" | "items_reopened";
            /** Format: date-time */
            at: string;
            step?: string;
            attempt?: number;
            /** @description The branch of the run */
            branch?: number;
            /** @description The number of the visit to the step */
            visit?: number;
            /** @description The item of the foreach, counted from 0; for nested ones, the outermost first */
            item?: number[];
            data?: unknown;
            error?: components["schemas"]["RunError"];
        };
        EventList: {
            data?: components["schemas"]["Event"][];
        } & components["schemas"]["Page"];
        Step: {
            step: string;
            type: string;
            /**
             * @description Skipped: by a person, or the run took another path
             * @enum {string}
             */
            status: "pending" | "running" | "retrying" | "waiting" | "completed" | "failed" | "cancelled" | "skipped";
            result?: unknown;
            error?: components["schemas"]["RunError"];
            /** Format: date-time */
            next_attempt_at?: string;
            /** @description Who skipped it */
            skipped?: {
                by: string;
                reason: string;
            };
            attempts: {
                attempt: number;
                /** @enum {string} */
                outcome: "completed" | "failed";
                /**
                 * Format: date-time
                 * @description When it ended
                 */
                at: string;
                branch?: number;
                visit?: number;
                item?: number[];
                error?: components["schemas"]["RunError"];
            }[];
        };
        Job: {
            /** Format: uuid */
            id: string;
            kind: string;
            /** @enum {string} */
            status: "queued" | "running" | "done" | "failed" | "cancelled";
            total: number;
            done: number;
            failed: number;
            /** @description Why the job as a whole could not continue; who cancelled it */
            error?: string | null;
            /** @description The action of a bulk job */
            action?: string;
            /** @description For a migration: it only reports what it would do */
            dry_run?: boolean;
            /** @description The workflow of the runs; null: all */
            workflow?: string | null;
            /** @description A few of the runs that are counted in `failed` */
            examples?: {
                /** Format: uuid */
                run: string;
                problem: string;
                /** @description At which step */
                node?: string;
            }[];
            /** @description Results of the job; for a migration unaffected, moves_on, would_break */
            counts?: {
                [key: string]: number;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /**
         * @description The person for whom the caller acts; it is logged. Default: the name of the key. A token
         *     names its own person.
         */
        ActingFor: string;
        BulkRuns: {
            /** @enum {string} */
            action: "cancel" | "pause" | "resume" | "signal" | "skip" | "retry" | "rerun";
            filter?: components["schemas"]["RunConditions"];
            /** @description Act on all runs without a condition */
            all?: boolean;
            /** @description Only report what would be done */
            dry_run?: boolean;
            /**
             * @description Nothing is done if more runs match
             * @default 100000
             */
            limit?: number;
            /** @description For cancel, pause and skip */
            reason?: string;
            /** @description Of a signal */
            name?: string;
            /** @description Of a signal */
            data?: unknown;
            /** @description The step to skip */
            node?: string;
            /** @description The result of the skipped step */
            value?: unknown;
            by?: components["schemas"]["ActingFor"];
        };
        /** @description As in `GET /v1/runs`. Without a status, all runs that the action applies to */
        RunConditions: {
            workflow?: string;
            status?: string | components["schemas"]["RunStatus"][];
            subject?: string;
            correlation_id?: string;
            /** Format: date-time */
            created_after?: string;
            /** Format: date-time */
            created_before?: string;
        };
        BulkPreview: {
            dry_run: boolean;
            action: string;
            total: number;
            /** @description False: there may be more */
            complete: boolean;
            /** @description The newest of them */
            sample: string[];
        };
        NodeType: {
            type: string;
            title: string;
            description: string;
            /** @description The handles of such a node */
            handles?: string[];
            example?: Record<string, unknown>;
            /** @description JSON Schema 2020-12 of a step of this type */
            schema: Record<string, unknown>;
        };
        FunctionCall: {
            action: string;
            payload?: unknown;
        };
        FunctionAnswer: {
            success: boolean;
            data?: unknown;
            error?: string;
        };
        OrganizationResults: {
            success: boolean;
            /** Format: uuid */
            correlationId: string;
            results: {
                [key: string]: {
                    messagesProcessed: number;
                    succeeded: number;
                    failed: number;
                    dlqRouted: number;
                    errors: string[];
                };
            };
        };
        OrganizationFailure: {
            error: string;
            /** @enum {unknown} */
            category: "AUTH" | "CAPACITY" | "RUNTIME" | "VALIDATION";
            /** Format: uuid */
            correlationId: string;
            status: number;
        };
        Page: {
            data: unknown[];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @enum {string} */
        TaskState: "open" | "approved" | "rejected" | "timed_out" | "withdrawn";
        ActOnTask: {
            /** @description The person; a token always acts for its own person */
            by?: string;
            reason?: string;
        };
        Task: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            run_id: string;
            workflow: string;
            step: string;
            subject?: string | null;
            state: components["schemas"]["TaskState"];
            title: string;
            description?: string | null;
            /** @description The data to decide on; any JSON */
            data?: unknown;
            /** @description A JSON Schema of the approved data, or null */
            form?: unknown;
            assignee?: string | null;
            group?: string | null;
            approvers?: string[];
            approvals_needed?: number;
            approved_by?: string[];
            rejections_needed?: number;
            rejected_by?: string[];
            /** @description People who may not decide it */
            excluded?: string[];
            /** @description The person who decides alone since the task was escalated */
            escalated_to?: string | null;
            claimed_by?: string | null;
            /** Format: date-time */
            due_at?: string | null;
            /** Format: date-time */
            opened_at: string;
            /** Format: date-time */
            decided_at?: string | null;
            decided_by?: string | null;
            reason?: string | null;
        };
        TaskList: {
            data?: components["schemas"]["Task"][];
        } & components["schemas"]["Page"];
        TaskDecision: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            action: "open" | "claim" | "unclaim" | "delegate" | "edit" | "approve" | "reject" | "remind" | "escalate" | "close";
            /** @description The person; `pawl` for automatic actions */
            by: string;
            reason?: string | null;
            /** @description The edited data, or the new assignee */
            data?: unknown;
        };
        VersionChanges: {
            data: {
                /** Format: date-time */
                at: string;
                action: string;
                version: number;
                detail?: Record<string, unknown> | null;
            }[];
        };
        VersionDiff: {
            from: number;
            to: number;
            diff: Record<string, unknown>;
        };
        Webhook: {
            id: number;
            name: string;
            /** @enum {string} */
            kind: "webhook" | "notify" | "queue";
            url: string | null;
            channel: string | null;
            queue: string | null;
            events: string[];
            workflows: string[] | null;
            batch_max: number;
            retries: number[] | null;
            enabled: boolean;
            /** Format: date-time */
            disabled_at: string | null;
            disabled_because: string | null;
            /** @description In a row, of whole batches */
            failures: number;
            /**
             * Format: date-time
             * @description The webhook failed and is left alone until then
             */
            next_at: string | null;
            /** Format: date-time */
            old_secret_until: string | null;
            /** @description Messages not delivered yet; counted up to 10000 */
            waiting: number;
            /** Format: date-time */
            created_at: string;
            /** @description whsec_...; only if it was just created */
            secret?: string;
        };
        WebhookList: {
            data: components["schemas"]["Webhook"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        Delivery: {
            /** @description The webhook-id */
            id: string;
            webhook: number;
            type: string;
            run_id: string | null;
            /** @enum {string} */
            state: "pending" | "in_flight" | "published" | "failed";
            attempts: number;
            /** @description Of the last answer */
            status: number | null;
            /** @description The beginning of the last answer */
            response: string | null;
            error: string | null;
            /** Format: date-time */
            next_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        DeliveryList: {
            data: components["schemas"]["Delivery"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        DeliveryRef: {
            id: string;
            webhook: number;
        };
        WorkflowRun: {
            /** Format: uuid */
            id: string;
            workflow_type: string;
            workflow_version: string;
            /** @enum {string} */
            status: "running" | "paused" | "completed" | "failed" | "cancelled";
            /** @description The data that its steps see */
            payload: Record<string, unknown>;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            steps?: components["schemas"]["WorkflowStep"][];
        };
        WorkflowRunList: {
            data: components["schemas"]["WorkflowRun"][];
        } & WithRequired<components["schemas"]["Page"], "data">;
        WorkflowStep: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            run_id: string;
            step_name: string;
            seq: number;
            /** @enum {string} */
            status: "pending" | "in_progress" | "completed" | "failed" | "waiting" | "cancelled";
            /** @description As the definition has it */
            input?: unknown;
            result?: unknown;
            attempts: number;
            max_attempts: number | null;
            /** Format: date-time */
            next_attempt_at?: string | null;
            /** @description The worker that executes it */
            lock_owner?: string | null;
            idempotency_key?: string | null;
            error?: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            claimed_at?: string | null;
            /** Format: date-time */
            last_heartbeat?: string | null;
            priority?: number;
        };
        WorkflowStepList: {
            data: components["schemas"]["WorkflowStep"][];
        };
        StepLog: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            step_id: string;
            /** @enum {string} */
            level: "info" | "warn" | "error";
            message: string;
            meta: Record<string, unknown>;
            /** Format: date-time */
            created_at: string;
            /** @description Its place in the log of the run */
            seq?: number;
        };
        StepLogList: {
            data: components["schemas"]["StepLog"][];
        };
        DeletedWorkflow: {
            name: string;
            /** @description The version that was active */
            version: number;
            /** @description The number of schedules deleted with it */
            schedules: number;
            /** @description The number of event triggers deleted with it */
            events: number;
            /** @description The number of runs still open */
            open_runs: number;
            /** @description The job that cancels them */
            job: null | components["schemas"]["Job"];
        };
    };
    responses: {
        /** @description The answer */
        OutsideEventList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OutsideEventList"];
            };
        };
        /** @description What went wrong */
        problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The answer */
        Applied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Applied"];
            };
        };
        /** @description The answer */
        DeadLetterList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DeadLetterList"];
            };
        };
        /** @description The answer */
        EventList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EventList"];
            };
        };
        /** @description The answer */
        FunctionAnswer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FunctionAnswer"];
            };
        };
        /** @description The answer */
        Job: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Job"];
            };
        };
        /** @description The answer */
        OrganizationFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OrganizationFailure"];
            };
        };
        /** @description The answer */
        OrganizationResults: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OrganizationResults"];
            };
        };
        /** @description The answer */
        Run: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Run"];
            };
        };
        /** @description The answer */
        RunList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunList"];
            };
        };
        /** @description The answer */
        Started: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Started"];
            };
        };
        /** @description The answer */
        Validation: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Validation"];
            };
        };
        /** @description The answer */
        VersionList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["VersionList"];
            };
        };
        /** @description The answer */
        Workflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Workflow"];
            };
        };
        /** @description The answer */
        WorkflowList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowList"];
            };
        };
        /** @description The answer */
        Schedule: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Schedule"];
            };
        };
        /** @description The answer */
        Task: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Task"];
            };
        };
        /** @description The answer */
        TaskList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TaskList"];
            };
        };
        /** @description The answer */
        WorkflowRun: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowRun"];
            };
        };
        /** @description The answer */
        WorkflowRunList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowRunList"];
            };
        };
        /** @description The answer */
        WorkflowStepList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowStepList"];
            };
        };
        /** @description The answer */
        StepLogList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StepLogList"];
            };
        };
    };
    parameters: {
        jobId: string;
        /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
        limit: number;
        /** @description `next_cursor` of the previous page */
        cursor: string;
        workflowName: string;
        runId: string;
        /** @description Bare or quoted, at most 255 characters */
        idempotencyKey: string;
        scheduleId: number;
        taskId: string;
        /** @description A number, or a label such as `1.2.0` */
        version: string;
        webhookId: number;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
                    "application/json": {
                        name: string;
                        /** @constant */
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
                workflow?: string;
                step?: string;
                fingerprint?: string;
                /** @description Default: those not replayed yet */
                replayed?: boolean;
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
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
                    "application/json": {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Replayed"];
                };
            };
            /** @description The job */
            202: components["responses"]["Job"];
            default: components["responses"]["problem"];
        };
    };
    replayDeadLetter: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
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
    listInbox: {
        parameters: {
            query?: {
                name?: string;
                key?: string;
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishEvent"] | components["schemas"]["PublishEvent"][] | unknown;
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
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
                    "application/json": components["schemas"]["Published"] | {
                        data: components["schemas"]["Published"][];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    signalRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description Any JSON */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id of the step */
                    node: string;
                    /** @description Kept in the log, with who asked */
                    reason: string;
                    /** @description The result of the step; default: null */
                    value?: unknown;
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id of the step */
                    node: string;
                    /** @enum {string} */
                    as: "completed" | "failed" | "retry";
                    /** @description Why it failed, or must be retried */
                    reason?: string;
                    /** @description The result of a completed step; default: null */
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
                /** @description From the header Pawl-Callback-Token of the call */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @default completed
                     * @enum {string}
                     */
                    status?: "completed" | "failed";
                    /** @description The result of the step; any JSON */
                    data?: unknown;
                    error?: {
                        code?: string;
                        message?: string;
                        /** @default false */
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
                    "application/json": {
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
                /** @description From the header Pawl-Callback-Token of the call */
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
                    "application/json": {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                status?: "queued" | "running" | "done" | "failed" | "cancelled";
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
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
    listLimits: {
        parameters: {
            query?: {
                /** @description Only of this workflow */
                workflow?: string;
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Default: a limit that all workflows share (scope tenant) */
                    workflow?: string;
                    /** @description As in the definition, or else `concurrency` or `rate` */
                    name: string;
                    /** @description Default: every key */
                    key?: string;
                    /** @description Null: the definition's limit applies again */
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
                    "application/json": {
                        workflow: string | null;
                        name: string;
                        key: string | null;
                        limit: number | null;
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                workflow?: string;
                /** @description One or more, separated by commas */
                status?: string;
                subject?: string;
                correlation_id?: string;
                created_after?: string;
                created_before?: string;
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
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
                /** @description How long to wait for the end, like `30s`; 60s at most */
                wait?: string;
            };
            header?: {
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
    startRuns: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
                    "application/json": {
                        data: components["schemas"]["Started"][];
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
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
                    "application/json": {
                        data: components["schemas"]["Step"][];
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
                /** @description Continue after this event */
                "Last-Event-ID"?: string;
            };
            path: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
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
                    "application/json": {
                        sentence: string;
                        /** @description Empty if nothing needs to be done */
                        what_helps: string;
                        /** @description One sentence per branch, if there are several */
                        places: string[];
                    };
                };
            };
            default: components["responses"]["problem"];
        };
    };
    rerunRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: the input of the old run */
                    data?: Record<string, unknown>;
                    /**
                     * @description The step to continue from; results before it are kept. Default: the first step,
                     *     with the workflow's current version
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
                workflow?: string;
            };
            header?: {
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
                /** @description Only of this workflow */
                workflow?: string;
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Replaces the schedule's input */
                    input?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description The run */
            201: components["responses"]["Started"];
            default: components["responses"]["problem"];
        };
    };
    cancelBackfill: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["scheduleId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    from: string;
                    /**
                     * Format: date-time
                     * @description Default: now
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
                    "application/json": {
                        /** @description The number of slots in that time */
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
                    "application/json": {
                        data: components["schemas"]["NodeType"][];
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
                    "application/json": Record<string, unknown>;
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
    listTasks: {
        parameters: {
            query?: {
                state?: components["schemas"]["TaskState"];
                assignee?: string;
                group?: string;
                workflow?: string;
                run?: string;
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
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
                    "application/json": {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    to: string;
                    by?: string;
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    by?: string;
                    reason?: string;
                    /** @description As edited; any JSON */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    by?: string;
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
                    "application/json": {
                        url: string;
                        /** Format: date-time */
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
                token: string;
            };
            header?: never;
            path: {
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
                token: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @enum {string} */
                    decision?: "approve" | "reject";
                    reason?: string;
                    /** @description JSON */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required if several wait */
                    step?: string;
                    /** @default true */
                    approved?: boolean;
                    by?: string;
                    reason?: string;
                    /** @description As edited; any JSON */
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
    retireVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                name: components["parameters"]["workflowName"];
                /** @description A number, or a label such as `1.2.0` */
                version: components["parameters"]["version"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                name: components["parameters"]["workflowName"];
                /** @description A number, or a label such as `1.2.0` */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    on: boolean;
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
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
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
                    "application/json": components["schemas"]["VersionChanges"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    diffVersions: {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            header?: never;
            path: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    to: components["schemas"]["VersionRef"];
                    /** @description Only runs of these versions. Default: all others */
                    from?: components["schemas"]["VersionRef"] | components["schemas"]["VersionRef"][];
                    map?: {
                        [key: string]: string;
                    };
                    by?: components["schemas"]["ActingFor"];
                    filter?: components["schemas"]["RunConditions"];
                    limit?: number;
                    /** @description As /impact */
                    dry_run?: boolean;
                    /** @description Then retire the versions in `from` */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    to?: components["schemas"]["VersionRef"];
                    /** @description Move open runs of the head back too */
                    repin?: boolean;
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    url?: string;
                    channel?: string;
                    queue?: string;
                    /** @description Types such as `run.failed`, `run.*` or `*`; default: all */
                    events?: string[];
                    /** @description Default: all */
                    workflows?: string[];
                    /**
                     * @description Messages per request; more than one changes the body
                     * @default 1
                     */
                    batch_max?: number;
                    /** @description Seconds to wait after each failure; default: 5 s to 24 h */
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
                    "application/json": {
                        id: number;
                        /** @constant */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
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
                    "application/json": components["schemas"]["DeliveryRef"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                state?: "pending" | "in_flight" | "published" | "failed";
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
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
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["webhookId"];
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
                    "application/json": components["schemas"]["DeliveryRef"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listWorkflowRuns: {
        parameters: {
            query?: {
                workflow_type?: string;
                status?: "running" | "paused" | "completed" | "failed" | "cancelled";
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workflow_type: string;
                    /** @description A number or a label; default: the version that starts use now */
                    workflow_version?: string | number;
                    /** @description The input */
                    payload?: Record<string, unknown>;
                    correlation_id?: string;
                    subject?: string;
                    priority?: number;
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
    rejectRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required if several wait */
                    step?: string;
                    by?: string;
                    reason?: string;
                    /** @description Not used */
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
    listWorkflows: {
        parameters: {
            query?: {
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
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
                draft?: boolean;
            };
            header?: {
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Definition"];
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, unknown>;
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
                /** @description What to do if there are open runs: delete nothing, let them run to their end, or cancel them with a job */
                open_runs?: "refuse" | "finish" | "cancel";
            };
            header?: never;
            path: {
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
                    "application/json": components["schemas"]["DeletedWorkflow"];
                };
            };
            default: components["responses"]["problem"];
        };
    };
    listVersions: {
        parameters: {
            query?: {
                /** @description The maximum number of entries. A page of long entries has fewer; `has_more` says that more follow */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the previous page */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
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
                name: components["parameters"]["workflowName"];
                /** @description A number, or a label such as `1.2.0` */
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                name: components["parameters"]["workflowName"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                /** @description Bare or quoted, at most 255 characters */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
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
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
