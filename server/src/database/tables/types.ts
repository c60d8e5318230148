// Made from the migrated schema by "npm run generate": do not edit.
import type { ColumnType } from 'kysely'
import type {
  Actor,
  AgentRefusal,
  AgentTerms,
  Amounts,
  Approved,
  AttemptError,
  ChangeSetFailure,
  ChangeSetSummary,
  Changes,
  ChannelFilter,
  ClientSpending,
  CodeHashes,
  Coverage,
  CreationIntent,
  DeploymentError,
  DeploymentPlan,
  DeploymentSummary,
  DriftedField,
  FormerApproval,
  Guardrails,
  Headers,
  LastCheck,
  ManagedField,
  Metadata,
  NetworkAccount,
  NetworkCheck,
  NetworkCredential,
  NetworkDelivery,
  NetworkSettings,
  Notice,
  ObservedPlan,
  OperationProblem,
  OperationResult,
  OperationWarning,
  Overridden,
  PacingFigures,
  PacingPlan,
  PreviousSecret,
  ReplacedToken,
  ReportFilter,
  ReportPeriod,
  ReportSection,
  ReportTexts,
  RequestFacts,
  Resource,
  Review,
  RoleMap,
  Schedule,
  Scope,
  SnapshotContent,
  SpendDelta,
  SpentDays,
  StatusChange,
  Target,
  TemplateDefaults,
  Transports,
} from './json-columns.ts'

export type Json<T = unknown> = ColumnType<T, string, string>
type Defaulted<T> = [T] extends [ColumnType<infer S, infer I, infer U>]
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>
type Computed<T> = ColumnType<T, never, never>
/** Not a part of a row: written with the name, and read only by lists. */
type SortKey<T> = ColumnType<never, T, T>

