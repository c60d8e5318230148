-- A second wall behind the schemas of the API: types and lengths of what clients write, wide enough
-- for all that was ever accepted. Rows of a change set that was refreshed without the first wall are
-- put right before: otherwise nothing, the clock included, could change them any more.

create function is_line(value text, most integer) returns boolean
  language sql immutable
  return char_length(value) between 1 and most and value !~ '[\u0001-\u001f\u007f-\u009f]';

-- One call in a compiled language for each row: as plain expressions they made creations 8 % slower.
-- Null where a part is null and the others fit, which a check lets pass.
create function is_writable(name text, external_id text, notes text, labels text[], metadata jsonb)
  returns boolean
  language plpgsql immutable
as $$
begin
  return char_length(name) between 1 and 300 and name !~ '[\u0001-\u001f\u007f-\u009f]'
    and (external_id is null or char_length(external_id) between 1 and 128
      and external_id !~ '[\u0001-\u001f\u007f-\u009f]')
    and (notes is null or char_length(notes) <= 2000)
    and (labels = '{}' or cardinality(labels) <= 50 and array_position(labels, null) is null
      and char_length(array_to_string(labels, '')) <= 4000)
    and (metadata = '{}' or jsonb_typeof(metadata) = 'object'
      and octet_length(metadata::text) <= 262144
      and not jsonb_path_exists(metadata, 'strict $.keyvalue() ? (@.value.type() <> "string"
        || !(@.key like_regex "^[A-Za-z0-9_.-]{1,40}$"))', '{}', true));
end $$;

create function kept_line(value text, most integer) returns text
  language sql immutable
  return nullif(left(regexp_replace(value, '[\u0001-\u001f\u007f-\u009f]', '', 'g'), most), '');

create function kept_labels(value text[]) returns text[]
  language sql immutable
  return (
    select coalesce(array_agg(label order by at), '{}')
    from (
      select left(label, 80) as label, min(at) as at
      from unnest(value) with ordinality as l (label, at)
      where label <> ''
      group by left(label, 80)
      order by min(at)
      limit 50) as found);

create function kept_metadata(value jsonb) returns jsonb
  language sql immutable
  return (
    select coalesce(jsonb_object_agg(key, left(member #>> '{}', 500)), '{}')
    from (
      select key, member
      from jsonb_each(case jsonb_typeof(value) when 'object' then value else '{}' end)
        as m (key, member)
      where jsonb_typeof(member) = 'string' and key ~ '^[A-Za-z0-9_.-]{1,40}$'
      order by key
      limit 50) as found);

update campaigns set
  name = coalesce(kept_line(name, 255), id),
  name_folded = lower(coalesce(kept_line(name, 255), id) collate "default"),
  external_id = case when is_line(external_id, 128) then external_id end,
  labels = kept_labels(labels),
  metadata = kept_metadata(metadata),
  notes = left(notes, 2000)
where not is_writable(name, external_id, notes, labels, metadata);

update profiles set
  name = coalesce(kept_line(name, 255), id),
  name_folded = lower(coalesce(kept_line(name, 255), id) collate "default"),
  external_id = case when is_line(external_id, 128) then external_id end,
  account_ref = case when is_line(account_ref, 128) then account_ref end,
  client = kept_line(client, 255),
  country = case when country ~ '^[A-Z]{2}$' then country end,
  credential_ref = nullif(left(credential_ref, 255), ''),
  labels = kept_labels(labels),
  metadata = kept_metadata(metadata),
  notes = left(notes, 2000)
where not is_writable(name, external_id, notes, labels, metadata)
  or not is_line(account_ref, 128) or not is_line(client, 255) or country !~ '^[A-Z]{2}$'
  or not char_length(credential_ref) between 1 and 255;

update proxies set
  name = coalesce(kept_line(name, 300), id),
  name_folded = lower(coalesce(kept_line(name, 300), id) collate "default"),
  external_id = case when is_line(external_id, 128) then external_id end,
  country = case when country ~ '^[A-Z]{2}$' then country end,
  labels = kept_labels(labels),
  metadata = kept_metadata(metadata),
  notes = left(notes, 2000)
where not is_writable(name, external_id, notes, labels, metadata) or country !~ '^[A-Z]{2}$';

-- Names of templates are unique: one that is put right says which it is.
update templates set
  name = case when is_line(name, 255) then name else concat_ws(' ', kept_line(name, 200), id) end,
  name_folded = lower(case when is_line(name, 255) then name
    else concat_ws(' ', kept_line(name, 200), id) end collate "default"),
  external_id = case when is_line(external_id, 128) then external_id end,
  description = left(description, 2000),
  defaults = case when jsonb_typeof(defaults) = 'object' and octet_length(defaults::text) <= 262144
    then defaults else '{}' end,
  labels = kept_labels(labels),
  metadata = kept_metadata(metadata)
where not is_writable(name, external_id, description, labels, metadata)
  or jsonb_typeof(defaults) <> 'object' or octet_length(defaults::text) > 262144;

drop function kept_line, kept_labels, kept_metadata, is_line;

alter table campaigns
  add constraint campaigns_writable
    check (is_writable(name, external_id, notes, labels, metadata));
alter table profiles
  add constraint profiles_writable
    check (is_writable(name, external_id, notes, labels, metadata)),
  add constraint profiles_account_ref_fits check (char_length(account_ref) between 1 and 128),
  add constraint profiles_client_fits check (char_length(client) between 1 and 255),
  add constraint profiles_country_fits check (country ~ '^[A-Z]{2}$'),
  add constraint profiles_credential_ref_fits check (char_length(credential_ref) between 1 and 255);
alter table proxies
  add constraint proxies_writable
    check (is_writable(name, external_id, notes, labels, metadata)),
  add constraint proxies_country_fits check (country ~ '^[A-Z]{2}$');
alter table templates
  add constraint templates_writable
    check (is_writable(name, external_id, description, labels, metadata)),
  add constraint templates_defaults_fit
    check (jsonb_typeof(defaults) = 'object' and octet_length(defaults::text) <= 262144);
