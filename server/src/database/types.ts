// Made from the migrated schema by "npm run generate": do not edit.
import type { ColumnType } from 'kysely'
import type { Actor, Changes, LastCheck, Metadata, RequestFacts, Resource, Schedule } from './json-columns.ts'

export type Json<T = unknown> = ColumnType<T, string, string>
type Defaulted<T> = [T] extends [ColumnType<infer S, infer I, infer U>]
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>
type Computed<T> = ColumnType<T, never, never>

/** Timestamps are RFC 3339 texts in UTC with milliseconds; bigints are safe integers. */
export type Tables = {
  api_keys: {
    organization_id: string
    id: string
    name: string
    role: 'owner' | 'admin' | 'editor' | 'viewer' | 'auditor'
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
  }
  campaign_details: {
    organization_id: string
    id: string
    name: string
    objective: string
    profile_id: string
    status: 'draft' | 'pending_review' | 'scheduled' | 'active' | 'paused' | 'completed' | 'archived'
    status_reason: string | null
    status_before_archive: string | null
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
    review: Json | null
    approved: Json | null
    daily_cost_minor: number | null
    overridden: Json | null
    profile_status: string | null
    profile_currency: string | null
    profile_cap_minor: number | null
    proxy_status: string | null
    guardrails: Json | null
  }
  campaigns: {
    organization_id: string
    id: string
    name: string
    objective: string
    profile_id: string
    status: 'draft' | 'pending_review' | 'scheduled' | 'active' | 'paused' | 'completed' | 'archived'
    status_reason: string | null
    status_before_archive: string | null
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
    review: Json | null
    approved: Json | null
    daily_cost_minor: number | null
    overridden: Json | null
  }
  events: {
    organization_id: string
    sequence: number
    id: string
    type: string
    occurred_at: string
    body: string
  }
  guardrails: {
    organization_id: string
    rules: Json
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
  login_networks: {
    organization_id: string
    user_id: string
    network: string
    last_login_at: string
  }
  master_key_proof: {
    only_row: Defaulted<boolean>
    sealed: string
    installation_id: Defaulted<string>
  }
  organization_heads: {
    organization_id: string
    audit_sequence: Defaulted<number>
    audit_hash: Defaulted<string>
    event_sequence: Defaulted<number>
    counts: Defaulted<Json>
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
  }
  profiles: {
    organization_id: string
    id: string
    name: string
    platform: string
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
    status: Computed<string>
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
  }
  rate_limits: {
    key: string
    used: number
    granted: number
    expires_at: string
  }
  sessions: {
    organization_id: string
    id: string
    user_id: string
    token_id: string
    token_issued_at: string
    replaced_tokens: Defaulted<Json>
    ip: string | null
    user_agent: string | null
    created_at: string
    last_refreshed_at: string | null
    expires_at: string
    ended_at: string | null
  }
  signing_keys: {
    id: string
    public_jwk: Json
    private_jwk_sealed: string
    created_at: string
    retired_at: string | null
  }
  templates: {
    organization_id: string
    id: string
    name: string
    description: string | null
    defaults: Json
    locked_fields: string[]
    labels: string[]
    metadata: Json<Metadata>
    version: number
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
    external_id: string | null
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
  }
  webhook_attempts: {
    organization_id: string
    delivery_id: string
    number: number
    trigger: string
    started_at: string
    duration_ms: number
    address: string | null
    request_headers: Json
    response_status: number | null
    response_headers: Json | null
    response_body: string | null
    error: Json | null
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
    trigger: string
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
    previous_secrets: Defaulted<Json>
  }
}

export const columnsOf = {
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
    'profile_status',
    'profile_currency',
    'profile_cap_minor',
    'proxy_status',
    'guardrails',
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
  ],
  events: [
    'organization_id',
    'sequence',
    'id',
    'type',
    'occurred_at',
    'body',
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
  login_networks: [
    'organization_id',
    'user_id',
    'network',
    'last_login_at',
  ],
  master_key_proof: [
    'only_row',
    'sealed',
    'installation_id',
  ],
  organization_heads: [
    'organization_id',
    'audit_sequence',
    'audit_hash',
    'event_sequence',
    'counts',
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
  ],
  signing_keys: [
    'id',
    'public_jwk',
    'private_jwk_sealed',
    'created_at',
    'retired_at',
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
} as const satisfies { [Table in keyof Tables]: readonly (keyof Tables[Table])[] }
