-- Networks (IPv4 /24, IPv6 /48) that users logged in from within 30 days: other networks are slowed down
-- first when somebody guesses an account's password from many.
create table login_networks (
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  network text collate "C" not null,
  last_login_at timestamptz not null,
  constraint login_networks_pkey primary key (organization_id, user_id, network),
  constraint login_networks_user_fkey foreign key (organization_id, user_id)
    references users (organization_id, id) on delete cascade
);

-- For the purge.
create index login_networks_by_last_login on login_networks (last_login_at);

-- What sessions tell of the time before. Other spellings of addresses are known from the next login on.
insert into login_networks (organization_id, user_id, network, last_login_at)
select organization_id, user_id,
  network(set_masklen(ip::inet, case family(ip::inet) when 4 then 24 else 48 end))::text,
  max(created_at)
from sessions
where ip ~ '^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\.(?!$)|$)){4}$'
group by 1, 2, 3;
