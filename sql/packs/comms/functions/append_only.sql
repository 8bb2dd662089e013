-- The facts of messages are never changed.
-- needs: packs/task_queue/functions/append_only

select internal.make_append_only(t.name::regclass)
  from unnest(array['comms.message', 'comms.email_message', 'comms.sms_message', 'comms.send_email_task',
                    'comms.send_email_task_scheduled', 'comms.send_email_task_failed',
                    'comms.send_email_task_succeeded', 'comms.send_sms_task', 'comms.send_sms_task_scheduled',
                    'comms.send_sms_task_failed', 'comms.send_sms_task_succeeded']) as t (name);