/** Timestamps are RFC 3339 texts in UTC with milliseconds; bigints are safe integers. */
export type Tables = {
  account_links: {
    organization_id: string
    id: string
    kind: 'invitation' | 'password_reset'
    subject_id: string
    secret_hash: string
    created_at: string
    expires_at: string
    ended_at: string | null
  }
  api_keys: {
    organization_id: string
    id: string
    name: string
    role: 'owner' | 'admin' | 'editor' | 'viewer' | 'auditor' | 'reporter' | 'connector' | 'provisioner'
    key_hash: string
    key_hint: string
    expires_at: string | null
    last_used_at: string | null
    revoked_at: string | null
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
    maker_id: string | null
    name_folded: SortKey<string>
    plain_name_folded: SortKey<string | null>
    scope: Json<Scope> | null
    agent: Json<AgentTerms> | null
    stopped_at: string | null
    stopped_by: string | null
    stop_reason: string | null
    refusals: Defaulted<Json<AgentRefusal[]>>
  }
  audit_anchors: {
    organization_id: string
    sequence: number
    hash: string
    pruned_at: string
    seal: string
  }
  audit_checkpoints: {
    organization_id: string
    sequence: number
    id: Computed<string>
    head_hash: string
    signed_at: string
    key_id: string
    signature: string
  }
  audit_logs: {
    organization_id: string
    sequence: number
    id: string
    occurred_at: string
    action: string
    outcome: 'success' | 'denied' | 'failed'
    actor: Json<Actor>
    resource: Json<Resource>
    changes: Json<Changes>
    reason: string | null
    request: Json<RequestFacts> | null
    prev_hash: string
    hash: string
    stored_on: string
    change_set_id: string | null
  }
  audit_verifications: {
    organization_id: string
    due_at: string
    verified_at: string
    sequence: number
    broken_at: number | null
  }
  audited_name_states: {
    organization_id: string
    through: number
  }
  audited_names: {
    organization_id: string
    id: string
    keys: number[]
  }
  campaign_counts: {
    organization_id: string
    profile_id: string
    status: string
    objective: string
    currency: string
    campaigns: number
  }
  campaign_details: {
    organization_id: string
    id: string
    name: string
    objective: 'awareness' | 'reach' | 'traffic' | 'engagement' | 'video_views' | 'leads' | 'app_promotion' | 'conversions' | 'sales'
    profile_id: string
    status: 'draft' | 'pending_review' | 'scheduled' | 'active' | 'paused' | 'completed' | 'archived'
    status_reason: string | null
    status_before_archive: 'draft' | 'pending_review' | 'scheduled' | 'active' | 'paused' | 'completed' | 'archived' | null
    daily_budget_minor: number | null
    lifetime_budget_minor: number | null
    currency: string
    currency_exponent: number
    start_at: string | null
    end_at: string | null
    time_zone: string
    external_id: string | null
    labels: string[]
    metadata: Json<Metadata>
    notes: string | null
    template_id: string | null
    template_version: number | null
    locked_fields: string[]
    version: number
    created_at: string
    updated_at: string
    launched_at: string | null
    completed_at: string | null
    archived_at: string | null
    created_by: string | null
    updated_by: string | null
    schedule: Json<Schedule> | null
    review: Json<Review> | null
    approved: Json<Approved | FormerApproval> | null
    daily_cost_minor: number | null
    overridden: Json<Overridden> | null
    name_folded: SortKey<string>
    plain_name_folded: SortKey<string | null>
    status_change: Json<StatusChange> | null
    deployment: Json<DeploymentSummary> | null
    profile_status: string | null
    profile_currency: string | null
    profile_time_zone: string | null
    profile_cap_minor: number | null
    profile_spend_cap_minor: number | null
    profile_spent_month: string | null
    profile_spent_minor: number | null
    connector_state: string | null
    proxy_status: string | null
    guardrails: Json<Guardrails> | null
    capped_minor: number | null
    client_spending: Json<ClientSpending> | null
    target: Json<Target> | null
  }
  campaign_metrics: {
    organization_id: string
    id: string
    metric_window: '7d' | '14d' | '30d' | 'this_month' | 'last_month'
    spend: number
    impressions: number | null
    clicks: number | null
    conversions: number | null
    ctr: number | null
    cpc: number | null
    cpm: number | null
    cpa: number | null
    roas: number | null
  }
  campaign_pacing: {
    organization_id: string
    id: string
    name: string
    profile_id: string
    campaign_status: 'draft' | 'pending_review' | 'scheduled' | 'active' | 'paused' | 'completed' | 'archived'
    currency: string
    currency_exponent: number
    status: 'not_running' | 'no_data' | 'exhausted' | 'stale' | 'low_confidence' | 'critical' | 'over' | 'under' | 'on_track' | null
    money_at_risk: number | null
    spent_minor: number | null
    figures: Json<PacingFigures> | null
    plan: Json<PacingPlan> | null
    plan_key: string | null
    reported_at: string | null
    due_at: string
    revision: number
    spent_days: Json<SpentDays> | null
    capped_minor: number | null
    planned_from: string | null
    planned_minors: number[] | null
    planned_version: number | null
    begins_on: string | null
  }
  campaign_performance: {
    organization_id: string
    id: string
    status: 'on_target' | 'off_target' | 'low_data' | 'no_data' | null
    performance_index: number | null
    target: Json<Target> | null
    due_at: string | null
    revision: number
  }
  campaign_search: {
    organization_id: string
    id: string
    keys: number[]
  }
  campaign_search_states: {
    organization_id: string
    through: number
    built_to: string | null
  }
  campaign_words: {
    organization_id: string
    word: string
    keys: number[]
  }
  campaigns: {
    organization_id: string
    id: string
    name: string
    objective: 'awareness' | 'reach' | 'traffic' | 'engagement' | 'video_views' | 'leads' | 'app_promotion' | 'conversions' | 'sales'
    profile_id: string
    status: 'draft' | 'pending_review' | 'scheduled' | 'active' | 'paused' | 'completed' | 'archived'
    status_reason: string | null
    status_before_archive: 'draft' | 'pending_review' | 'scheduled' | 'active' | 'paused' | 'completed' | 'archived' | null
    daily_budget_minor: number | null
    lifetime_budget_minor: number | null
    currency: string
    currency_exponent: number
    start_at: string | null
    end_at: string | null
    time_zone: string
    external_id: string | null
    labels: string[]
    metadata: Json<Metadata>
    notes: string | null
    template_id: string | null
    template_version: number | null
    locked_fields: Defaulted<string[]>
    version: number
    created_at: string
    updated_at: string
    launched_at: string | null
    completed_at: string | null
    archived_at: string | null
    created_by: string | null
    updated_by: string | null
    schedule: Json<Schedule> | null
    review: Json<Review> | null
    approved: Json<Approved | FormerApproval> | null
    daily_cost_minor: number | null
    overridden: Json<Overridden> | null
    name_folded: SortKey<string>
    plain_name_folded: SortKey<string | null>
    status_change: Json<StatusChange> | null
    deployment: Json<DeploymentSummary> | null
    target: Json<Target> | null
  }
  change_set_operations: {
    organization_id: string
    id: string
    change_set_id: string
    index: number
    resource: 'campaign' | 'client' | 'profile' | 'proxy' | 'template'
    op: 'create' | 'update' | 'action' | 'delete'
    action: string | null
    ref: string | null
    object_id: string | null
    target: string | null
    version_given: number | null
    body: string | null
    body_sealed: string | null
    effect: 'create' | 'update' | 'action' | 'delete' | 'unchanged' | 'failed'
    name: string | null
    version_seen: number | null
    changes: Json<Changes>
    warnings: Json<OperationWarning[]>
    problem: Json<OperationProblem> | null
    result: Json<OperationResult> | null
    network_check: Json<NetworkCheck> | null
  }
  change_sets: {
    organization_id: string
    id: string
    title: string
    description: string | null
    source_kind: 'console' | 'cli' | 'agent' | 'api'
    source_reference: string | null
    mode: 'atomic' | 'partial'
    status: 'open' | 'approved' | 'rejected' | 'scheduled' | 'applied' | 'reverted' | 'failed' | 'cancelled' | 'expired'
    operation_count: number
    summary: Json<ChangeSetSummary>
    spend_delta: Json<SpendDelta[]>
    approval_required: boolean
    approval_reasons: string[]
    applicable: boolean
    tried_at: string
    expires_in_hours: number
    expires_at: string
    apply_at: string | null
    revert_at: string | null
    timed_by: string | null
    approved_by: string | null
    approved_at: string | null
    rejected_by: string | null
    rejected_reason: string | null
    applied_by: string | null
    applied_at: string | null
    reverted_at: string | null
    failure: Json<ChangeSetFailure> | null
    ended_at: string | null
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
    envelope_use: Json<Amounts> | null
  }
  client_budgets: {
    organization_id: string
    client_id: string
    month: string
    amounts: Json<Amounts>
    note: string | null
    version: number
    updated_at: string
    updated_by: string | null
  }
  client_pacing: {
    organization_id: string
    id: string
    client_id: string
    month: string
    currency: string
    currency_exponent: number
    planned_minors: number[] | null
    complete_through: string | null
    reported_at: string | null
    is_running: boolean
    status: 'not_running' | 'no_data' | 'exhausted' | 'stale' | 'low_confidence' | 'critical' | 'over' | 'under' | 'on_track' | null
    money_at_risk: number | null
  }
  client_pacing_due: {
    organization_id: string
    client_id: string
    due_at: string
    revision: number
  }
  clients: {
    organization_id: string
    id: string
    name: string
    name_folded: SortKey<string>
    plain_name_folded: SortKey<string | null>
    nfkc_name_folded: SortKey<string>
    external_id: string | null
    currency: string | null
    time_zone: string | null
    status: 'active' | 'archived'
    labels: string[]
    metadata: Json<Metadata>
    notes: string | null
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
    month_spending: Json<ClientSpending> | null
  }
  connections: {
    organization_id: string
    id: string
    lease_id: string | null
    fence: number
    connected_since: string | null
    account: Json<NetworkAccount> | null
    credential: Json<NetworkCredential> | null
    error: Json<DeploymentError> | null
    warned_days: number | null
    last_seen_at: string | null
    pass: Defaulted<number>
    pass_since: string | null
    listed_at: string | null
  }
  connector_leases: {
    organization_id: string
    id: string
    api_key_id: string
    instance: string
    adapter: string
    adapter_version: string
    platform: string
    api_version: string
    api_sunset: string | null
    fence: number
    expires_at: string
    created_at: string
  }
  deployments: {
    organization_id: string
    id: string
    campaign_id: string
    profile_id: string
    platform: string
    mode: 'create' | 'link'
    network_object_id: string | null
    network_url: string | null
    managed_fields: Json<ManagedField[]> | null
    drift_policy: 'report' | 'overwrite'
    settings: Json<NetworkSettings>
    state: 'pending' | 'in_sync' | 'drifted' | 'failed' | 'blocked' | 'removing' | 'removed'
    state_since: string
    generation: number
    applied_generation: number
    account_ref: string | null
    desired: Json<DeploymentPlan>
    observed: Json<ObservedPlan> | null
    drift: Json<DriftedField[]>
    coverage: Json<Coverage>
    network_delivery: Json<NetworkDelivery> | null
    error: Json<DeploymentError> | null
    attempts: number
    retry_at: string | null
    is_withheld: boolean
    requested: 'check' | 'retry' | 'overwrite' | 'remove' | null
    intent: Json<CreationIntent> | null
    last_applied_at: string | null
    last_seen_at: string | null
    due_at: string | null
    work_at: string | null
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
  }
  events: {
    organization_id: string
    sequence: number
    id: string
    type: string
    occurred_at: string
    body: string
  }
  factors: {
    organization_id: string
    id: string
    user_id: string
    kind: 'totp' | 'passkey' | 'recovery_codes'
    name: string
    secret_sealed: string | null
    last_step: number | null
    code_hashes: Json<CodeHashes> | null
    challenge: string | null
    credential_id: string | null
    public_key: string | null
    sign_count: number | null
    transports: Json<Transports> | null
    verified_at: string | null
    last_used_at: string | null
    created_at: string
    expires_at: string | null
  }
  former_objects: {
    organization_id: string
    profile_id: string
    id: string
    campaign_id: string
    ended_at: string
  }
  guardrails: {
    organization_id: string
    rules: Json<Guardrails>
    version: number
    updated_at: string
    updated_by: string | null
  }
  idempotency_keys: {
    organization_id: string
    scope: string
    fingerprint: string
    status: number
    event_sequence: number | null
    body: string | null
    created_at: string
  }
  installation: {
    only_row: Defaulted<boolean>
    id: Defaulted<string>
    issuer: string | null
    issuer_since: string | null
  }
  invitations: {
    organization_id: string
    id: string
    email: string
    name: string | null
    role: 'owner' | 'admin' | 'editor' | 'viewer' | 'auditor'
    scope: Json<Scope> | null
    expires_at: string
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
  }
  leases: {
    name: string
    holder: string
    expires_at: string
  }
  login_challenges: {
    organization_id: string
    id: string
    user_id: string
    secret_hash: string
    passkey_challenge: string | null
    tries: number
    created_at: string
    expires_at: string
    ended_at: string | null
  }
  login_codes: {
    code_hash: string
    secret_hash: string
    ip: string | null
    user_agent: string | null
    created_at: string
    expires_at: string
    organization_id: string | null
    user_id: string | null
    session_id: string | null
    refused: boolean
    used_at: string | null
  }
  login_networks: {
    organization_id: string
    user_id: string
    network: string
    last_login_at: string
  }
  mails: {
    organization_id: string
    id: string
    content: string
    attempts: number
    due_at: string
    created_at: string
    can_wait: Defaulted<boolean>
  }
  master_keys: {
    id: number
    proof: string
    key_sealed: string | null
    active_since: string | null
  }
  network_campaigns: {
    organization_id: string
    profile_id: string
    id: string
    name: string
    name_folded: SortKey<string>
    plain_name_folded: SortKey<string | null>
    status: 'active' | 'paused' | 'scheduled' | 'ended'
    facts: Json<ObservedPlan>
    pass: number
    gone: boolean
    last_seen_at: string
  }
  notification_channels: {
    organization_id: string
    id: string
    kind: 'email' | 'slack' | 'teams' | 'google_chat' | 'webhook'
    name: string
    name_folded: SortKey<string>
    plain_name_folded: SortKey<string | null>
    shown_target: string
    content: string
    events: string[]
    filter: Json<ChannelFilter> | null
    digest: 'none' | 'hourly' | 'daily'
    status: 'enabled' | 'disabled'
    disabled_reason: string | null
    last_success_at: string | null
    last_failure_at: string | null
    last_error: string | null
    consecutive_failures: number
    failing_since: string | null
    paused_until: string | null
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
  }
  notification_cursors: {
    organization_id: string
    sequence: number
  }
  notification_messages: {
    organization_id: string
    id: string
    channel_id: string | null
    user_id: string | null
    type: string
    object_id: string
    event_id: string
    content: Json<Notice>
    count: number
    attempts: number
    created_at: string
    happened_at: string
    due_at: string | null
    sent_at: string | null
  }
  notification_settings: {
    organization_id: string
    user_id: string
    approvals_waiting: string
    my_change_sets: string
    pacing: string
    deployments: string
    security: string
    digest: 'none' | 'hourly' | 'daily'
    updated_at: string
  }
  notifications: {
    organization_id: string
    id: string
    user_id: string
    category: 'approvals_waiting' | 'my_change_sets' | 'pacing' | 'deployments' | 'security'
    type: string
    object_id: string
    event_id: string
    content: Json<Notice>
    count: number
    created_at: string
    updated_at: string
    read_at: string | null
  }
  organization_heads: {
    organization_id: string
    audit_sequence: Defaulted<number>
    audit_hash: Defaulted<string>
    event_sequence: Defaulted<number>
    counts: Defaulted<Json>
    stored_bytes: Defaulted<number>
    bytes_measured_at: string | null
    bytes_warned_limit: number | null
  }
  organizations: {
    id: string
    name: string
    plan: 'free' | 'operator' | 'captain' | 'zion'
    status: Defaulted<'active' | 'suspended'>
    require_if_match: Defaulted<boolean>
    version: Defaulted<number>
    created_at: string
    updated_at: string
    sandbox: Defaulted<boolean>
    clock_ahead_ms: Defaulted<number>
    time_zone: Defaulted<string>
    require_second_factor: Defaulted<boolean>
  }
  passkey_owners: {
    credential_id: string
    organization_id: string
    user_id: string
  }
  processes: {
    id: string
    role: string
    url: string
    host: string
    pid: number
    version: string
    started_at: string
    settings: Json
    known_keys: Defaulted<number[]>
    sealing_key: number | null
    revision: string | null
  }
  profile_details: {
    organization_id: string
    id: string
    name: string
    platform: 'google_ads' | 'meta' | 'tiktok' | 'linkedin' | 'amazon_ads' | 'microsoft_ads' | 'pinterest' | 'snapchat' | 'reddit' | 'x' | 'sim' | 'other'
    account_ref: string | null
    currency: string | null
    time_zone: string
    country: string | null
    proxy_id: string | null
    status: 'active' | 'paused' | 'suspended' | 'archived'
    credential_ref: string | null
    labels: string[]
    metadata: Json<Metadata>
    notes: string | null
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
    daily_budget_cap_minor: number | null
    external_id: string | null
    name_folded: SortKey<string>
    monthly_spend_cap_minor: number | null
    spent_month: string | null
    spent_minor: number | null
    plain_name_folded: SortKey<string | null>
    client_id: string | null
    connector_state: 'connected' | 'stale' | null
    client: string | null
    client_folded: SortKey<string | null>
  }
  profile_facts: {
    organization_id: string | null
    id: string | null
    profile_status: string | null
    profile_currency: string | null
    profile_time_zone: string | null
    profile_cap_minor: number | null
    profile_spend_cap_minor: number | null
    profile_spent_month: string | null
    profile_spent_minor: number | null
    connector_state: string | null
    proxy_status: string | null
    guardrails: Json<Guardrails> | null
    client_spending: Json<ClientSpending> | null
  }
  profiles: {
    organization_id: string
    id: string
    name: string
    platform: 'google_ads' | 'meta' | 'tiktok' | 'linkedin' | 'amazon_ads' | 'microsoft_ads' | 'pinterest' | 'snapchat' | 'reddit' | 'x' | 'sim' | 'other'
    account_ref: string | null
    currency: string | null
    time_zone: string
    country: string | null
    proxy_id: string | null
    status: 'active' | 'paused' | 'suspended' | 'archived'
    credential_ref: string | null
    labels: string[]
    metadata: Json<Metadata>
    notes: string | null
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
    daily_budget_cap_minor: number | null
    external_id: string | null
    name_folded: SortKey<string>
    monthly_spend_cap_minor: number | null
    spent_month: string | null
    spent_minor: number | null
    plain_name_folded: SortKey<string | null>
    client_id: string | null
    connector_state: 'connected' | 'stale' | null
  }
  proved_domains: {
    domain: string
    organization_id: string
  }
  proxies: {
    organization_id: string
    id: string
    name: string
    protocol: 'http' | 'https' | 'socks5'
    host: string
    port: number
    username_sealed: string | null
    password_sealed: string | null
    country: string | null
    enabled: boolean
    health: Defaulted<'unchecked' | 'healthy' | 'degraded' | 'failing'>
    status: Computed<'disabled' | 'unchecked' | 'healthy' | 'degraded' | 'failing'>
    last_check: Json<LastCheck> | null
    labels: string[]
    metadata: Json<Metadata>
    notes: string | null
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
    consecutive_failures: Defaulted<number>
    consecutive_successes: Defaulted<number>
    next_check_at: string
    external_id: string | null
    name_folded: SortKey<string>
    plain_name_folded: SortKey<string | null>
  }
  rate_limits: {
    key: string
    used: number
    granted: number
    expires_at: string
  }
  report_links: {
    organization_id: string
    id: string
    report_id: string
    snapshot_id: string | null
    token_hash: string
    password_hash: string | null
    expires_at: string
    views: number
    last_viewed_at: string | null
    created_at: string
    created_by: string | null
    schedule_id: string | null
  }
  report_logos: {
    organization_id: string
    id: string
    content: string
  }
  report_schedules: {
    organization_id: string
    id: string
    report_id: string
    every: 'week' | 'month'
    day: number
    hour: number
    time_zone: string
    recipients: string[]
    link_days: number
    status: 'enabled' | 'disabled'
    disabled_reason: string | null
    next_at: string | null
    last_sent_at: string | null
    last_error: string | null
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
  }
  report_snapshots: {
    organization_id: string
    id: string
    report_id: string
    name: string
    period_from: string
    period_to: string
    content: Json<SnapshotContent>
    created_at: string
    created_by: string | null
  }
  reports: {
    organization_id: string
    id: string
    name: string
    name_folded: SortKey<string>
    plain_name_folded: SortKey<string | null>
    client_id: string | null
    filter: Json<ReportFilter> | null
    client_ids: string[]
    period: Json<ReportPeriod>
    compare: 'previous_period' | 'previous_year' | null
    sections: Json<ReportSection[]>
    texts: Json<ReportTexts>
    logo_type: 'image/png' | 'image/jpeg' | null
    logo_bytes: number | null
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
  }
  result_days: {
    organization_id: string
    date: string
    currency: string
    source: string
    row_count: number
    final_count: number
    spend_minor: number
    adjustment_minor: number
    impressions: number
    impressions_count: number
    clicks: number
    clicks_count: number
    conversions_millionths: number
    conversions_count: number
    conversion_value_minor: number
    conversion_value_count: number
    profile_id: string
  }
  result_labels: {
    organization_id: string
    date: string
    label: string
    currency: string
    source: string
    profile_id: string
    row_count: number
    final_count: number
    spend_minor: number
    adjustment_minor: number
    impressions: number
    impressions_count: number
    clicks: number
    clicks_count: number
    conversions_millionths: number
    conversions_count: number
    conversion_value_minor: number
    conversion_value_count: number
  }
  result_months: {
    organization_id: string
    campaign_id: string
    month: string
    source: string
    row_count: number
    final_count: number
    spend_minor: number
    adjustment_minor: number
    impressions: number
    impressions_count: number
    clicks: number
    clicks_count: number
    conversions_millionths: number
    conversions_count: number
    conversion_value_minor: number
    conversion_value_count: number
  }
  result_source_totals: {
    organization_id: string
    source: string
    campaign_count: number
    reported_at: string
    complete_through: string
  }
  result_sources: {
    organization_id: string
    campaign_id: string
    source: string
    reported_at: string
    complete_through: string
  }
  results: {
    organization_id: string
    campaign_id: string
    date: string
    source: string
    spend_minor: number
    adjustment_minor: number
    impressions: number | null
    clicks: number | null
    conversions_millionths: number | null
    conversion_value_minor: number | null
    is_final: boolean
    reported_at: string
  }
  scim_group_members: {
    organization_id: string
    group_id: string
    user_id: string
  }
  scim_groups: {
    organization_id: string
    id: string
    display_name: string
    display_name_folded: SortKey<string>
    external_id: string | null
    created_at: string
    updated_at: string
  }
  scim_users: {
    organization_id: string
    id: string
    external_id: string | null
    display_name: string | null
    given_name: string | null
    family_name: string | null
    deleted_at: string | null
  }
  sessions: {
    organization_id: string
    id: string
    user_id: string
    token_id: string
    token_issued_at: string
    replaced_tokens: Defaulted<Json<ReplacedToken[]>>
    ip: string | null
    user_agent: string | null
    created_at: string
    last_refreshed_at: string | null
    expires_at: string
    ended_at: string | null
    sso_issuer: string | null
    sso_session: string | null
    authenticated_at: string | null
  }
  signing_keys: {
    id: string
    public_jwk: Json
    private_jwk_sealed: string
    created_at: string
    retired_at: string | null
  }
  sso_answers: {
    organization_id: string
    answer_hash: string
    expires_at: string
  }
  sso_domains: {
    organization_id: string
    domain: string
    token: string
    proved_at: string | null
    proved_by: 'dns' | 'operator' | null
    created_at: string
  }
  sso_people: {
    organization_id: string
    user_id: string
    issuer: string
    subject: string
    created_at: string
  }
  sso_settings: {
    organization_id: string
    issuer: string
    client_id: string
    client_secret_sealed: string
    own_redirect_uri: boolean
    default_role: 'admin' | 'editor' | 'viewer' | 'auditor'
    role_claim: string | null
    role_map: Json<RoleMap>
    create_members: boolean
    trust_email: boolean
    enforced: boolean
    version: number
    created_at: string
    updated_at: string
    updated_by: string | null
  }
  task_successes: {
    task: string
    succeeded_at: string
  }
  templates: {
    organization_id: string
    id: string
    name: string
    description: string | null
    defaults: Json<TemplateDefaults>
    locked_fields: string[]
    labels: string[]
    metadata: Json<Metadata>
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
    external_id: string | null
    name_folded: SortKey<string>
    plain_name_folded: SortKey<string | null>
  }
  user_emails: {
    email: string
    organization_id: string
    user_id: string
  }
  users: {
    organization_id: string
    id: string
    email: string
    name: string
    role: 'owner' | 'admin' | 'editor' | 'viewer' | 'auditor'
    disabled: Defaulted<boolean>
    password_hash: string
    version: Defaulted<number>
    created_at: string
    updated_at: string
    last_login_at: string | null
    name_folded: SortKey<string>
    plain_name_folded: SortKey<string | null>
    scope: Json<Scope> | null
    second_factor: Defaulted<boolean>
    from_directory: Defaulted<boolean>
  }
  views: {
    organization_id: string
    id: string
    resource: 'campaigns' | 'pacing' | 'results' | 'deployments' | 'change_sets' | 'clients' | 'profiles' | 'templates' | 'reports'
    name: string
    name_folded: SortKey<string>
    plain_name_folded: SortKey<string | null>
    query: string
    columns: string[]
    shared: boolean
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
  }
  webhook_attempts: {
    organization_id: string
    delivery_id: string
    number: number
    trigger: 'auto' | 'manual' | 'recover' | 'test'
    started_at: string
    duration_ms: number
    address: string | null
    request_headers: Json<Headers>
    response_status: number | null
    response_headers: Json<Headers> | null
    response_body: string | null
    error: Json<AttemptError> | null
  }
  webhook_deliveries: {
    organization_id: string
    id: string
    endpoint_id: string
    event_id: string
    event_type: string
    event_sequence: number | null
    body: string | null
    status: 'pending' | 'succeeded' | 'failed' | 'skipped' | 'cancelled'
    trigger: 'auto' | 'manual' | 'recover' | 'test'
    attempt_count: Defaulted<number>
    retry_count: Defaulted<number>
    next_attempt_at: string | null
    last_error: string | null
    last_response_status: number | null
    created_at: string
    updated_at: string
  }
  webhook_endpoints: {
    organization_id: string
    id: string
    url: string
    events: string[]
    description: string | null
    metadata: Json<Metadata>
    status: Defaulted<'enabled' | 'disabled'>
    disabled_reason: string | null
    secret_sealed: string
    secret_hint: string
    last_success_at: string | null
    last_failure_at: string | null
    consecutive_failures: Defaulted<number>
    failing_since: string | null
    paused_until: string | null
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
    previous_secrets: Defaulted<Json<PreviousSecret[]>>
  }
  write_probes: {
    id: string
    filler: string
  }
}

