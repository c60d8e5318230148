-- Names the issuer of tokens where no public URL is set: every process on the database has the same.
alter table master_key_proof
  add column installation_id text not null default gen_random_uuid()::text;
