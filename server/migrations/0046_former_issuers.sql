-- In whose name tokens are issued, and since when: those that were issued before under another name
-- are valid to their end.
alter table installation add column issuer text, add column issuer_since timestamptz;
