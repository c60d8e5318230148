-- Who stands behind a key: its rights are at most this user's. A deleted user's id stays, so there is
-- no foreign key. Null: made by the command line.
alter table api_keys add column maker_id text collate "C";

-- Keys were once made by keys: the chain leads to a user, to the command line, or to a key that is gone.
with recursive behind (organization_id, id, maker_id) as (
  select organization_id, id, created_by from api_keys
  union all
  select b.organization_id, b.id, k.created_by
  from behind b
  join api_keys k on k.organization_id = b.organization_id and k.id = b.maker_id
)
update api_keys k set maker_id = b.maker_id
from behind b
where b.organization_id = k.organization_id and b.id = k.id and b.maker_id is not null
  and not exists (
    select from api_keys m where m.organization_id = b.organization_id and m.id = b.maker_id
  );
