-- name: take_figures
select pawl.take_figures($1, $2)

-- name: overview
select pawl.overview($1, $2)

-- name: overview_of_service
select pawl.overview_of_service($1)
