-- The migrated schema. Made by "npm run generate": do not edit.

CREATE TABLE account_links (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  kind text collate "C" NOT NULL,
  subject_id text collate "C" NOT NULL,
  secret_hash text collate "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT account_links_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT account_links_kind_known CHECK ((kind = ANY (ARRAY['invitation'::text, 'password_reset'::text]))),
  CONSTRAINT account_links_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

CREATE TABLE api_keys (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  role text NOT NULL,
  key_hash text collate "C" NOT NULL,
  key_hint text NOT NULL,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  maker_id text collate "C",
  name_folded text collate "C" NOT NULL,
  plain_name_folded text collate "C",
  scope jsonb,
  agent jsonb,
  stopped_at timestamp with time zone,
  stopped_by text,
  stop_reason text,
  refusals jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT api_keys_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT api_keys_hash_key UNIQUE (organization_id, key_hash),
  CONSTRAINT api_keys_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT api_keys_role_known CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'viewer'::text, 'auditor'::text, 'reporter'::text, 'connector'::text, 'provisioner'::text])))
);

CREATE TABLE audit_anchors (
  organization_id text collate "C" NOT NULL,
  sequence bigint NOT NULL,
  hash text NOT NULL,
  pruned_at timestamp with time zone NOT NULL,
  seal text NOT NULL,
  sealed_under integer GENERATED ALWAYS AS (sealed_under(seal)) STORED,
  CONSTRAINT audit_anchors_pkey PRIMARY KEY (organization_id),
  CONSTRAINT audit_anchors_hash_form CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT audit_anchors_master_key_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(id),
  CONSTRAINT audit_anchors_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

CREATE TABLE audit_checkpoints (
  organization_id text collate "C" NOT NULL,
  sequence bigint NOT NULL,
  id text collate "C" GENERATED ALWAYS AS ((sequence)::text) STORED NOT NULL,
  head_hash text NOT NULL,
  signed_at timestamp with time zone NOT NULL,
  key_id text NOT NULL,
  signature text NOT NULL,
  CONSTRAINT audit_checkpoints_pkey PRIMARY KEY (organization_id, sequence),
  CONSTRAINT audit_checkpoints_hash_form CHECK ((head_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT audit_checkpoints_sequence_positive CHECK ((sequence > 0))
);

CREATE TABLE audit_logs (
  organization_id text collate "C" NOT NULL,
  sequence bigint NOT NULL,
  id text collate "C" NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  action text NOT NULL,
  outcome text NOT NULL,
  actor jsonb NOT NULL,
  resource jsonb NOT NULL,
  changes jsonb NOT NULL,
  reason text,
  request jsonb,
  prev_hash text NOT NULL,
  hash text NOT NULL,
  stored_on date NOT NULL,
  change_set_id text,
  CONSTRAINT audit_logs_pkey PRIMARY KEY (organization_id, sequence, stored_on),
  CONSTRAINT audit_logs_outcome_known CHECK ((outcome = ANY (ARRAY['success'::text, 'denied'::text, 'failed'::text])))
) PARTITION BY RANGE (stored_on);

CREATE TABLE audit_verifications (
  organization_id text collate "C" NOT NULL,
  due_at timestamp with time zone NOT NULL,
  verified_at timestamp with time zone NOT NULL,
  sequence bigint NOT NULL,
  broken_at bigint,
  CONSTRAINT audit_verifications_pkey PRIMARY KEY (organization_id),
  CONSTRAINT audit_verifications_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

CREATE UNLOGGED TABLE audited_name_states (
  organization_id text collate "C" NOT NULL,
  through bigint NOT NULL,
  CONSTRAINT audited_name_states_pkey PRIMARY KEY (organization_id)
);

CREATE UNLOGGED TABLE audited_names (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  keys integer[] NOT NULL,
  CONSTRAINT audited_names_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE campaign_counts (
  organization_id text collate "C" NOT NULL,
  profile_id text collate "C" NOT NULL,
  status text collate "C" NOT NULL,
  objective text collate "C" NOT NULL,
  currency text collate "C" NOT NULL,
  campaigns integer NOT NULL,
  CONSTRAINT campaign_counts_pkey PRIMARY KEY (organization_id, profile_id, status, objective, currency),
  CONSTRAINT campaign_counts_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

CREATE TABLE campaign_metrics (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  metric_window text collate "C" NOT NULL,
  spend double precision NOT NULL,
  impressions double precision,
  clicks double precision,
  conversions double precision,
  ctr double precision,
  cpc double precision,
  cpm double precision,
  cpa double precision,
  roas double precision,
  CONSTRAINT campaign_metrics_pkey PRIMARY KEY (organization_id, id, metric_window),
  CONSTRAINT campaign_metrics_campaign_fkey FOREIGN KEY (organization_id, id) REFERENCES campaigns(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT campaign_metrics_window_known CHECK ((metric_window = ANY (ARRAY['7d'::text, '14d'::text, '30d'::text, 'this_month'::text, 'last_month'::text])))
);

CREATE TABLE campaign_pacing (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  profile_id text collate "C" NOT NULL,
  campaign_status text NOT NULL,
  currency text NOT NULL,
  currency_exponent smallint NOT NULL,
  status text,
  money_at_risk bigint,
  spent_minor bigint,
  figures json,
  plan json,
  plan_key text,
  reported_at timestamp with time zone,
  due_at timestamp with time zone NOT NULL,
  revision integer NOT NULL,
  spent_days json,
  capped_minor bigint,
  planned_from date,
  planned_minors bigint[],
  planned_version integer,
  begins_on date,
  CONSTRAINT campaign_pacing_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT campaign_pacing_campaign_fkey FOREIGN KEY (organization_id, id) REFERENCES campaigns(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT campaign_pacing_campaign_status_known CHECK ((campaign_status = ANY (ARRAY['draft'::text, 'pending_review'::text, 'scheduled'::text, 'active'::text, 'paused'::text, 'completed'::text, 'archived'::text]))),
  CONSTRAINT campaign_pacing_status_known CHECK ((status = ANY (ARRAY['not_running'::text, 'no_data'::text, 'exhausted'::text, 'stale'::text, 'low_confidence'::text, 'critical'::text, 'over'::text, 'under'::text, 'on_track'::text])))
);

CREATE TABLE campaign_performance (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  status text,
  performance_index double precision,
  target jsonb,
  due_at timestamp with time zone,
  revision integer NOT NULL,
  CONSTRAINT campaign_performance_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT campaign_performance_campaign_fkey FOREIGN KEY (organization_id, id) REFERENCES campaigns(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT campaign_performance_status_known CHECK ((status = ANY (ARRAY['on_target'::text, 'off_target'::text, 'low_data'::text, 'no_data'::text])))
);

CREATE UNLOGGED TABLE campaign_search (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  keys integer[] NOT NULL,
  CONSTRAINT campaign_search_pkey PRIMARY KEY (organization_id, id)
);

CREATE UNLOGGED TABLE campaign_search_states (
  organization_id text collate "C" NOT NULL,
  through bigint NOT NULL,
  built_to text collate "C",
  CONSTRAINT campaign_search_states_pkey PRIMARY KEY (organization_id)
);

CREATE UNLOGGED TABLE campaign_words (
  organization_id text collate "C" NOT NULL,
  word text collate "C" NOT NULL,
  keys integer[] NOT NULL,
  CONSTRAINT campaign_words_pkey PRIMARY KEY (organization_id, word)
);

CREATE TABLE campaigns (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  objective text NOT NULL,
  profile_id text collate "C" NOT NULL,
  status text NOT NULL,
  status_reason text,
  status_before_archive text,
  daily_budget_minor bigint,
  lifetime_budget_minor bigint,
  currency text NOT NULL,
  currency_exponent smallint NOT NULL,
  start_at timestamp with time zone,
  end_at timestamp with time zone,
  time_zone text NOT NULL,
  external_id text,
  labels text[] NOT NULL,
  metadata jsonb NOT NULL,
  notes text,
  template_id text collate "C",
  template_version integer,
  locked_fields text[] DEFAULT '{}'::text[] NOT NULL,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  launched_at timestamp with time zone,
  completed_at timestamp with time zone,
  archived_at timestamp with time zone,
  created_by text,
  updated_by text,
  schedule jsonb,
  review jsonb,
  approved jsonb,
  daily_cost_minor bigint,
  overridden jsonb,
  name_folded text collate "C" NOT NULL,
  plain_name_folded text collate "C",
  status_change jsonb,
  deployment jsonb,
  target jsonb,
  CONSTRAINT campaigns_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT campaigns_archived_once CHECK (((status = 'archived'::text) = (archived_at IS NOT NULL))),
  CONSTRAINT campaigns_daily_budget_positive CHECK ((daily_budget_minor > 0)),
  CONSTRAINT campaigns_end_after_start CHECK ((end_at > start_at)),
  CONSTRAINT campaigns_has_budget CHECK (((daily_budget_minor IS NOT NULL) OR (lifetime_budget_minor IS NOT NULL))),
  CONSTRAINT campaigns_lifetime_at_least_daily CHECK ((lifetime_budget_minor >= daily_budget_minor)),
  CONSTRAINT campaigns_lifetime_budget_positive CHECK ((lifetime_budget_minor > 0)),
  CONSTRAINT campaigns_objective_known CHECK ((objective = ANY (ARRAY['awareness'::text, 'reach'::text, 'traffic'::text, 'engagement'::text, 'video_views'::text, 'leads'::text, 'app_promotion'::text, 'conversions'::text, 'sales'::text]))),
  CONSTRAINT campaigns_profile_fkey FOREIGN KEY (organization_id, profile_id) REFERENCES profiles(organization_id, id),
  CONSTRAINT campaigns_review_pending CHECK (((status = 'pending_review'::text) = ((review IS NOT NULL) AND ((review ->> 'state'::text) = 'pending'::text)))),
  CONSTRAINT campaigns_running_has_cost CHECK (((status <> ALL (ARRAY['scheduled'::text, 'active'::text])) OR (daily_cost_minor IS NOT NULL))),
  CONSTRAINT campaigns_schedule_not_empty CHECK (((jsonb_typeof(schedule) = 'array'::text) AND (schedule <> '[]'::jsonb))),
  CONSTRAINT campaigns_status_before_archive_known CHECK ((status_before_archive = ANY (ARRAY['draft'::text, 'pending_review'::text, 'scheduled'::text, 'active'::text, 'paused'::text, 'completed'::text, 'archived'::text]))),
  CONSTRAINT campaigns_status_known CHECK ((status = ANY (ARRAY['draft'::text, 'pending_review'::text, 'scheduled'::text, 'active'::text, 'paused'::text, 'completed'::text, 'archived'::text]))),
  CONSTRAINT campaigns_writable CHECK (is_writable(name, external_id, notes, labels, metadata))
);

CREATE TABLE change_set_operations (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  change_set_id text collate "C" NOT NULL,
  index integer NOT NULL,
  resource text NOT NULL,
  op text NOT NULL,
  action text,
  ref text,
  object_id text collate "C",
  target text,
  version_given integer,
  body text,
  body_sealed text,
  sealed_under integer GENERATED ALWAYS AS (sealed_under(body_sealed)) STORED,
  effect text NOT NULL,
  name text,
  version_seen integer,
  changes jsonb NOT NULL,
  warnings jsonb NOT NULL,
  problem jsonb,
  result jsonb,
  network_check jsonb,
  CONSTRAINT change_set_operations_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT change_set_operations_change_set_fkey FOREIGN KEY (organization_id, change_set_id) REFERENCES change_sets(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT change_set_operations_effect_known CHECK ((effect = ANY (ARRAY['create'::text, 'update'::text, 'action'::text, 'delete'::text, 'unchanged'::text, 'failed'::text]))),
  CONSTRAINT change_set_operations_master_key_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(id),
  CONSTRAINT change_set_operations_op_known CHECK ((op = ANY (ARRAY['create'::text, 'update'::text, 'action'::text, 'delete'::text]))),
  CONSTRAINT change_set_operations_resource_known CHECK ((resource = ANY (ARRAY['campaign'::text, 'client'::text, 'profile'::text, 'proxy'::text, 'template'::text])))
);

CREATE TABLE change_sets (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  title text collate "C" NOT NULL,
  description text,
  source_kind text NOT NULL,
  source_reference text,
  mode text NOT NULL,
  status text NOT NULL,
  operation_count integer NOT NULL,
  summary jsonb NOT NULL,
  spend_delta jsonb NOT NULL,
  approval_required boolean NOT NULL,
  approval_reasons text[] NOT NULL,
  applicable boolean NOT NULL,
  tried_at timestamp with time zone NOT NULL,
  expires_in_hours integer NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  apply_at timestamp with time zone,
  revert_at timestamp with time zone,
  timed_by text,
  approved_by text,
  approved_at timestamp with time zone,
  rejected_by text,
  rejected_reason text,
  applied_by text,
  applied_at timestamp with time zone,
  reverted_at timestamp with time zone,
  failure jsonb,
  ended_at timestamp with time zone,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  envelope_use jsonb,
  CONSTRAINT change_sets_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT change_sets_mode_known CHECK ((mode = ANY (ARRAY['atomic'::text, 'partial'::text]))),
  CONSTRAINT change_sets_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT change_sets_source_known CHECK ((source_kind = ANY (ARRAY['console'::text, 'cli'::text, 'agent'::text, 'api'::text]))),
  CONSTRAINT change_sets_status_known CHECK ((status = ANY (ARRAY['open'::text, 'approved'::text, 'rejected'::text, 'scheduled'::text, 'applied'::text, 'reverted'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])))
);

CREATE TABLE client_budgets (
  organization_id text collate "C" NOT NULL,
  client_id text collate "C" NOT NULL,
  month date NOT NULL,
  amounts jsonb NOT NULL,
  note text,
  version integer NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  updated_by text,
  CONSTRAINT client_budgets_pkey PRIMARY KEY (organization_id, client_id, month),
  CONSTRAINT client_budgets_client_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT client_budgets_first_day CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  CONSTRAINT client_budgets_note_fits CHECK ((char_length(note) <= 2000))
);

CREATE TABLE client_pacing (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  client_id text collate "C" NOT NULL,
  month date NOT NULL,
  currency text collate "C" NOT NULL,
  currency_exponent smallint NOT NULL,
  planned_minors bigint[],
  complete_through date,
  reported_at timestamp with time zone,
  is_running boolean NOT NULL,
  status text,
  money_at_risk bigint,
  CONSTRAINT client_pacing_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT client_pacing_client_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT client_pacing_status_known CHECK ((status = ANY (ARRAY['not_running'::text, 'no_data'::text, 'exhausted'::text, 'stale'::text, 'low_confidence'::text, 'critical'::text, 'over'::text, 'under'::text, 'on_track'::text])))
);

CREATE TABLE client_pacing_due (
  organization_id text collate "C" NOT NULL,
  client_id text collate "C" NOT NULL,
  due_at timestamp with time zone NOT NULL,
  revision integer NOT NULL,
  CONSTRAINT client_pacing_due_pkey PRIMARY KEY (organization_id, client_id),
  CONSTRAINT client_pacing_due_client_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE clients (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  name_folded text collate "C" NOT NULL,
  plain_name_folded text collate "C",
  nfkc_name_folded text collate "C" NOT NULL,
  external_id text,
  currency text,
  time_zone text,
  status text NOT NULL,
  labels text[] NOT NULL,
  metadata jsonb NOT NULL,
  notes text,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  month_spending jsonb,
  CONSTRAINT clients_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT clients_name_key UNIQUE (organization_id, nfkc_name_folded),
  CONSTRAINT clients_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT clients_status_known CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text]))),
  CONSTRAINT clients_writable CHECK (is_writable(name, external_id, notes, labels, metadata))
);

CREATE TABLE connections (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  lease_id text collate "C",
  fence bigint NOT NULL,
  connected_since timestamp with time zone,
  account jsonb,
  credential jsonb,
  error jsonb,
  warned_days integer,
  last_seen_at timestamp with time zone,
  pass bigint DEFAULT 0 NOT NULL,
  pass_since timestamp with time zone,
  listed_at timestamp with time zone,
  CONSTRAINT connections_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT connections_profile FOREIGN KEY (organization_id, id) REFERENCES profiles(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE connector_leases (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  api_key_id text collate "C" NOT NULL,
  instance text NOT NULL,
  adapter text NOT NULL,
  adapter_version text NOT NULL,
  platform text NOT NULL,
  api_version text NOT NULL,
  api_sunset date,
  fence bigint NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT connector_leases_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT connector_leases_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

CREATE TABLE deployments (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  campaign_id text collate "C" NOT NULL,
  profile_id text collate "C" NOT NULL,
  platform text NOT NULL,
  mode text NOT NULL,
  network_object_id text,
  network_url text,
  managed_fields jsonb,
  drift_policy text NOT NULL,
  settings jsonb NOT NULL,
  state text NOT NULL,
  state_since timestamp with time zone NOT NULL,
  generation bigint NOT NULL,
  applied_generation bigint NOT NULL,
  account_ref text,
  desired jsonb NOT NULL,
  observed jsonb,
  drift jsonb NOT NULL,
  coverage jsonb NOT NULL,
  network_delivery jsonb,
  error jsonb,
  attempts integer NOT NULL,
  retry_at timestamp with time zone,
  is_withheld boolean NOT NULL,
  requested text,
  intent jsonb,
  last_applied_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  due_at timestamp with time zone,
  work_at timestamp with time zone,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  CONSTRAINT deployments_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT deployments_campaign FOREIGN KEY (organization_id, campaign_id) REFERENCES campaigns(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT deployments_drift_policy_check CHECK ((drift_policy = ANY (ARRAY['report'::text, 'overwrite'::text]))),
  CONSTRAINT deployments_mode_check CHECK ((mode = ANY (ARRAY['create'::text, 'link'::text]))),
  CONSTRAINT deployments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT deployments_profile FOREIGN KEY (organization_id, profile_id) REFERENCES profiles(organization_id, id),
  CONSTRAINT deployments_requested_check CHECK ((requested = ANY (ARRAY['check'::text, 'retry'::text, 'overwrite'::text, 'remove'::text]))),
  CONSTRAINT deployments_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'in_sync'::text, 'drifted'::text, 'failed'::text, 'blocked'::text, 'removing'::text, 'removed'::text])))
);

CREATE TABLE events (
  organization_id text collate "C" NOT NULL,
  sequence bigint NOT NULL,
  id text collate "C" NOT NULL,
  type text NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  body text NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (organization_id, id)
) PARTITION BY RANGE (id);

CREATE TABLE factors (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  user_id text collate "C" NOT NULL,
  kind text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  secret_sealed text,
  last_step bigint,
  code_hashes jsonb,
  challenge text collate "C",
  credential_id text collate "C",
  public_key text collate "C",
  sign_count bigint,
  transports jsonb,
  verified_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  sealed_under integer GENERATED ALWAYS AS (sealed_under(secret_sealed)) STORED,
  CONSTRAINT factors_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT factors_kind_known CHECK ((kind = ANY (ARRAY['totp'::text, 'passkey'::text, 'recovery_codes'::text]))),
  CONSTRAINT factors_master_key_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(id),
  CONSTRAINT factors_user_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE former_objects (
  organization_id text collate "C" NOT NULL,
  profile_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  campaign_id text collate "C" NOT NULL,
  ended_at timestamp with time zone NOT NULL,
  CONSTRAINT former_objects_pkey PRIMARY KEY (organization_id, profile_id, id),
  CONSTRAINT former_objects_campaign FOREIGN KEY (organization_id, campaign_id) REFERENCES campaigns(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT former_objects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT former_objects_profile FOREIGN KEY (organization_id, profile_id) REFERENCES profiles(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE guardrails (
  organization_id text collate "C" NOT NULL,
  rules jsonb NOT NULL,
  version integer NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  updated_by text,
  CONSTRAINT guardrails_pkey PRIMARY KEY (organization_id),
  CONSTRAINT guardrails_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

CREATE TABLE idempotency_keys (
  organization_id text collate "C" NOT NULL,
  scope text collate "C" NOT NULL,
  fingerprint text NOT NULL,
  status smallint NOT NULL,
  event_sequence bigint,
  body text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, scope, created_at)
) PARTITION BY RANGE (created_at);

CREATE TABLE installation (
  only_row boolean DEFAULT true NOT NULL,
  id text DEFAULT (gen_random_uuid())::text NOT NULL,
  issuer text,
  issuer_since timestamp with time zone,
  CONSTRAINT installation_pkey PRIMARY KEY (only_row),
  CONSTRAINT installation_only_row CHECK (only_row)
);

CREATE TABLE invitations (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  email text collate "C" NOT NULL,
  name text collate "C",
  role text collate "C" NOT NULL,
  scope jsonb,
  expires_at timestamp with time zone NOT NULL,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  CONSTRAINT invitations_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT invitations_email_key UNIQUE (organization_id, email),
  CONSTRAINT invitations_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT invitations_role_known CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'viewer'::text, 'auditor'::text])))
);

CREATE TABLE leases (
  name text collate "C" NOT NULL,
  holder text collate "C" NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);

CREATE TABLE login_challenges (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  user_id text collate "C" NOT NULL,
  secret_hash text collate "C" NOT NULL,
  passkey_challenge text collate "C",
  tries integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT login_challenges_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT login_challenges_user_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE login_codes (
  code_hash text collate "C" NOT NULL,
  secret_hash text collate "C" NOT NULL,
  ip text,
  user_agent text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  organization_id text collate "C",
  user_id text collate "C",
  session_id text collate "C",
  refused boolean NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT login_codes_pkey PRIMARY KEY (code_hash),
  CONSTRAINT login_codes_answered CHECK ((((organization_id IS NULL) = (session_id IS NULL)) AND ((user_id IS NULL) = (session_id IS NULL)))),
  CONSTRAINT login_codes_used CHECK (((used_at IS NULL) OR ((session_id IS NOT NULL) AND (NOT refused))))
);

CREATE TABLE login_networks (
  organization_id text collate "C" NOT NULL,
  user_id text collate "C" NOT NULL,
  network text collate "C" NOT NULL,
  last_login_at timestamp with time zone NOT NULL,
  CONSTRAINT login_networks_pkey PRIMARY KEY (organization_id, user_id, network),
  CONSTRAINT login_networks_user_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE mails (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  content text NOT NULL,
  attempts integer NOT NULL,
  due_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  sealed_under integer GENERATED ALWAYS AS (sealed_under(content)) STORED,
  can_wait boolean DEFAULT false NOT NULL,
  CONSTRAINT mails_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT mails_master_key_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(id),
  CONSTRAINT mails_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

CREATE TABLE master_keys (
  id integer NOT NULL,
  proof text NOT NULL,
  key_sealed text,
  active_since timestamp with time zone,
  CONSTRAINT master_keys_pkey PRIMARY KEY (id)
);

CREATE TABLE network_campaigns (
  organization_id text collate "C" NOT NULL,
  profile_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  name text NOT NULL,
  name_folded text collate "C" NOT NULL,
  plain_name_folded text,
  status text NOT NULL,
  facts jsonb NOT NULL,
  pass bigint NOT NULL,
  gone boolean NOT NULL,
  last_seen_at timestamp with time zone NOT NULL,
  CONSTRAINT network_campaigns_pkey PRIMARY KEY (organization_id, profile_id, id),
  CONSTRAINT network_campaigns_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT network_campaigns_profile FOREIGN KEY (organization_id, profile_id) REFERENCES profiles(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT network_campaigns_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'scheduled'::text, 'ended'::text])))
);

CREATE TABLE notification_channels (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  kind text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  name_folded text collate "C" NOT NULL,
  plain_name_folded text collate "C",
  shown_target text NOT NULL,
  content text NOT NULL,
  events text[] NOT NULL,
  filter jsonb,
  digest text collate "C" NOT NULL,
  status text collate "C" NOT NULL,
  disabled_reason text collate "C",
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  last_error text,
  consecutive_failures integer NOT NULL,
  failing_since timestamp with time zone,
  paused_until timestamp with time zone,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  sealed_under integer GENERATED ALWAYS AS (sealed_under(content)) STORED,
  CONSTRAINT notification_channels_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT notification_channels_digest_known CHECK ((digest = ANY (ARRAY['none'::text, 'hourly'::text, 'daily'::text]))),
  CONSTRAINT notification_channels_kind_known CHECK ((kind = ANY (ARRAY['email'::text, 'slack'::text, 'teams'::text, 'google_chat'::text, 'webhook'::text]))),
  CONSTRAINT notification_channels_master_key_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(id),
  CONSTRAINT notification_channels_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT notification_channels_status_known CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);

CREATE TABLE notification_cursors (
  organization_id text collate "C" NOT NULL,
  sequence bigint NOT NULL,
  CONSTRAINT notification_cursors_pkey PRIMARY KEY (organization_id),
  CONSTRAINT notification_cursors_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

CREATE TABLE notification_messages (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  channel_id text collate "C",
  user_id text collate "C",
  type text collate "C" NOT NULL,
  object_id text collate "C" NOT NULL,
  event_id text collate "C" NOT NULL,
  content jsonb NOT NULL,
  count integer NOT NULL,
  attempts integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  happened_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone,
  sent_at timestamp with time zone,
  CONSTRAINT notification_messages_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT notification_messages_channel_fkey FOREIGN KEY (organization_id, channel_id) REFERENCES notification_channels(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT notification_messages_to_one CHECK (((channel_id IS NULL) <> (user_id IS NULL))),
  CONSTRAINT notification_messages_user_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE notification_settings (
  organization_id text collate "C" NOT NULL,
  user_id text collate "C" NOT NULL,
  approvals_waiting text collate "C" NOT NULL,
  my_change_sets text collate "C" NOT NULL,
  pacing text collate "C" NOT NULL,
  deployments text collate "C" NOT NULL,
  security text collate "C" NOT NULL,
  digest text collate "C" NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT notification_settings_pkey PRIMARY KEY (organization_id, user_id),
  CONSTRAINT notification_settings_digest_known CHECK ((digest = ANY (ARRAY['none'::text, 'hourly'::text, 'daily'::text]))),
  CONSTRAINT notification_settings_known CHECK (((approvals_waiting = ANY (ARRAY['mail'::text, 'console'::text, 'none'::text])) AND (my_change_sets = ANY (ARRAY['mail'::text, 'console'::text, 'none'::text])) AND (pacing = ANY (ARRAY['mail'::text, 'console'::text, 'none'::text])) AND (deployments = ANY (ARRAY['mail'::text, 'console'::text, 'none'::text])) AND (security = ANY (ARRAY['mail'::text, 'console'::text, 'none'::text])))),
  CONSTRAINT notification_settings_user_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE notifications (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  user_id text collate "C" NOT NULL,
  category text collate "C" NOT NULL,
  type text collate "C" NOT NULL,
  object_id text collate "C" NOT NULL,
  event_id text collate "C" NOT NULL,
  content jsonb NOT NULL,
  count integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  read_at timestamp with time zone,
  CONSTRAINT notifications_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT notifications_category_known CHECK ((category = ANY (ARRAY['approvals_waiting'::text, 'my_change_sets'::text, 'pacing'::text, 'deployments'::text, 'security'::text]))),
  CONSTRAINT notifications_once UNIQUE (organization_id, user_id, event_id),
  CONSTRAINT notifications_user_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE organization_heads (
  organization_id text collate "C" NOT NULL,
  audit_sequence bigint DEFAULT 0 NOT NULL,
  audit_hash text DEFAULT repeat('0'::text, 64) NOT NULL,
  event_sequence bigint DEFAULT 0 NOT NULL,
  counts jsonb DEFAULT '{}'::jsonb NOT NULL,
  stored_bytes bigint DEFAULT 0 NOT NULL,
  bytes_measured_at timestamp with time zone,
  bytes_warned_limit bigint,
  CONSTRAINT organization_heads_pkey PRIMARY KEY (organization_id),
  CONSTRAINT organization_heads_bytes_warned_limit_check CHECK (((bytes_warned_limit >= 0) AND (bytes_warned_limit <= '9007199254740991'::bigint))),
  CONSTRAINT organization_heads_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT organization_heads_stored_bytes_check CHECK (((stored_bytes >= 0) AND (stored_bytes <= '9007199254740991'::bigint)))
);

CREATE TABLE organizations (
  id text collate "C" NOT NULL,
  name text NOT NULL,
  plan text NOT NULL,
  status text DEFAULT 'active'::text NOT NULL,
  require_if_match boolean DEFAULT false NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  sandbox boolean DEFAULT false NOT NULL,
  clock_ahead_ms bigint DEFAULT 0 NOT NULL,
  time_zone text DEFAULT 'UTC'::text NOT NULL,
  require_second_factor boolean DEFAULT false NOT NULL,
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_clock_ahead CHECK (((clock_ahead_ms = 0) OR (sandbox AND (clock_ahead_ms > 0)))),
  CONSTRAINT organizations_plan_known CHECK ((plan = ANY (ARRAY['free'::text, 'operator'::text, 'captain'::text, 'zion'::text]))),
  CONSTRAINT organizations_status_known CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);

CREATE TABLE passkey_owners (
  credential_id text collate "C" NOT NULL,
  organization_id text collate "C" NOT NULL,
  user_id text collate "C" NOT NULL,
  CONSTRAINT passkey_owners_pkey PRIMARY KEY (credential_id)
);

CREATE TABLE processes (
  id text collate "C" NOT NULL,
  role text NOT NULL,
  url text NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  settings jsonb NOT NULL,
  known_keys integer[] DEFAULT '{}'::integer[] NOT NULL,
  sealing_key integer,
  revision text,
  CONSTRAINT processes_pkey PRIMARY KEY (id)
);

CREATE TABLE profiles (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  platform text NOT NULL,
  account_ref text,
  currency text,
  time_zone text NOT NULL,
  country text,
  proxy_id text collate "C",
  status text NOT NULL,
  credential_ref text,
  labels text[] NOT NULL,
  metadata jsonb NOT NULL,
  notes text,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  daily_budget_cap_minor bigint,
  external_id text,
  name_folded text collate "C" NOT NULL,
  monthly_spend_cap_minor bigint,
  spent_month date,
  spent_minor bigint,
  plain_name_folded text collate "C",
  client_id text collate "C",
  connector_state text,
  CONSTRAINT profiles_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT profiles_account_ref_fits CHECK (((char_length(account_ref) >= 1) AND (char_length(account_ref) <= 128))),
  CONSTRAINT profiles_account_ref_key UNIQUE (organization_id, platform, account_ref),
  CONSTRAINT profiles_cap_has_currency CHECK (((daily_budget_cap_minor IS NULL) OR (currency IS NOT NULL))),
  CONSTRAINT profiles_cap_positive CHECK ((daily_budget_cap_minor > 0)),
  CONSTRAINT profiles_client_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id),
  CONSTRAINT profiles_connector_state_check CHECK ((connector_state = ANY (ARRAY['connected'::text, 'stale'::text]))),
  CONSTRAINT profiles_country_fits CHECK ((country ~ '^[A-Z]{2}$'::text)),
  CONSTRAINT profiles_credential_ref_fits CHECK (((char_length(credential_ref) >= 1) AND (char_length(credential_ref) <= 255))),
  CONSTRAINT profiles_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT profiles_platform_known CHECK ((platform = ANY (ARRAY['google_ads'::text, 'meta'::text, 'tiktok'::text, 'linkedin'::text, 'amazon_ads'::text, 'microsoft_ads'::text, 'pinterest'::text, 'snapchat'::text, 'reddit'::text, 'x'::text, 'sim'::text, 'other'::text]))),
  CONSTRAINT profiles_proxy_fkey FOREIGN KEY (organization_id, proxy_id) REFERENCES proxies(organization_id, id),
  CONSTRAINT profiles_spend_cap_has_currency CHECK (((monthly_spend_cap_minor IS NULL) OR (currency IS NOT NULL))),
  CONSTRAINT profiles_spend_cap_positive CHECK ((monthly_spend_cap_minor > 0)),
  CONSTRAINT profiles_status_known CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'suspended'::text, 'archived'::text]))),
  CONSTRAINT profiles_writable CHECK (is_writable(name, external_id, notes, labels, metadata))
);

CREATE TABLE proved_domains (
  domain text collate "C" NOT NULL,
  organization_id text collate "C" NOT NULL,
  CONSTRAINT proved_domains_pkey PRIMARY KEY (domain)
);

CREATE TABLE proxies (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  protocol text NOT NULL,
  host text NOT NULL,
  port integer NOT NULL,
  username_sealed text,
  password_sealed text,
  country text,
  enabled boolean NOT NULL,
  health text DEFAULT 'unchecked'::text NOT NULL,
  status text GENERATED ALWAYS AS (
CASE
    WHEN enabled THEN health
    ELSE 'disabled'::text
END) STORED NOT NULL,
  last_check jsonb,
  labels text[] NOT NULL,
  metadata jsonb NOT NULL,
  notes text,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  consecutive_failures integer DEFAULT 0 NOT NULL,
  consecutive_successes integer DEFAULT 0 NOT NULL,
  next_check_at timestamp with time zone NOT NULL,
  external_id text,
  name_folded text collate "C" NOT NULL,
  sealed_under integer GENERATED ALWAYS AS (LEAST(sealed_under(username_sealed), sealed_under(password_sealed))) STORED,
  plain_name_folded text collate "C",
  CONSTRAINT proxies_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT proxies_country_fits CHECK ((country ~ '^[A-Z]{2}$'::text)),
  CONSTRAINT proxies_health_known CHECK ((health = ANY (ARRAY['unchecked'::text, 'healthy'::text, 'degraded'::text, 'failing'::text]))),
  CONSTRAINT proxies_master_key_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(id),
  CONSTRAINT proxies_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT proxies_port_range CHECK (((port >= 1) AND (port <= 65535))),
  CONSTRAINT proxies_protocol_known CHECK ((protocol = ANY (ARRAY['http'::text, 'https'::text, 'socks5'::text]))),
  CONSTRAINT proxies_status_known CHECK ((status = ANY (ARRAY['disabled'::text, 'unchecked'::text, 'healthy'::text, 'degraded'::text, 'failing'::text]))),
  CONSTRAINT proxies_writable CHECK (is_writable(name, external_id, notes, labels, metadata))
);

CREATE UNLOGGED TABLE rate_limits (
  key text collate "C" NOT NULL,
  used integer NOT NULL,
  granted integer NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT rate_limits_pkey PRIMARY KEY (key)
);

CREATE TABLE report_links (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  report_id text collate "C" NOT NULL,
  snapshot_id text collate "C",
  token_hash text collate "C" NOT NULL,
  password_hash text,
  expires_at timestamp with time zone NOT NULL,
  views integer NOT NULL,
  last_viewed_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  created_by text,
  schedule_id text collate "C",
  CONSTRAINT report_links_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT report_links_report_fkey FOREIGN KEY (organization_id, report_id) REFERENCES reports(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT report_links_snapshot_fkey FOREIGN KEY (organization_id, snapshot_id) REFERENCES report_snapshots(organization_id, id)
);

CREATE TABLE report_logos (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  content text NOT NULL,
  CONSTRAINT report_logos_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT report_logos_fit CHECK ((char_length(content) <= 266668)),
  CONSTRAINT report_logos_report_fkey FOREIGN KEY (organization_id, id) REFERENCES reports(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE report_schedules (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  report_id text collate "C" NOT NULL,
  every text collate "C" NOT NULL,
  day smallint NOT NULL,
  hour smallint NOT NULL,
  time_zone text NOT NULL,
  recipients text[] NOT NULL,
  link_days smallint NOT NULL,
  status text collate "C" NOT NULL,
  disabled_reason text,
  next_at timestamp with time zone,
  last_sent_at timestamp with time zone,
  last_error text,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  CONSTRAINT report_schedules_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT report_schedules_day_fits CHECK ((((day >= 1) AND (day <= 31)) AND ((every = 'month'::text) OR (day <= 7)))),
  CONSTRAINT report_schedules_due CHECK (((status = 'enabled'::text) = (next_at IS NOT NULL))),
  CONSTRAINT report_schedules_every_known CHECK ((every = ANY (ARRAY['week'::text, 'month'::text]))),
  CONSTRAINT report_schedules_hour_fits CHECK (((hour >= 0) AND (hour <= 23))),
  CONSTRAINT report_schedules_link_days_fit CHECK (((link_days >= 1) AND (link_days <= 366))),
  CONSTRAINT report_schedules_recipients_fit CHECK (((cardinality(recipients) >= 1) AND (cardinality(recipients) <= 20))),
  CONSTRAINT report_schedules_report_fkey FOREIGN KEY (organization_id, report_id) REFERENCES reports(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT report_schedules_status_known CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);

CREATE TABLE report_snapshots (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  report_id text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  period_from date NOT NULL,
  period_to date NOT NULL,
  content json NOT NULL,
  created_at timestamp with time zone NOT NULL,
  created_by text,
  CONSTRAINT report_snapshots_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT report_snapshots_report_fkey FOREIGN KEY (organization_id, report_id) REFERENCES reports(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE reports (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  name_folded text collate "C" NOT NULL,
  plain_name_folded text collate "C",
  client_id text collate "C",
  filter jsonb,
  client_ids text[] NOT NULL,
  period jsonb NOT NULL,
  compare text,
  sections jsonb NOT NULL,
  texts jsonb NOT NULL,
  logo_type text,
  logo_bytes integer,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  CONSTRAINT reports_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT reports_client_fkey FOREIGN KEY (organization_id, client_id) REFERENCES clients(organization_id, id),
  CONSTRAINT reports_compare_known CHECK ((compare = ANY (ARRAY['previous_period'::text, 'previous_year'::text]))),
  CONSTRAINT reports_logo_known CHECK ((logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text]))),
  CONSTRAINT reports_one_subject CHECK (((client_id IS NULL) OR (filter IS NULL))),
  CONSTRAINT reports_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT reports_sections_fit CHECK (((jsonb_array_length(sections) >= 1) AND (jsonb_array_length(sections) <= 11)))
);

CREATE TABLE result_days (
  organization_id text collate "C" NOT NULL,
  date date NOT NULL,
  currency text collate "C" NOT NULL,
  source text collate "C" NOT NULL,
  row_count integer NOT NULL,
  final_count integer NOT NULL,
  spend_minor bigint NOT NULL,
  adjustment_minor bigint NOT NULL,
  impressions bigint NOT NULL,
  impressions_count integer NOT NULL,
  clicks bigint NOT NULL,
  clicks_count integer NOT NULL,
  conversions_millionths bigint NOT NULL,
  conversions_count integer NOT NULL,
  conversion_value_minor bigint NOT NULL,
  conversion_value_count integer NOT NULL,
  profile_id text collate "C" NOT NULL,
  CONSTRAINT result_days_pkey PRIMARY KEY (organization_id, date, currency, source, profile_id)
);

CREATE TABLE result_labels (
  organization_id text collate "C" NOT NULL,
  date date NOT NULL,
  label text collate "C" NOT NULL,
  currency text collate "C" NOT NULL,
  source text collate "C" NOT NULL,
  profile_id text collate "C" NOT NULL,
  row_count integer NOT NULL,
  final_count integer NOT NULL,
  spend_minor bigint NOT NULL,
  adjustment_minor bigint NOT NULL,
  impressions bigint NOT NULL,
  impressions_count integer NOT NULL,
  clicks bigint NOT NULL,
  clicks_count integer NOT NULL,
  conversions_millionths bigint NOT NULL,
  conversions_count integer NOT NULL,
  conversion_value_minor bigint NOT NULL,
  conversion_value_count integer NOT NULL,
  CONSTRAINT result_labels_pkey PRIMARY KEY (organization_id, date, label, currency, source, profile_id)
);

CREATE TABLE result_months (
  organization_id text collate "C" NOT NULL,
  campaign_id text collate "C" NOT NULL,
  month date NOT NULL,
  source text collate "C" NOT NULL,
  row_count integer NOT NULL,
  final_count integer NOT NULL,
  spend_minor bigint NOT NULL,
  adjustment_minor bigint NOT NULL,
  impressions bigint NOT NULL,
  impressions_count integer NOT NULL,
  clicks bigint NOT NULL,
  clicks_count integer NOT NULL,
  conversions_millionths bigint NOT NULL,
  conversions_count integer NOT NULL,
  conversion_value_minor bigint NOT NULL,
  conversion_value_count integer NOT NULL,
  CONSTRAINT result_months_pkey PRIMARY KEY (organization_id, campaign_id, month, source),
  CONSTRAINT result_months_first_day CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);

CREATE TABLE result_source_totals (
  organization_id text collate "C" NOT NULL,
  source text collate "C" NOT NULL,
  campaign_count integer NOT NULL,
  reported_at timestamp with time zone NOT NULL,
  complete_through date NOT NULL,
  CONSTRAINT result_source_totals_pkey PRIMARY KEY (organization_id, source)
);

CREATE TABLE result_sources (
  organization_id text collate "C" NOT NULL,
  campaign_id text collate "C" NOT NULL,
  source text collate "C" NOT NULL,
  reported_at timestamp with time zone NOT NULL,
  complete_through date NOT NULL,
  CONSTRAINT result_sources_pkey PRIMARY KEY (organization_id, campaign_id, source),
  CONSTRAINT result_sources_campaign_fkey FOREIGN KEY (organization_id, campaign_id) REFERENCES campaigns(organization_id, id)
);

CREATE TABLE results (
  organization_id text collate "C" NOT NULL,
  campaign_id text collate "C" NOT NULL,
  date date NOT NULL,
  source text collate "C" NOT NULL,
  spend_minor bigint NOT NULL,
  adjustment_minor bigint NOT NULL,
  impressions bigint,
  clicks bigint,
  conversions_millionths bigint,
  conversion_value_minor bigint,
  is_final boolean NOT NULL,
  reported_at timestamp with time zone NOT NULL,
  CONSTRAINT results_pkey PRIMARY KEY (organization_id, campaign_id, date, source),
  CONSTRAINT results_counts_not_negative CHECK (((impressions >= 0) AND (clicks >= 0) AND (conversions_millionths >= 0))),
  CONSTRAINT results_spend_not_negative CHECK ((spend_minor >= 0)),
  CONSTRAINT results_value_not_negative CHECK ((conversion_value_minor >= 0))
) PARTITION BY RANGE (date);

CREATE TABLE scim_group_members (
  organization_id text collate "C" NOT NULL,
  group_id text collate "C" NOT NULL,
  user_id text collate "C" NOT NULL,
  CONSTRAINT scim_group_members_pkey PRIMARY KEY (organization_id, group_id, user_id),
  CONSTRAINT scim_group_members_group_fkey FOREIGN KEY (organization_id, group_id) REFERENCES scim_groups(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_group_members_user_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE scim_groups (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  display_name text NOT NULL,
  display_name_folded text collate "C" NOT NULL,
  external_id text collate "C",
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT scim_groups_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT scim_groups_external_id_key UNIQUE (organization_id, external_id),
  CONSTRAINT scim_groups_name_key UNIQUE (organization_id, display_name_folded),
  CONSTRAINT scim_groups_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

CREATE TABLE scim_users (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  external_id text collate "C",
  display_name text,
  given_name text,
  family_name text,
  deleted_at timestamp with time zone,
  CONSTRAINT scim_users_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT scim_users_external_id_key UNIQUE (organization_id, external_id),
  CONSTRAINT scim_users_user_fkey FOREIGN KEY (organization_id, id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE sessions (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  user_id text collate "C" NOT NULL,
  token_id text NOT NULL,
  token_issued_at timestamp with time zone NOT NULL,
  replaced_tokens jsonb DEFAULT '[]'::jsonb NOT NULL,
  ip text,
  user_agent text,
  created_at timestamp with time zone NOT NULL,
  last_refreshed_at timestamp with time zone,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  sso_issuer text collate "C",
  sso_session text collate "C",
  authenticated_at timestamp with time zone,
  CONSTRAINT sessions_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT sessions_user_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE signing_keys (
  id text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_jwk_sealed text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  retired_at timestamp with time zone,
  sealed_under integer GENERATED ALWAYS AS (sealed_under(private_jwk_sealed)) STORED,
  CONSTRAINT signing_keys_pkey PRIMARY KEY (id),
  CONSTRAINT signing_keys_master_key_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(id)
);

CREATE TABLE sso_answers (
  organization_id text collate "C" NOT NULL,
  answer_hash text collate "C" NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT sso_answers_pkey PRIMARY KEY (organization_id, answer_hash),
  CONSTRAINT sso_answers_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

CREATE TABLE sso_domains (
  organization_id text collate "C" NOT NULL,
  domain text collate "C" NOT NULL,
  token text collate "C" NOT NULL,
  proved_at timestamp with time zone,
  proved_by text collate "C",
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT sso_domains_pkey PRIMARY KEY (organization_id, domain),
  CONSTRAINT sso_domains_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT sso_domains_proved CHECK (((proved_at IS NULL) = (proved_by IS NULL))),
  CONSTRAINT sso_domains_way_known CHECK ((proved_by = ANY (ARRAY['dns'::text, 'operator'::text])))
);

CREATE TABLE sso_people (
  organization_id text collate "C" NOT NULL,
  user_id text collate "C" NOT NULL,
  issuer text collate "C" NOT NULL,
  subject text collate "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT sso_people_pkey PRIMARY KEY (organization_id, user_id),
  CONSTRAINT sso_people_subject_key UNIQUE (organization_id, issuer, subject),
  CONSTRAINT sso_people_user_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE sso_settings (
  organization_id text collate "C" NOT NULL,
  issuer text collate "C" NOT NULL,
  client_id text collate "C" NOT NULL,
  client_secret_sealed text NOT NULL,
  own_redirect_uri boolean NOT NULL,
  default_role text collate "C" NOT NULL,
  role_claim text collate "C",
  role_map jsonb NOT NULL,
  create_members boolean NOT NULL,
  trust_email boolean NOT NULL,
  enforced boolean NOT NULL,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  updated_by text,
  sealed_under integer GENERATED ALWAYS AS (sealed_under(client_secret_sealed)) STORED,
  CONSTRAINT sso_settings_pkey PRIMARY KEY (organization_id),
  CONSTRAINT sso_settings_master_key_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(id),
  CONSTRAINT sso_settings_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT sso_settings_role_known CHECK ((default_role = ANY (ARRAY['admin'::text, 'editor'::text, 'viewer'::text, 'auditor'::text])))
);

CREATE TABLE task_successes (
  task text NOT NULL,
  succeeded_at timestamp with time zone NOT NULL,
  CONSTRAINT task_successes_pkey PRIMARY KEY (task)
);

CREATE TABLE templates (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  description text,
  defaults jsonb NOT NULL,
  locked_fields text[] NOT NULL,
  labels text[] NOT NULL,
  metadata jsonb NOT NULL,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  external_id text,
  name_folded text collate "C" NOT NULL,
  plain_name_folded text collate "C",
  CONSTRAINT templates_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT templates_defaults_fit CHECK (((jsonb_typeof(defaults) = 'object'::text) AND (octet_length((defaults)::text) <= 262144))),
  CONSTRAINT templates_name_key UNIQUE (organization_id, name),
  CONSTRAINT templates_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT templates_writable CHECK (is_writable(name, external_id, description, labels, metadata))
);

CREATE TABLE user_emails (
  email text NOT NULL,
  organization_id text collate "C" NOT NULL,
  user_id text collate "C" NOT NULL,
  CONSTRAINT user_emails_pkey PRIMARY KEY (email),
  CONSTRAINT user_emails_email_lower CHECK ((email = lower(email))),
  CONSTRAINT user_emails_user_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id),
  CONSTRAINT user_emails_user_key UNIQUE (organization_id, user_id)
);

CREATE TABLE users (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  email text NOT NULL,
  name text collate "C" NOT NULL,
  role text NOT NULL,
  disabled boolean DEFAULT false NOT NULL,
  password_hash text NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  last_login_at timestamp with time zone,
  name_folded text collate "C" NOT NULL,
  plain_name_folded text collate "C",
  scope jsonb,
  second_factor boolean DEFAULT false NOT NULL,
  from_directory boolean DEFAULT false NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT users_email_lower CHECK ((email = lower(email))),
  CONSTRAINT users_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT users_role_known CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'viewer'::text, 'auditor'::text])))
);

CREATE TABLE views (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  resource text collate "C" NOT NULL,
  name text collate "C" NOT NULL,
  name_folded text collate "C" NOT NULL,
  plain_name_folded text collate "C",
  query text NOT NULL,
  columns text[] NOT NULL,
  shared boolean NOT NULL,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  CONSTRAINT views_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT views_columns_fit CHECK ((cardinality(columns) <= 50)),
  CONSTRAINT views_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT views_query_fits CHECK ((octet_length(query) <= 4096)),
  CONSTRAINT views_resource_known CHECK ((resource = ANY (ARRAY['campaigns'::text, 'pacing'::text, 'results'::text, 'deployments'::text, 'change_sets'::text, 'clients'::text, 'profiles'::text, 'templates'::text, 'reports'::text])))
);

CREATE TABLE webhook_attempts (
  organization_id text collate "C" NOT NULL,
  delivery_id text collate "C" NOT NULL,
  number integer NOT NULL,
  trigger text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  address text,
  request_headers jsonb NOT NULL,
  response_status smallint,
  response_headers jsonb,
  response_body text,
  error jsonb,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (organization_id, delivery_id, number),
  CONSTRAINT webhook_attempts_trigger_known CHECK ((trigger = ANY (ARRAY['auto'::text, 'manual'::text, 'recover'::text, 'test'::text]))) NOT VALID
) PARTITION BY RANGE (delivery_id);

CREATE TABLE webhook_deliveries (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  endpoint_id text collate "C" NOT NULL,
  event_id text collate "C" NOT NULL,
  event_type text NOT NULL,
  event_sequence bigint,
  body text,
  status text NOT NULL,
  trigger text NOT NULL,
  attempt_count integer DEFAULT 0 NOT NULL,
  retry_count integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp with time zone,
  last_error text,
  last_response_status smallint,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT webhook_deliveries_endpoint_fkey FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_has_body CHECK (((event_sequence IS NULL) = (body IS NOT NULL))),
  CONSTRAINT webhook_deliveries_pending_has_time CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  CONSTRAINT webhook_deliveries_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text, 'cancelled'::text]))),
  CONSTRAINT webhook_deliveries_trigger_known CHECK ((trigger = ANY (ARRAY['auto'::text, 'manual'::text, 'recover'::text, 'test'::text]))) NOT VALID
) PARTITION BY RANGE (id);

CREATE TABLE webhook_endpoints (
  organization_id text collate "C" NOT NULL,
  id text collate "C" NOT NULL,
  url text collate "C" NOT NULL,
  events text[] NOT NULL,
  description text,
  metadata jsonb NOT NULL,
  status text DEFAULT 'enabled'::text NOT NULL,
  disabled_reason text,
  secret_sealed text NOT NULL,
  secret_hint text NOT NULL,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  consecutive_failures integer DEFAULT 0 NOT NULL,
  failing_since timestamp with time zone,
  paused_until timestamp with time zone,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  created_by text,
  updated_by text,
  previous_secrets jsonb DEFAULT '[]'::jsonb NOT NULL,
  sealed_under integer GENERATED ALWAYS AS (LEAST(sealed_under(secret_sealed), oldest_sealed_under(previous_secrets))) STORED,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT webhook_endpoints_master_key_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(id),
  CONSTRAINT webhook_endpoints_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT webhook_endpoints_status_known CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);

CREATE TABLE write_probes (
  id text collate "C" NOT NULL,
  filler text NOT NULL,
  CONSTRAINT write_probes_pkey PRIMARY KEY (id)
);

CREATE INDEX account_links_by_end ON public.account_links USING btree (expires_at);

CREATE INDEX account_links_by_secret ON public.account_links USING btree (secret_hash);

CREATE INDEX account_links_by_subject ON public.account_links USING btree (organization_id, kind, subject_id);

CREATE INDEX api_keys_by_creation ON public.api_keys USING btree (organization_id, created_at DESC, id DESC) WHERE (revoked_at IS NULL);

CREATE INDEX api_keys_by_name ON public.api_keys USING btree (organization_id, name_folded, id) WHERE (revoked_at IS NULL);

CREATE INDEX api_keys_by_revocation ON public.api_keys USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

CREATE INDEX api_keys_by_update ON public.api_keys USING btree (organization_id, updated_at DESC, id DESC) WHERE (revoked_at IS NULL);

CREATE INDEX audit_logs_by_action ON public.audit_logs USING btree (organization_id, action, sequence);

CREATE INDEX audit_logs_by_actor ON public.audit_logs USING btree (organization_id, ((actor ->> 'id'::text)), sequence);

CREATE INDEX audit_logs_by_change_set ON public.audit_logs USING btree (organization_id, change_set_id, sequence) WHERE (change_set_id IS NOT NULL);

CREATE INDEX audit_logs_by_kind ON public.audit_logs USING btree (organization_id, ((resource ->> 'type'::text)), sequence);

CREATE INDEX audit_logs_by_outcome ON public.audit_logs USING btree (organization_id, outcome, sequence) WHERE (outcome <> 'success'::text);

CREATE INDEX audit_logs_by_request ON public.audit_logs USING btree (organization_id, ((request ->> 'id'::text)), sequence);

CREATE INDEX audit_logs_by_resource ON public.audit_logs USING btree (organization_id, ((resource ->> 'id'::text)), sequence);

CREATE INDEX audit_logs_sampled ON public.audit_logs USING btree (organization_id) WHERE ("right"(id, 1) = '0'::text);

CREATE INDEX audit_verifications_broken ON public.audit_verifications USING btree (organization_id) WHERE (broken_at IS NOT NULL);

CREATE INDEX audit_verifications_due ON public.audit_verifications USING btree (due_at);

CREATE INDEX audited_names_by_key ON public.audited_names USING gin (keys) WITH (gin_pending_list_limit='256');

CREATE INDEX campaign_metrics_by_clicks ON public.campaign_metrics USING btree (organization_id, metric_window, clicks DESC NULLS LAST, id DESC) WHERE (clicks IS NOT NULL);

CREATE INDEX campaign_metrics_by_conversions ON public.campaign_metrics USING btree (organization_id, metric_window, conversions DESC NULLS LAST, id DESC) WHERE (conversions IS NOT NULL);

CREATE INDEX campaign_metrics_by_cpa ON public.campaign_metrics USING btree (organization_id, metric_window, cpa DESC NULLS LAST, id DESC) WHERE (cpa IS NOT NULL);

CREATE INDEX campaign_metrics_by_cpc ON public.campaign_metrics USING btree (organization_id, metric_window, cpc DESC NULLS LAST, id DESC) WHERE (cpc IS NOT NULL);

CREATE INDEX campaign_metrics_by_cpm ON public.campaign_metrics USING btree (organization_id, metric_window, cpm DESC NULLS LAST, id DESC) WHERE (cpm IS NOT NULL);

CREATE INDEX campaign_metrics_by_ctr ON public.campaign_metrics USING btree (organization_id, metric_window, ctr DESC NULLS LAST, id DESC) WHERE (ctr IS NOT NULL);

CREATE INDEX campaign_metrics_by_impressions ON public.campaign_metrics USING btree (organization_id, metric_window, impressions DESC NULLS LAST, id DESC) WHERE (impressions IS NOT NULL);

CREATE INDEX campaign_metrics_by_roas ON public.campaign_metrics USING btree (organization_id, metric_window, roas DESC NULLS LAST, id DESC) WHERE (roas IS NOT NULL);

CREATE INDEX campaign_metrics_by_spend ON public.campaign_metrics USING btree (organization_id, metric_window, spend DESC NULLS LAST, id DESC);

CREATE INDEX campaign_pacing_by_profile ON public.campaign_pacing USING btree (organization_id, campaign_status, profile_id) WHERE (campaign_status = ANY (ARRAY['scheduled'::text, 'active'::text, 'paused'::text]));

CREATE INDEX campaign_pacing_by_risk ON public.campaign_pacing USING btree (organization_id, money_at_risk DESC NULLS LAST, id DESC) WHERE (campaign_status = ANY (ARRAY['scheduled'::text, 'active'::text, 'paused'::text]));

CREATE INDEX campaign_pacing_by_status ON public.campaign_pacing USING btree (organization_id, status) WHERE (campaign_status = ANY (ARRAY['scheduled'::text, 'active'::text, 'paused'::text]));

CREATE INDEX campaign_pacing_due ON public.campaign_pacing USING btree (due_at) WHERE (campaign_status = ANY (ARRAY['scheduled'::text, 'active'::text, 'paused'::text]));

CREATE INDEX campaign_pacing_due_in ON public.campaign_pacing USING btree (organization_id, due_at) WHERE (campaign_status = ANY (ARRAY['scheduled'::text, 'active'::text, 'paused'::text]));

CREATE INDEX campaign_pacing_sampled ON public.campaign_pacing USING btree (organization_id) WHERE ("right"(id, 1) = '0'::text);

CREATE INDEX campaign_performance_by_index ON public.campaign_performance USING btree (organization_id, performance_index DESC NULLS LAST, id DESC) WHERE (status IS NOT NULL);

CREATE INDEX campaign_performance_by_status ON public.campaign_performance USING btree (organization_id, status) WHERE (status IS NOT NULL);

CREATE INDEX campaign_performance_due ON public.campaign_performance USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX campaign_performance_due_in ON public.campaign_performance USING btree (organization_id, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX campaign_search_by_key ON public.campaign_search USING gin (keys) WITH (gin_pending_list_limit='256');

CREATE INDEX campaign_words_by_key ON public.campaign_words USING gin (keys) WITH (gin_pending_list_limit='256');

CREATE INDEX campaigns_by_budget ON public.campaigns USING btree (organization_id, ((daily_budget_minor * (power((10)::double precision, ((3 - currency_exponent))::double precision))::bigint)) DESC NULLS LAST, id DESC);

CREATE INDEX campaigns_by_creation ON public.campaigns USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX campaigns_by_currency ON public.campaigns USING btree (organization_id, currency, objective);

CREATE INDEX campaigns_by_deployment ON public.campaigns USING btree (organization_id, ((deployment ->> 'state'::text))) WHERE (deployment IS NOT NULL);

CREATE INDEX campaigns_by_end ON public.campaigns USING btree (organization_id, end_at DESC NULLS LAST, id DESC) WHERE (end_at IS NOT NULL);

CREATE INDEX campaigns_by_label ON public.campaigns USING gin (labels_within(organization_id, labels)) WITH (fastupdate=off) WHERE (labels <> '{}'::text[]);

CREATE INDEX campaigns_by_name ON public.campaigns USING btree (organization_id, name_folded, id);

CREATE INDEX campaigns_by_profile ON public.campaigns USING btree (organization_id, profile_id, status);

CREATE INDEX campaigns_by_reason ON public.campaigns USING btree (organization_id, status_reason) WHERE (status_reason IS NOT NULL);

CREATE INDEX campaigns_by_start ON public.campaigns USING btree (organization_id, start_at) WHERE (start_at IS NOT NULL);

CREATE INDEX campaigns_by_status ON public.campaigns USING btree (organization_id, status, created_at DESC, id DESC);

CREATE INDEX campaigns_by_template ON public.campaigns USING btree (organization_id, template_id) WHERE (template_id IS NOT NULL);

CREATE INDEX campaigns_by_update ON public.campaigns USING btree (organization_id, updated_at DESC, id DESC);

CREATE INDEX campaigns_ending ON public.campaigns USING btree (end_at) WHERE ((status = ANY (ARRAY['scheduled'::text, 'active'::text, 'paused'::text])) AND (end_at IS NOT NULL));

CREATE INDEX campaigns_ending_in ON public.campaigns USING btree (organization_id, end_at) WHERE ((status = ANY (ARRAY['scheduled'::text, 'active'::text, 'paused'::text])) AND (end_at IS NOT NULL));

CREATE UNIQUE INDEX campaigns_external_id_key ON public.campaigns USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);

CREATE INDEX campaigns_sampled ON public.campaigns USING btree (organization_id) WHERE ("right"(id, 1) = '0'::text);

CREATE INDEX campaigns_starting ON public.campaigns USING btree (start_at) WHERE (status = 'scheduled'::text);

CREATE INDEX campaigns_starting_in ON public.campaigns USING btree (organization_id, start_at) WHERE (status = 'scheduled'::text);

CREATE INDEX campaigns_zones ON public.campaigns USING btree (organization_id, time_zone) WHERE ((schedule IS NOT NULL) AND (status = ANY (ARRAY['scheduled'::text, 'active'::text])));

CREATE INDEX change_set_operations_in_order ON public.change_set_operations USING btree (organization_id, change_set_id, index, id) INCLUDE (resource, object_id, version_seen);

CREATE INDEX change_set_operations_of_object ON public.change_set_operations USING btree (organization_id, object_id, change_set_id) WHERE (object_id IS NOT NULL);

CREATE INDEX change_set_operations_unchecked_idx ON public.change_set_operations USING btree (organization_id, ((network_check ->> 'profile_id'::text))) WHERE ((network_check ->> 'outcome'::text) = 'open'::text);

CREATE INDEX change_sets_applying ON public.change_sets USING btree (apply_at) WHERE (status = 'scheduled'::text);

CREATE INDEX change_sets_by_creation ON public.change_sets USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX change_sets_by_end ON public.change_sets USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX change_sets_by_envelope ON public.change_sets USING btree (organization_id, applied_by, applied_at) WHERE (envelope_use IS NOT NULL);

CREATE INDEX change_sets_by_update ON public.change_sets USING btree (organization_id, updated_at DESC, id DESC);

CREATE INDEX change_sets_expiring ON public.change_sets USING btree (expires_at) WHERE (status = ANY (ARRAY['open'::text, 'approved'::text, 'scheduled'::text]));

CREATE INDEX change_sets_living_in ON public.change_sets USING btree (organization_id) WHERE (ended_at IS NULL);

CREATE INDEX change_sets_reverting ON public.change_sets USING btree (revert_at) WHERE ((status = 'applied'::text) AND (ended_at IS NULL));

CREATE INDEX client_budgets_by_month ON public.client_budgets USING btree (organization_id, month);

CREATE INDEX client_pacing_by_client ON public.client_pacing USING btree (organization_id, client_id, month);

CREATE INDEX client_pacing_by_risk ON public.client_pacing USING btree (organization_id, month, money_at_risk DESC NULLS LAST, id DESC);

CREATE INDEX client_pacing_due_by_time ON public.client_pacing_due USING btree (due_at);

CREATE INDEX client_pacing_due_in ON public.client_pacing_due USING btree (organization_id, due_at);

CREATE INDEX clients_by_creation ON public.clients USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX clients_by_name ON public.clients USING btree (organization_id, name_folded, id);

CREATE INDEX clients_by_update ON public.clients USING btree (organization_id, updated_at DESC, id DESC);

CREATE UNIQUE INDEX clients_external_id_key ON public.clients USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);

CREATE INDEX connections_by_lease ON public.connections USING btree (organization_id, lease_id) WHERE (lease_id IS NOT NULL);

CREATE UNIQUE INDEX connector_leases_key ON public.connector_leases USING btree (organization_id, api_key_id, instance);

CREATE INDEX deployments_by_since ON public.deployments USING btree (organization_id, state_since DESC, id DESC);

CREATE INDEX deployments_by_state ON public.deployments USING btree (organization_id, state, state_since DESC, id DESC);

CREATE UNIQUE INDEX deployments_campaign_key ON public.deployments USING btree (organization_id, campaign_id);

CREATE INDEX deployments_due ON public.deployments USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE UNIQUE INDEX deployments_object_key ON public.deployments USING btree (organization_id, profile_id, network_object_id) WHERE (network_object_id IS NOT NULL);

CREATE INDEX deployments_with_work ON public.deployments USING btree (organization_id, profile_id, work_at) WHERE (work_at IS NOT NULL);

CREATE INDEX events_by_sequence ON public.events USING btree (organization_id, sequence);

CREATE INDEX events_by_type ON public.events USING btree (organization_id, type, sequence);

CREATE INDEX events_sampled ON public.events USING btree (organization_id) WHERE ("right"(id, 1) = '0'::text);

CREATE INDEX factors_by_creation ON public.factors USING btree (organization_id, user_id, created_at DESC, id DESC);

CREATE INDEX factors_by_end ON public.factors USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX factors_sealed_under ON public.factors USING btree (sealed_under);

CREATE INDEX former_objects_of_campaign ON public.former_objects USING btree (organization_id, campaign_id);

CREATE INDEX idempotency_keys_with_body ON public.idempotency_keys USING btree (organization_id, scope, created_at) WHERE (body IS NOT NULL);

CREATE INDEX invitations_by_creation ON public.invitations USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX invitations_by_end ON public.invitations USING btree (expires_at);

CREATE INDEX invitations_by_inviter ON public.invitations USING btree (organization_id, created_by);

CREATE INDEX invitations_by_update ON public.invitations USING btree (organization_id, updated_at DESC, id DESC);

CREATE INDEX login_challenges_by_end ON public.login_challenges USING btree (expires_at);

CREATE INDEX login_challenges_by_secret ON public.login_challenges USING btree (secret_hash);

CREATE INDEX login_challenges_by_user ON public.login_challenges USING btree (organization_id, user_id);

CREATE INDEX login_codes_by_end ON public.login_codes USING btree (expires_at);

CREATE INDEX login_networks_by_last_login ON public.login_networks USING btree (last_login_at);

CREATE INDEX mails_due ON public.mails USING btree (can_wait, due_at);

CREATE INDEX mails_sealed_under ON public.mails USING btree (sealed_under);

CREATE UNIQUE INDEX master_keys_active ON public.master_keys USING btree ((true)) WHERE (active_since IS NOT NULL);

CREATE INDEX network_campaigns_by_name ON public.network_campaigns USING btree (organization_id, profile_id, name_folded, id);

CREATE INDEX notification_channels_by_creation ON public.notification_channels USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX notification_channels_by_name ON public.notification_channels USING btree (organization_id, name_folded, id);

CREATE INDEX notification_channels_by_update ON public.notification_channels USING btree (organization_id, updated_at DESC, id DESC);

CREATE INDEX notification_channels_failing ON public.notification_channels USING btree (failing_since) WHERE ((failing_since IS NOT NULL) AND (status = 'enabled'::text));

CREATE INDEX notification_channels_sealed_under ON public.notification_channels USING btree (sealed_under);

CREATE INDEX notification_messages_by_channel ON public.notification_messages USING btree (organization_id, channel_id, due_at);

CREATE INDEX notification_messages_by_person ON public.notification_messages USING btree (organization_id, user_id, due_at);

CREATE INDEX notification_messages_due ON public.notification_messages USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX notification_messages_sent ON public.notification_messages USING btree (sent_at) WHERE (due_at IS NULL);

CREATE INDEX notifications_by_age ON public.notifications USING btree (created_at);

CREATE INDEX notifications_by_person ON public.notifications USING btree (organization_id, user_id, created_at DESC, id DESC);

CREATE INDEX notifications_unread ON public.notifications USING btree (organization_id, user_id, created_at DESC, id DESC) WHERE (read_at IS NULL);

CREATE INDEX organizations_ahead ON public.organizations USING btree (id) WHERE (clock_ahead_ms > 0);

CREATE INDEX profiles_by_client ON public.profiles USING btree (organization_id, client_id) WHERE (client_id IS NOT NULL);

CREATE INDEX profiles_by_creation ON public.profiles USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX profiles_by_name ON public.profiles USING btree (organization_id, name_folded, id);

CREATE INDEX profiles_by_proxy ON public.profiles USING btree (organization_id, proxy_id) WHERE (proxy_id IS NOT NULL);

CREATE INDEX profiles_by_update ON public.profiles USING btree (organization_id, updated_at DESC, id DESC);

CREATE INDEX profiles_connected ON public.profiles USING btree (organization_id, id) WHERE (connector_state = 'connected'::text);

CREATE UNIQUE INDEX profiles_external_id_key ON public.profiles USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);

CREATE INDEX proxies_by_creation ON public.proxies USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX proxies_by_name ON public.proxies USING btree (organization_id, name_folded, id);

CREATE INDEX proxies_by_update ON public.proxies USING btree (organization_id, updated_at DESC, id DESC);

CREATE INDEX proxies_due ON public.proxies USING btree (next_check_at, organization_id, id) WHERE enabled;

CREATE UNIQUE INDEX proxies_external_id_key ON public.proxies USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);

CREATE INDEX proxies_failing ON public.proxies USING btree (organization_id, id) WHERE (status = 'failing'::text);

CREATE INDEX rate_limits_expires_at ON public.rate_limits USING btree (expires_at);

CREATE INDEX report_links_by_report ON public.report_links USING btree (organization_id, report_id, created_at DESC, id DESC);

CREATE INDEX report_links_by_token ON public.report_links USING btree (token_hash);

CREATE INDEX report_schedules_by_report ON public.report_schedules USING btree (organization_id, report_id, created_at DESC, id DESC);

CREATE INDEX report_schedules_due ON public.report_schedules USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX report_snapshots_by_report ON public.report_snapshots USING btree (organization_id, report_id, created_at DESC, id DESC);

CREATE INDEX reports_by_client ON public.reports USING btree (organization_id, client_id) WHERE (client_id IS NOT NULL);

CREATE INDEX reports_by_creation ON public.reports USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX reports_by_name ON public.reports USING btree (organization_id, name_folded, id);

CREATE INDEX reports_by_update ON public.reports USING btree (organization_id, updated_at DESC, id DESC);

CREATE INDEX result_days_by_profile ON public.result_days USING btree (organization_id, profile_id, date);

CREATE INDEX result_months_by_month ON public.result_months USING btree (organization_id, month);

CREATE INDEX result_months_with_credits ON public.result_months USING btree (organization_id, month) WHERE (adjustment_minor < 0);

CREATE INDEX results_by_spend ON public.results USING btree (organization_id, date, source, spend_minor DESC, campaign_id DESC);

CREATE INDEX scim_group_members_by_user ON public.scim_group_members USING btree (organization_id, user_id);

CREATE INDEX sessions_by_end ON public.sessions USING btree (LEAST(ended_at, expires_at));

CREATE INDEX sessions_by_user ON public.sessions USING btree (organization_id, user_id, created_at DESC, id DESC);

CREATE INDEX sso_answers_by_end ON public.sso_answers USING btree (expires_at);

CREATE INDEX sso_settings_sealed_under ON public.sso_settings USING btree (sealed_under);

CREATE INDEX templates_by_creation ON public.templates USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX templates_by_name ON public.templates USING btree (organization_id, name_folded, id);

CREATE INDEX templates_by_update ON public.templates USING btree (organization_id, updated_at DESC, id DESC);

CREATE UNIQUE INDEX templates_external_id_key ON public.templates USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);

CREATE INDEX users_by_creation ON public.users USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX users_by_name ON public.users USING btree (organization_id, name_folded, id);

CREATE INDEX users_by_update ON public.users USING btree (organization_id, updated_at DESC, id DESC);

CREATE INDEX views_by_author ON public.views USING btree (organization_id, created_by);

CREATE INDEX views_by_creation ON public.views USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX views_by_name ON public.views USING btree (organization_id, name_folded, id);

CREATE INDEX views_by_update ON public.views USING btree (organization_id, updated_at DESC, id DESC);

CREATE INDEX webhook_deliveries_by_creation ON public.webhook_deliveries USING btree (endpoint_id, created_at DESC, id DESC);

CREATE INDEX webhook_deliveries_by_event ON public.webhook_deliveries USING btree (event_id);

CREATE INDEX webhook_deliveries_by_hand ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at, id) WHERE ((status = 'pending'::text) AND (trigger = ANY (ARRAY['test'::text, 'manual'::text])));

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at, id) WHERE (status = 'pending'::text);

CREATE INDEX webhook_deliveries_due_anywhere ON public.webhook_deliveries USING btree (next_attempt_at) WHERE (status = 'pending'::text);

CREATE INDEX webhook_deliveries_unsuccessful ON public.webhook_deliveries USING btree (organization_id, id) WHERE (status <> 'succeeded'::text);

CREATE INDEX webhook_endpoints_by_creation ON public.webhook_endpoints USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX webhook_endpoints_given_up ON public.webhook_endpoints USING btree (organization_id, id) WHERE ((status = 'disabled'::text) AND (disabled_reason <> 'manual'::text));

CREATE VIEW campaign_details AS
 SELECT campaigns.organization_id,
    campaigns.id,
    campaigns.name,
    campaigns.objective,
    campaigns.profile_id,
    campaigns.status,
    campaigns.status_reason,
    campaigns.status_before_archive,
    campaigns.daily_budget_minor,
    campaigns.lifetime_budget_minor,
    campaigns.currency,
    campaigns.currency_exponent,
    campaigns.start_at,
    campaigns.end_at,
    campaigns.time_zone,
    campaigns.external_id,
    campaigns.labels,
    campaigns.metadata,
    campaigns.notes,
    campaigns.template_id,
    campaigns.template_version,
    campaigns.locked_fields,
    campaigns.version,
    campaigns.created_at,
    campaigns.updated_at,
    campaigns.launched_at,
    campaigns.completed_at,
    campaigns.archived_at,
    campaigns.created_by,
    campaigns.updated_by,
    campaigns.schedule,
    campaigns.review,
    campaigns.approved,
    campaigns.daily_cost_minor,
    campaigns.overridden,
    campaigns.name_folded,
    campaigns.plain_name_folded,
    campaigns.status_change,
    campaigns.deployment,
    profiles.status AS profile_status,
    profiles.currency AS profile_currency,
    profiles.time_zone AS profile_time_zone,
    profiles.daily_budget_cap_minor AS profile_cap_minor,
    profiles.monthly_spend_cap_minor AS profile_spend_cap_minor,
    profiles.spent_month AS profile_spent_month,
    profiles.spent_minor AS profile_spent_minor,
    profiles.connector_state,
    proxies.status AS proxy_status,
    guardrails.rules AS guardrails,
    campaign_pacing.capped_minor,
    clients.month_spending AS client_spending,
    campaigns.target
   FROM campaigns
     JOIN profiles ON profiles.organization_id = campaigns.organization_id AND profiles.id = campaigns.profile_id
     LEFT JOIN proxies ON proxies.organization_id = profiles.organization_id AND proxies.id = profiles.proxy_id
     LEFT JOIN clients ON clients.organization_id = profiles.organization_id AND clients.id = profiles.client_id
     LEFT JOIN guardrails ON guardrails.organization_id = campaigns.organization_id
     LEFT JOIN campaign_pacing ON campaign_pacing.organization_id = campaigns.organization_id AND campaign_pacing.id = campaigns.id;

CREATE VIEW profile_details AS
 SELECT profiles.organization_id,
    profiles.id,
    profiles.name,
    profiles.platform,
    profiles.account_ref,
    profiles.currency,
    profiles.time_zone,
    profiles.country,
    profiles.proxy_id,
    profiles.status,
    profiles.credential_ref,
    profiles.labels,
    profiles.metadata,
    profiles.notes,
    profiles.version,
    profiles.created_at,
    profiles.updated_at,
    profiles.created_by,
    profiles.updated_by,
    profiles.daily_budget_cap_minor,
    profiles.external_id,
    profiles.name_folded,
    profiles.monthly_spend_cap_minor,
    profiles.spent_month,
    profiles.spent_minor,
    profiles.plain_name_folded,
    profiles.client_id,
    profiles.connector_state,
    clients.name AS client,
    clients.nfkc_name_folded AS client_folded
   FROM profiles
     LEFT JOIN clients ON clients.organization_id = profiles.organization_id AND clients.id = profiles.client_id;

CREATE VIEW profile_facts AS
 SELECT profiles.organization_id,
    profiles.id,
    profiles.status AS profile_status,
    profiles.currency AS profile_currency,
    profiles.time_zone AS profile_time_zone,
    profiles.daily_budget_cap_minor AS profile_cap_minor,
    profiles.monthly_spend_cap_minor AS profile_spend_cap_minor,
    profiles.spent_month AS profile_spent_month,
    profiles.spent_minor AS profile_spent_minor,
    profiles.connector_state,
    proxies.status AS proxy_status,
    guardrails.rules AS guardrails,
    clients.month_spending AS client_spending
   FROM profiles
     LEFT JOIN proxies ON proxies.organization_id = profiles.organization_id AND proxies.id = profiles.proxy_id
     LEFT JOIN clients ON clients.organization_id = profiles.organization_id AND clients.id = profiles.client_id
     LEFT JOIN guardrails ON guardrails.organization_id = profiles.organization_id;

CREATE OR REPLACE FUNCTION public.is_writable(name text, external_id text, notes text, labels text[], metadata jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.labels_within(organization_id text, labels text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT ((labels_within.organization_id || ' '::text) || each.label) FROM unnest(labels_within.labels) each(label));

CREATE OR REPLACE FUNCTION public.oldest_sealed_under(secrets jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT min(sealed_under((secret.value ->> 'sealed'::text))) AS min FROM jsonb_array_elements(oldest_sealed_under.secrets) secret(value));

CREATE OR REPLACE FUNCTION public.plain_text(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace((NORMALIZE(replace(replace($1, 'ß'::text, 'ss'::text), 'ẞ'::text, 'SS'::text), NFKD) COLLATE "C"), '[\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3\u07FD\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u08E1\u08E3-\u0903\u093A-\u093C\u093E-\u094F\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09BC\u09BE-\u09C4\u09C7-\u09C8\u09CB-\u09CD\u09D7\u09E2-\u09E3\u09FE\u0A01-\u0A03\u0A3C\u0A3E-\u0A42\u0A47-\u0A48\u0A4B-\u0A4D\u0A51\u0A70-\u0A71\u0A75\u0A81-\u0A83\u0ABC\u0ABE-\u0AC5\u0AC7-\u0AC9\u0ACB-\u0ACD\u0AE2-\u0AE3\u0AFA-\u0AFF\u0B01-\u0B03\u0B3C\u0B3E-\u0B44\u0B47-\u0B48\u0B4B-\u0B4D\u0B55-\u0B57\u0B62-\u0B63\u0B82\u0BBE-\u0BC2\u0BC6-\u0BC8\u0BCA-\u0BCD\u0BD7\u0C00-\u0C04\u0C3C\u0C3E-\u0C44\u0C46-\u0C48\u0C4A-\u0C4D\u0C55-\u0C56\u0C62-\u0C63\u0C81-\u0C83\u0CBC\u0CBE-\u0CC4\u0CC6-\u0CC8\u0CCA-\u0CCD\u0CD5-\u0CD6\u0CE2-\u0CE3\u0CF3\u0D00-\u0D03\u0D3B-\u0D3C\u0D3E-\u0D44\u0D46-\u0D48\u0D4A-\u0D4D\u0D57\u0D62-\u0D63\u0D81-\u0D83\u0DCA\u0DCF-\u0DD4\u0DD6\u0DD8-\u0DDF\u0DF2-\u0DF3\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECE\u0F18-\u0F19\u0F35\u0F37\u0F39\u0F3E-\u0F3F\u0F71-\u0F84\u0F86-\u0F87\u0F8D-\u0F97\u0F99-\u0FBC\u0FC6\u102B-\u103E\u1056-\u1059\u105E-\u1060\u1062-\u1064\u1067-\u106D\u1071-\u1074\u1082-\u108D\u108F\u109A-\u109D\u135D-\u135F\u1712-\u1715\u1732-\u1734\u1752-\u1753\u1772-\u1773\u17B4-\u17D3\u17DD\u180B-\u180D\u180F\u1885-\u1886\u18A9\u1920-\u192B\u1930-\u193B\u1A17-\u1A1B\u1A55-\u1A5E\u1A60-\u1A7C\u1A7F\u1AB0-\u1ADD\u1AE0-\u1AEB\u1B00-\u1B04\u1B34-\u1B44\u1B6B-\u1B73\u1B80-\u1B82\u1BA1-\u1BAD\u1BE6-\u1BF3\u1C24-\u1C37\u1CD0-\u1CD2\u1CD4-\u1CE8\u1CED\u1CF4\u1CF7-\u1CF9\u1DC0-\u1DFF\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF\u302A-\u302F\u3099-\u309A\uA66F-\uA672\uA674-\uA67D\uA69E-\uA69F\uA6F0-\uA6F1\uA802\uA806\uA80B\uA823-\uA827\uA82C\uA880-\uA881\uA8B4-\uA8C5\uA8E0-\uA8F1\uA8FF\uA926-\uA92D\uA947-\uA953\uA980-\uA983\uA9B3-\uA9C0\uA9E5\uAA29-\uAA36\uAA43\uAA4C-\uAA4D\uAA7B-\uAA7D\uAAB0\uAAB2-\uAAB4\uAAB7-\uAAB8\uAABE-\uAABF\uAAC1\uAAEB-\uAAEF\uAAF5-\uAAF6\uABE3-\uABEA\uABEC-\uABED\uFB1E\uFE00-\uFE0F\uFE20-\uFE2F\U000101FD\U000102E0\U00010376-\U0001037A\U00010A01-\U00010A03\U00010A05-\U00010A06\U00010A0C-\U00010A0F\U00010A38-\U00010A3A\U00010A3F\U00010AE5-\U00010AE6\U00010D24-\U00010D27\U00010D69-\U00010D6D\U00010EAB-\U00010EAC\U00010EFA-\U00010EFF\U00010F46-\U00010F50\U00010F82-\U00010F85\U00011000-\U00011002\U00011038-\U00011046\U00011070\U00011073-\U00011074\U0001107F-\U00011082\U000110B0-\U000110BA\U000110C2\U00011100-\U00011102\U00011127-\U00011134\U00011145-\U00011146\U00011173\U00011180-\U00011182\U000111B3-\U000111C0\U000111C9-\U000111CC\U000111CE-\U000111CF\U0001122C-\U00011237\U0001123E\U00011241\U000112DF-\U000112EA\U00011300-\U00011303\U0001133B-\U0001133C\U0001133E-\U00011344\U00011347-\U00011348\U0001134B-\U0001134D\U00011357\U00011362-\U00011363\U00011366-\U0001136C\U00011370-\U00011374\U000113B8-\U000113C0\U000113C2\U000113C5\U000113C7-\U000113CA\U000113CC-\U000113D0\U000113D2\U000113E1-\U000113E2\U00011435-\U00011446\U0001145E\U000114B0-\U000114C3\U000115AF-\U000115B5\U000115B8-\U000115C0\U000115DC-\U000115DD\U00011630-\U00011640\U000116AB-\U000116B7\U0001171D-\U0001172B\U0001182C-\U0001183A\U00011930-\U00011935\U00011937-\U00011938\U0001193B-\U0001193E\U00011940\U00011942-\U00011943\U000119D1-\U000119D7\U000119DA-\U000119E0\U000119E4\U00011A01-\U00011A0A\U00011A33-\U00011A39\U00011A3B-\U00011A3E\U00011A47\U00011A51-\U00011A5B\U00011A8A-\U00011A99\U00011B60-\U00011B67\U00011C2F-\U00011C36\U00011C38-\U00011C3F\U00011C92-\U00011CA7\U00011CA9-\U00011CB6\U00011D31-\U00011D36\U00011D3A\U00011D3C-\U00011D3D\U00011D3F-\U00011D45\U00011D47\U00011D8A-\U00011D8E\U00011D90-\U00011D91\U00011D93-\U00011D97\U00011EF3-\U00011EF6\U00011F00-\U00011F01\U00011F03\U00011F34-\U00011F3A\U00011F3E-\U00011F42\U00011F5A\U00013440\U00013447-\U00013455\U0001611E-\U0001612F\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U00016F4F\U00016F51-\U00016F87\U00016F8F-\U00016F92\U00016FE4\U00016FF0-\U00016FF1\U0001BC9D-\U0001BC9E\U0001CF00-\U0001CF2D\U0001CF30-\U0001CF46\U0001D165-\U0001D169\U0001D16D-\U0001D172\U0001D17B-\U0001D182\U0001D185-\U0001D18B\U0001D1AA-\U0001D1AD\U0001D242-\U0001D244\U0001DA00-\U0001DA36\U0001DA3B-\U0001DA6C\U0001DA75\U0001DA84\U0001DA9B-\U0001DA9F\U0001DAA1-\U0001DAAF\U0001E000-\U0001E006\U0001E008-\U0001E018\U0001E01B-\U0001E021\U0001E023-\U0001E024\U0001E026-\U0001E02A\U0001E08F\U0001E130-\U0001E136\U0001E2AE\U0001E2EC-\U0001E2EF\U0001E4EC-\U0001E4EF\U0001E5EE-\U0001E5EF\U0001E6E3\U0001E6E6\U0001E6EE-\U0001E6EF\U0001E6F5\U0001E8D0-\U0001E8D6\U0001E944-\U0001E94A\U000E0100-\U000E01EF]'::text, ''::text, 'g'::text);

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('flightdeck.pruning', true) = 'on' then
    if tg_op = 'DELETE' then
      return old;
    end if;
    if tg_op = 'UPDATE' and to_jsonb(new) - 'stored_on' = to_jsonb(old) - 'stored_on' then
      return new;
    end if;
  end if;
  raise exception 'audit records cannot be changed or deleted' using errcode = 'restrict_violation';
end
$function$;

CREATE OR REPLACE FUNCTION public.sealed_under(sealed text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (sealed ~ '^[0-9]{1,9}\.'::text) THEN (split_part(sealed, '.'::text, 1))::integer ELSE 1 END;

CREATE TRIGGER audit_checkpoints_are_final BEFORE DELETE OR UPDATE ON public.audit_checkpoints FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_checkpoints_are_never_emptied BEFORE TRUNCATE ON public.audit_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_logs_are_final BEFORE DELETE OR UPDATE ON public.audit_logs FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_logs_are_never_emptied BEFORE TRUNCATE ON public.audit_logs FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
