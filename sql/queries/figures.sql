-- name: take_figures
select pawl.take_figures($1, $2)
