-- name: answer_callback
select answer_callback from pawl.answer_callback($1, $2, $3, $4, $5, $6)

-- name: purge_callbacks
delete from pawl.callback_use u
 where u.ctid = any (array(
       select o.ctid
         from pawl.callback_use o
        where o.expires_at <= now()
        order by o.expires_at
        limit $1
          for update skip locked
   ))
