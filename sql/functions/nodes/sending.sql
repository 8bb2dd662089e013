-- What is wrong with nodes that send something: messages, requests, actions. As src/model reads them.
-- needs: functions/nodes/fields

-- What is wrong with the content of a message, as far as it can be known before it is sent; null: nothing. Receivers of
-- one's own, by webhook, may take what they like.
create or replace function pawl.content_problem(p_config jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    if p_config ->> 'channel' = 'webhook' then
        return null;
    elsif not p_config ? 'template' and not exists (
        select 1 from jsonb_each(p_config) as m
         where m.key in ('text', 'subject', 'html', 'messages', 'title', 'body', 'data')
           and m.value not in ('null', '{}') and btrim(m.value #>> '{}', E' \t\r\n') <> ''
    ) then
        return 'says nothing: give a template, or text, html, messages or another content';
    end if;
    return (
    select case when m.key = 'messages' then 'messages: must be a list of at least one'
                when m.key = 'data' then 'data: must be a map of names and texts'
                else m.key || ': must be text' end
      from jsonb_each(p_config) as m
     where m.value <> 'null' and not pawl.is_template(m.value)
       and case when m.key = 'messages' then jsonb_typeof(m.value) <> 'array' or m.value = '[]'
                when m.key = 'data' then jsonb_typeof(m.value) <> 'object'
                else m.key in ('text', 'subject', 'html', 'title', 'body')
                     and jsonb_typeof(m.value) in ('array', 'object') end
     order by m.key
     limit 1
    );
end
$$;

-- What is wrong with the config of a message; null: nothing.
create or replace function pawl.message_problem(p_config jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select coalesce(
        pawl.fields_problem(p_config, array[
            array['channel', 'one of line, sms, email, push, webhook',
                  'must say how it is sent: line, sms, email, push, webhook'],
            array['connector', 'name', null], array['account', 'name', null], array['template', 'name', null],
            array['text', 'any', null], array['subject', 'any', null], array['html', 'any', null],
            array['messages', 'any', null], array['title', 'any', null], array['body', 'any', null],
            array['data', 'any', null], array['category', 'one of marketing, transactional', null],
            array['track', 'flag', null], array['to', 'text', null], array['with', 'any', null]]),
        case when p_config -> 'connector' = '""' then 'connector: must name a connector'
             when p_config -> 'account' = '""' then 'account: must name an account of the connector'
             when p_config -> 'template' = '""' then 'template: must name a message template'
             when c.says and p_config ? 'template'
             then 'has a template and a content of its own: keep one of them'
             when not c.says and not p_config ? 'template'
             then 'says nothing: give a template, or text, html, messages or another content' end,
        pawl.content_problem(p_config))
      from (select p_config ?| '{text,subject,html,messages,title,body,data}' as says) as c
    );
end
$$;

-- What is wrong with the headers of a request; null: nothing.
create or replace function pawl.headers_problem(p_headers jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when jsonb_typeof(p_headers) <> 'object' or jsonb_path_exists(p_headers, 'strict $.* ? (@.type() != "string")')
             or p_headers ? '' then 'headers: must be a map of names to text'
        when p_headers is not null then (
            select format('headers: %s %s', h.key, case lower(h.key)
                       when 'host' then 'cannot be set by hand: write the host into the url'
                       else 'cannot be set by hand: it belongs to the connection' end)
              from jsonb_object_keys(p_headers) as h (key)
             where lower(h.key) = any ('{host,connection,content-length,expect,http2-settings,keep-alive,te,trailer,'
                                       'transfer-encoding,upgrade}') or lower(h.key) like 'proxy-%'
             order by h.key
             limit 1
        ) end
    );
end
$$;

-- What is wrong with the address of a request; null: nothing.
create or replace function pawl.url_problem(p_url jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when jsonb_typeof(p_url) <> 'string' then 'must be text'
        when coalesce(u.url, '') = '' then 'must be the address to call'
        when pawl.template_problem(p_url) is not null then pawl.template_problem(p_url)
        when u.url ~ '^[^:/?#\\]*:/' and u.url !~ '^[^:/?#\\]*://([^/]|$)'
        then 'must have two slashes behind its scheme, as in https://example.com'
        when not case when u.written ~ '^https?://' then length(u.url) > length(substring(u.written from '^https?://'))
                      else strpos(u.url, '{{') > 0
                           and (starts_with('https://', u.written) or starts_with('http://', u.written))
                 end
        then 'must begin with https:// or http://' end
      from (
          select p_url #>> '{}' as url, lower(split_part(p_url #>> '{}', '{{', 1)) as written
      ) as u
    );
end
$$;

-- What is wrong with the config of a request; null: nothing.
create or replace function pawl.request_problem(p_config jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select coalesce(
        pawl.fields_problem(p_config, array[
            array['method', 'any', null], array['url', 'any', null], array['headers', 'any', null],
            array['body', 'any', null], array['expect_status', 'any', null], array['follow_redirects', 'flag', null],
            array['callback', 'flag', null], array['heartbeat', 'duration', null]]),
        'url: ' || pawl.url_problem(coalesce(p_config -> 'url', '""')),
        case when p_config ? 'method' and (
                      jsonb_typeof(p_config -> 'method') <> 'string'
                      or upper(p_config ->> 'method') <> all ('{GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS}'))
             then 'method: must be one of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS' end,
        pawl.headers_problem(nullif(p_config -> 'headers', 'null')),
        case when exists (
                 select 1 from jsonb_array_elements(case jsonb_typeof(p_config -> 'expect_status')
                     when 'array' then p_config -> 'expect_status'
                     else jsonb_build_array(p_config -> 'expect_status') end) as s (status)
                  where pawl.number_problem(true, s.status, '{100,599}') is not null
             ) and p_config -> 'expect_status' <> 'null' or p_config -> 'expect_status' = '[]'
             then 'expect_status: must be an HTTP status or a list of them'
             when pawl.is_template(p_config -> 'heartbeat') or pawl.duration_seconds(p_config -> 'heartbeat') = 0
             then 'heartbeat: must be a duration such as "30s", longer than zero'
             when p_config ? 'heartbeat' and not p_config ? 'callback'
             then 'heartbeat: only a step with callback: true has one' end)
    );
end
$$;

-- What is wrong with the config of an action; null: nothing.
create or replace function pawl.action_problem(p_config jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select coalesce(
        pawl.fields_problem(p_config, array[array['action', 'name', 'must name a registered action'],
                                            array['params', 'any', null]]),
        case when p_config -> 'params' <> 'null' and jsonb_typeof(p_config -> 'params') <> 'object'
                  and not pawl.is_template(p_config -> 'params')
             then 'params: must be a map of names and values' end)
    );
end
$$;