export const columnsOf = {
  account_links: [
    'organization_id',
    'id',
    'kind',
    'subject_id',
    'secret_hash',
    'created_at',
    'expires_at',
    'ended_at',
  ],
  api_keys: [
    'organization_id',
    'id',
    'name',
    'role',
    'key_hash',
    'key_hint',
    'expires_at',
    'last_used_at',
    'revoked_at',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
    'maker_id',
    'scope',
    'agent',
    'stopped_at',
    'stopped_by',
    'stop_reason',
    'refusals',
  ],
  audit_anchors: [
    'organization_id',
    'sequence',
    'hash',
    'pruned_at',
    'seal',
  ],
  audit_checkpoints: [
    'organization_id',
    'sequence',
    'id',
    'head_hash',
    'signed_at',
    'key_id',
    'signature',
  ],
  audit_logs: [
    'organization_id',
    'sequence',
    'id',
    'occurred_at',
    'action',
    'outcome',
    'actor',
    'resource',
    'changes',
    'reason',
    'request',
    'prev_hash',
    'hash',
    'stored_on',
    'change_set_id',
  ],
  audit_verifications: [
    'organization_id',
    'due_at',
    'verified_at',
    'sequence',
    'broken_at',
  ],
  audited_name_states: [
    'organization_id',
    'through',
  ],
  audited_names: [
    'organization_id',
    'id',
    'keys',
  ],
  campaign_counts: [
    'organization_id',
    'profile_id',
    'status',
    'objective',
    'currency',
    'campaigns',
  ],
  campaign_details: [
    'organization_id',
    'id',
    'name',
    'objective',
    'profile_id',
    'status',
    'status_reason',
    'status_before_archive',
    'daily_budget_minor',
    'lifetime_budget_minor',
    'currency',
    'currency_exponent',
    'start_at',
    'end_at',
    'time_zone',
    'external_id',
    'labels',
    'metadata',
    'notes',
    'template_id',
    'template_version',
    'locked_fields',
    'version',
    'created_at',
    'updated_at',
    'launched_at',
    'completed_at',
    'archived_at',
    'created_by',
    'updated_by',
    'schedule',
    'review',
    'approved',
    'daily_cost_minor',
    'overridden',
    'status_change',
    'deployment',
    'profile_status',
    'profile_currency',
    'profile_time_zone',
    'profile_cap_minor',
    'profile_spend_cap_minor',
    'profile_spent_month',
    'profile_spent_minor',
    'connector_state',
    'proxy_status',
    'guardrails',
    'capped_minor',
    'client_spending',
    'target',
  ],
  campaign_metrics: [
    'organization_id',
    'id',
    'metric_window',
    'spend',
    'impressions',
    'clicks',
    'conversions',
    'ctr',
    'cpc',
    'cpm',
    'cpa',
    'roas',
  ],
  campaign_pacing: [
    'organization_id',
    'id',
    'name',
    'profile_id',
    'campaign_status',
    'currency',
    'currency_exponent',
    'status',
    'money_at_risk',
    'spent_minor',
    'figures',
    'plan',
    'plan_key',
    'reported_at',
    'due_at',
    'revision',
    'spent_days',
    'capped_minor',
    'planned_from',
    'planned_minors',
    'planned_version',
    'begins_on',
  ],
  campaign_performance: [
    'organization_id',
    'id',
    'status',
    'performance_index',
    'target',
    'due_at',
    'revision',
  ],
  campaign_search: [
    'organization_id',
    'id',
    'keys',
  ],
  campaign_search_states: [
    'organization_id',
    'through',
    'built_to',
  ],
  campaign_words: [
    'organization_id',
    'word',
    'keys',
  ],
  campaigns: [
    'organization_id',
    'id',
    'name',
    'objective',
    'profile_id',
    'status',
    'status_reason',
    'status_before_archive',
    'daily_budget_minor',
    'lifetime_budget_minor',
    'currency',
    'currency_exponent',
    'start_at',
    'end_at',
    'time_zone',
    'external_id',
    'labels',
    'metadata',
    'notes',
    'template_id',
    'template_version',
    'locked_fields',
    'version',
    'created_at',
    'updated_at',
    'launched_at',
    'completed_at',
    'archived_at',
    'created_by',
    'updated_by',
    'schedule',
    'review',
    'approved',
    'daily_cost_minor',
    'overridden',
    'status_change',
    'deployment',
    'target',
  ],
  change_set_operations: [
    'organization_id',
    'id',
    'change_set_id',
    'index',
    'resource',
    'op',
    'action',
    'ref',
    'object_id',
    'target',
    'version_given',
    'body',
    'body_sealed',
    'effect',
    'name',
    'version_seen',
    'changes',
    'warnings',
    'problem',
    'result',
    'network_check',
  ],
  change_sets: [
    'organization_id',
    'id',
    'title',
    'description',
    'source_kind',
    'source_reference',
    'mode',
    'status',
    'operation_count',
    'summary',
    'spend_delta',
    'approval_required',
    'approval_reasons',
    'applicable',
    'tried_at',
    'expires_in_hours',
    'expires_at',
    'apply_at',
    'revert_at',
    'timed_by',
    'approved_by',
    'approved_at',
    'rejected_by',
    'rejected_reason',
    'applied_by',
    'applied_at',
    'reverted_at',
    'failure',
    'ended_at',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
    'envelope_use',
  ],
  client_budgets: [
    'organization_id',
    'client_id',
    'month',
    'amounts',
    'note',
    'version',
    'updated_at',
    'updated_by',
  ],
  client_pacing: [
    'organization_id',
    'id',
    'client_id',
    'month',
    'currency',
    'currency_exponent',
    'planned_minors',
    'complete_through',
    'reported_at',
    'is_running',
    'status',
    'money_at_risk',
  ],
  client_pacing_due: [
    'organization_id',
    'client_id',
    'due_at',
    'revision',
  ],
  clients: [
    'organization_id',
    'id',
    'name',
    'external_id',
    'currency',
    'time_zone',
    'status',
    'labels',
    'metadata',
    'notes',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
    'month_spending',
  ],
  connections: [
    'organization_id',
    'id',
    'lease_id',
    'fence',
    'connected_since',
    'account',
    'credential',
    'error',
    'warned_days',
    'last_seen_at',
    'pass',
    'pass_since',
    'listed_at',
  ],
  connector_leases: [
    'organization_id',
    'id',
    'api_key_id',
    'instance',
    'adapter',
    'adapter_version',
    'platform',
    'api_version',
    'api_sunset',
    'fence',
    'expires_at',
    'created_at',
  ],
  deployments: [
    'organization_id',
    'id',
    'campaign_id',
    'profile_id',
    'platform',
    'mode',
    'network_object_id',
    'network_url',
    'managed_fields',
    'drift_policy',
    'settings',
    'state',
    'state_since',
    'generation',
    'applied_generation',
    'account_ref',
    'desired',
    'observed',
    'drift',
    'coverage',
    'network_delivery',
    'error',
    'attempts',
    'retry_at',
    'is_withheld',
    'requested',
    'intent',
    'last_applied_at',
    'last_seen_at',
    'due_at',
    'work_at',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
  ],
  events: [
    'organization_id',
    'sequence',
    'id',
    'type',
    'occurred_at',
    'body',
  ],
  factors: [
    'organization_id',
    'id',
    'user_id',
    'kind',
    'name',
    'secret_sealed',
    'last_step',
    'code_hashes',
    'challenge',
    'credential_id',
    'public_key',
    'sign_count',
    'transports',
    'verified_at',
    'last_used_at',
    'created_at',
    'expires_at',
  ],
  former_objects: [
    'organization_id',
    'profile_id',
    'id',
    'campaign_id',
    'ended_at',
  ],
  guardrails: [
    'organization_id',
    'rules',
    'version',
    'updated_at',
    'updated_by',
  ],
  idempotency_keys: [
    'organization_id',
    'scope',
    'fingerprint',
    'status',
    'event_sequence',
    'body',
    'created_at',
  ],
  installation: [
    'only_row',
    'id',
    'issuer',
    'issuer_since',
  ],
  invitations: [
    'organization_id',
    'id',
    'email',
    'name',
    'role',
    'scope',
    'expires_at',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
  ],
  leases: [
    'name',
    'holder',
    'expires_at',
  ],
  login_challenges: [
    'organization_id',
    'id',
    'user_id',
    'secret_hash',
    'passkey_challenge',
    'tries',
    'created_at',
    'expires_at',
    'ended_at',
  ],
  login_codes: [
    'code_hash',
    'secret_hash',
    'ip',
    'user_agent',
    'created_at',
    'expires_at',
    'organization_id',
    'user_id',
    'session_id',
    'refused',
    'used_at',
  ],
  login_networks: [
    'organization_id',
    'user_id',
    'network',
    'last_login_at',
  ],
  mails: [
    'organization_id',
    'id',
    'content',
    'attempts',
    'due_at',
    'created_at',
    'can_wait',
  ],
  master_keys: [
    'id',
    'proof',
    'key_sealed',
    'active_since',
  ],
  network_campaigns: [
    'organization_id',
    'profile_id',
    'id',
    'name',
    'status',
    'facts',
    'pass',
    'gone',
    'last_seen_at',
  ],
  notification_channels: [
    'organization_id',
    'id',
    'kind',
    'name',
    'shown_target',
    'content',
    'events',
    'filter',
    'digest',
    'status',
    'disabled_reason',
    'last_success_at',
    'last_failure_at',
    'last_error',
    'consecutive_failures',
    'failing_since',
    'paused_until',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
  ],
  notification_cursors: [
    'organization_id',
    'sequence',
  ],
  notification_messages: [
    'organization_id',
    'id',
    'channel_id',
    'user_id',
    'type',
    'object_id',
    'event_id',
    'content',
    'count',
    'attempts',
    'created_at',
    'happened_at',
    'due_at',
    'sent_at',
  ],
  notification_settings: [
    'organization_id',
    'user_id',
    'approvals_waiting',
    'my_change_sets',
    'pacing',
    'deployments',
    'security',
    'digest',
    'updated_at',
  ],
  notifications: [
    'organization_id',
    'id',
    'user_id',
    'category',
    'type',
    'object_id',
    'event_id',
    'content',
    'count',
    'created_at',
    'updated_at',
    'read_at',
  ],
  organization_heads: [
    'organization_id',
    'audit_sequence',
    'audit_hash',
    'event_sequence',
    'counts',
    'stored_bytes',
    'bytes_measured_at',
    'bytes_warned_limit',
  ],
  organizations: [
    'id',
    'name',
    'plan',
    'status',
    'require_if_match',
    'version',
    'created_at',
    'updated_at',
    'sandbox',
    'clock_ahead_ms',
    'time_zone',
    'require_second_factor',
  ],
  passkey_owners: [
    'credential_id',
    'organization_id',
    'user_id',
  ],
  processes: [
    'id',
    'role',
    'url',
    'host',
    'pid',
    'version',
    'started_at',
    'settings',
    'known_keys',
    'sealing_key',
    'revision',
  ],
  profile_details: [
    'organization_id',
    'id',
    'name',
    'platform',
    'account_ref',
    'currency',
    'time_zone',
    'country',
    'proxy_id',
    'status',
    'credential_ref',
    'labels',
    'metadata',
    'notes',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
    'daily_budget_cap_minor',
    'external_id',
    'monthly_spend_cap_minor',
    'spent_month',
    'spent_minor',
    'client_id',
    'connector_state',
    'client',
  ],
  profile_facts: [
    'organization_id',
    'id',
    'profile_status',
    'profile_currency',
    'profile_time_zone',
    'profile_cap_minor',
    'profile_spend_cap_minor',
    'profile_spent_month',
    'profile_spent_minor',
    'connector_state',
    'proxy_status',
    'guardrails',
    'client_spending',
  ],
  profiles: [
    'organization_id',
    'id',
    'name',
    'platform',
    'account_ref',
    'currency',
    'time_zone',
    'country',
    'proxy_id',
    'status',
    'credential_ref',
    'labels',
    'metadata',
    'notes',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
    'daily_budget_cap_minor',
    'external_id',
    'monthly_spend_cap_minor',
    'spent_month',
    'spent_minor',
    'client_id',
    'connector_state',
  ],
  proved_domains: [
    'domain',
    'organization_id',
  ],
  proxies: [
    'organization_id',
    'id',
    'name',
    'protocol',
    'host',
    'port',
    'username_sealed',
    'password_sealed',
    'country',
    'enabled',
    'health',
    'status',
    'last_check',
    'labels',
    'metadata',
    'notes',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
    'consecutive_failures',
    'consecutive_successes',
    'next_check_at',
    'external_id',
  ],
  rate_limits: [
    'key',
    'used',
    'granted',
    'expires_at',
  ],
  report_links: [
    'organization_id',
    'id',
    'report_id',
    'snapshot_id',
    'token_hash',
    'password_hash',
    'expires_at',
    'views',
    'last_viewed_at',
    'created_at',
    'created_by',
    'schedule_id',
  ],
  report_logos: [
    'organization_id',
    'id',
    'content',
  ],
  report_schedules: [
    'organization_id',
    'id',
    'report_id',
    'every',
    'day',
    'hour',
    'time_zone',
    'recipients',
    'link_days',
    'status',
    'disabled_reason',
    'next_at',
    'last_sent_at',
    'last_error',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
  ],
  report_snapshots: [
    'organization_id',
    'id',
    'report_id',
    'name',
    'period_from',
    'period_to',
    'content',
    'created_at',
    'created_by',
  ],
  reports: [
    'organization_id',
    'id',
    'name',
    'client_id',
    'filter',
    'client_ids',
    'period',
    'compare',
    'sections',
    'texts',
    'logo_type',
    'logo_bytes',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
  ],
  result_days: [
    'organization_id',
    'date',
    'currency',
    'source',
    'row_count',
    'final_count',
    'spend_minor',
    'adjustment_minor',
    'impressions',
    'impressions_count',
    'clicks',
    'clicks_count',
    'conversions_millionths',
    'conversions_count',
    'conversion_value_minor',
    'conversion_value_count',
    'profile_id',
  ],
  result_labels: [
    'organization_id',
    'date',
    'label',
    'currency',
    'source',
    'profile_id',
    'row_count',
    'final_count',
    'spend_minor',
    'adjustment_minor',
    'impressions',
    'impressions_count',
    'clicks',
    'clicks_count',
    'conversions_millionths',
    'conversions_count',
    'conversion_value_minor',
    'conversion_value_count',
  ],
  result_months: [
    'organization_id',
    'campaign_id',
    'month',
    'source',
    'row_count',
    'final_count',
    'spend_minor',
    'adjustment_minor',
    'impressions',
    'impressions_count',
    'clicks',
    'clicks_count',
    'conversions_millionths',
    'conversions_count',
    'conversion_value_minor',
    'conversion_value_count',
  ],
  result_source_totals: [
    'organization_id',
    'source',
    'campaign_count',
    'reported_at',
    'complete_through',
  ],
  result_sources: [
    'organization_id',
    'campaign_id',
    'source',
    'reported_at',
    'complete_through',
  ],
  results: [
    'organization_id',
    'campaign_id',
    'date',
    'source',
    'spend_minor',
    'adjustment_minor',
    'impressions',
    'clicks',
    'conversions_millionths',
    'conversion_value_minor',
    'is_final',
    'reported_at',
  ],
  scim_group_members: [
    'organization_id',
    'group_id',
    'user_id',
  ],
  scim_groups: [
    'organization_id',
    'id',
    'display_name',
    'external_id',
    'created_at',
    'updated_at',
  ],
  scim_users: [
    'organization_id',
    'id',
    'external_id',
    'display_name',
    'given_name',
    'family_name',
    'deleted_at',
  ],
  sessions: [
    'organization_id',
    'id',
    'user_id',
    'token_id',
    'token_issued_at',
    'replaced_tokens',
    'ip',
    'user_agent',
    'created_at',
    'last_refreshed_at',
    'expires_at',
    'ended_at',
    'sso_issuer',
    'sso_session',
    'authenticated_at',
  ],
  signing_keys: [
    'id',
    'public_jwk',
    'private_jwk_sealed',
    'created_at',
    'retired_at',
  ],
  sso_answers: [
    'organization_id',
    'answer_hash',
    'expires_at',
  ],
  sso_domains: [
    'organization_id',
    'domain',
    'token',
    'proved_at',
    'proved_by',
    'created_at',
  ],
  sso_people: [
    'organization_id',
    'user_id',
    'issuer',
    'subject',
    'created_at',
  ],
  sso_settings: [
    'organization_id',
    'issuer',
    'client_id',
    'client_secret_sealed',
    'own_redirect_uri',
    'default_role',
    'role_claim',
    'role_map',
    'create_members',
    'trust_email',
    'enforced',
    'version',
    'created_at',
    'updated_at',
    'updated_by',
  ],
  task_successes: [
    'task',
    'succeeded_at',
  ],
  templates: [
    'organization_id',
    'id',
    'name',
    'description',
    'defaults',
    'locked_fields',
    'labels',
    'metadata',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
    'external_id',
  ],
  user_emails: [
    'email',
    'organization_id',
    'user_id',
  ],
  users: [
    'organization_id',
    'id',
    'email',
    'name',
    'role',
    'disabled',
    'password_hash',
    'version',
    'created_at',
    'updated_at',
    'last_login_at',
    'scope',
    'second_factor',
    'from_directory',
  ],
  views: [
    'organization_id',
    'id',
    'resource',
    'name',
    'query',
    'columns',
    'shared',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
  ],
  webhook_attempts: [
    'organization_id',
    'delivery_id',
    'number',
    'trigger',
    'started_at',
    'duration_ms',
    'address',
    'request_headers',
    'response_status',
    'response_headers',
    'response_body',
    'error',
  ],
  webhook_deliveries: [
    'organization_id',
    'id',
    'endpoint_id',
    'event_id',
    'event_type',
    'event_sequence',
    'body',
    'status',
    'trigger',
    'attempt_count',
    'retry_count',
    'next_attempt_at',
    'last_error',
    'last_response_status',
    'created_at',
    'updated_at',
  ],
  webhook_endpoints: [
    'organization_id',
    'id',
    'url',
    'events',
    'description',
    'metadata',
    'status',
    'disabled_reason',
    'secret_sealed',
    'secret_hint',
    'last_success_at',
    'last_failure_at',
    'consecutive_failures',
    'failing_since',
    'paused_until',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
    'previous_secrets',
  ],
  write_probes: [
    'id',
    'filler',
  ],
} as const satisfies { [Table in keyof Tables]: readonly (keyof Tables[Table])[] }

/** Tables whose rows are sorted and searched by name. */
export const namedTables: ReadonlySet<string> = new Set([
  'api_keys',
  'campaigns',
  'clients',
  'network_campaigns',
  'notification_channels',
  'profiles',
  'proxies',
  'reports',
  'scim_groups',
  'templates',
  'users',
  'views',
])
