-- Several rotations within the grace of the first: each earlier secret signs until its own time.
-- The newest first, each {sealed, until_ms}, in milliseconds since 1970.
alter table webhook_endpoints add column previous_secrets jsonb not null default '[]';

update webhook_endpoints
set previous_secrets = jsonb_build_array(jsonb_build_object(
  'sealed', previous_secret_sealed,
  'until_ms', (extract(epoch from previous_secret_until) * 1000)::bigint
))
where previous_secret_sealed is not null and previous_secret_until is not null;

alter table webhook_endpoints drop column previous_secret_sealed, drop column previous_secret_until;
