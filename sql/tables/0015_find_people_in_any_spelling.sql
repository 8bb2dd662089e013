-- Lists of tasks compare names of people in any spelling: human_task_person (sql/once.sql) takes the place of this
-- index.
-- breaking: no

set local lock_timeout = '5s';

drop index pawl.human_task_assignee;
