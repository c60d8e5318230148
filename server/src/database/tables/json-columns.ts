/** The shapes of JSON columns; the generated row types name these. */
import type { Amounts } from '../../values/money.ts'
import type { Actor, RequestFacts } from '../../values/organization.ts'
import type { Tables } from './types.ts'

export type Metadata = Record<string, string>

export type { Actor, RequestFacts }

/**
 * The part that a member or an API key sees of its organization. Given members must all hold, each by any of its
 * items; null, where a scope may be, is all.
 */
export type Scope = {
  client_ids?: string[]
  profile_ids?: string[]
  labels?: string[]
}

/** SHA-256 of each recovery code that is left. */
export type CodeHashes = readonly string[]

/** The ways to reach a passkey, as browsers name them. */
export type Transports = readonly string[]

/** Roles by what a provider says of a person. */
export type RoleMap = Readonly<Record<string, 'admin' | 'editor' | 'viewer' | 'auditor'>>

/** Terms of the key of a language model. */
export type AgentTerms = {
  apply: 'never' | 'approved' | 'within_envelope'
  /** Raises by its change sets in 24 hours, in minor units; null unless `within_envelope`. */
  envelope_24h: Amounts | null
}

/** A refusal of an agent, by the code of its problem. */
export type AgentRefusal = { code: string; at: string }

export type Resource = { type: string; id: string | null; name: string | null }

export type Changes = { field: string; before: unknown; after: unknown }[]

/** Wall-clock times in the campaign's time zone. */
type ScheduleWindow = {
  day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'
  start: string
  end: string
}

export type Schedule = readonly ScheduleWindow[]

/** The aim of a campaign; costs are in major units of its currency. */
export type Target = {
  metric: 'cpa' | 'cpc' | 'cpm' | 'roas' | 'ctr' | 'conversions' | 'clicks' | 'impressions'
  value: number
  window_days: number
}

/** The last change of a campaign's status. */
export type StatusChange = {
  action: StatusCause
  at: string
  by: Actor
  reason: string | null
  change_set_id: string | null
}

type StatusCause =
  | ('launch' | 'submit' | 'approve' | 'reject' | 'withdraw' | 'unschedule')
  | ('pause' | 'resume' | 'complete' | 'archive' | 'unarchive' | 'start')

/** The last submission of a campaign, and its outcome. */
export type Review = {
  state: 'pending' | 'approved' | 'rejected' | 'withdrawn'
  /** The status it returns to when rejected or withdrawn. */
  status_before: 'draft' | 'paused'
  submitted_by: string | null
  submitted_at: string
  decided_by: string | null
  decided_at: string | null
  reason: string | null
}

type Objective = Tables['campaigns']['objective']

/**
 * The terms that an approval is granted for. A null amount or end is unbounded; a null start means
 * immediately.
 */
export type ApprovalTerms = {
  objective: Objective
  profile_id: string
  currency: string
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  start_at: string | null
  end_at: string | null
  time_zone: string
  schedule: ScheduleWindow[]
}

/** An approved plan: an upper bound. */
export type Approved = ApprovalTerms & { by: string | null; at: string }

/** Approvals once covered only a part of the plan: they count as none. */
export type FormerApproval = { objective?: undefined }

/** By guardrail, the amount that was allowed past it. */
export type Overridden = Readonly<Record<string, number>>

export type TemplateDefaults = {
  name?: string
  objective?: Objective
  profile_id?: string
  daily_budget?: number
  lifetime_budget?: number
  currency?: string
  start_at?: string
  end_at?: string
  time_zone?: string
  schedule?: ScheduleWindow[]
  labels?: string[]
  metadata?: Metadata
  notes?: string
  target?: Target
}

export type LastCheck = {
  at: string
  ok: boolean
  latency_ms: number | null
  egress_ip: string | null
  error: string | null
}

/** A previous signing secret, which also signs until that time (milliseconds since the epoch). */
export type PreviousSecret = { sealed: string; until_ms: number }

/** A token replaced by a refresh, and until when it still works. */
export type ReplacedToken = {
  readonly id: string
  /** By the database clock, which all processes share. */
  readonly until: string
  /** The process that replaced it, and the same deadline by that process's clock. */
  readonly process: string
  readonly until_there: string
}

export type Headers = Record<string, string>

export type AttemptError = { kind: string; message: string }

export type { Amounts }

/** A client's spending beside its budget in the month that lasts until an instant. */
export type ClientSpending = {
  readonly until: string
  readonly currencies: Readonly<
    Record<string, { readonly budget_minor: number; readonly spent_minor: number } | undefined>
  >
}

/** An organization's limits, and when it requires approval. */
export type Guardrails = {
  readonly max_daily_budget: Amounts
  readonly max_lifetime_budget: Amounts
  /** Whether currencies listed in neither are allowed. */
  readonly unlisted_currencies: 'allow' | 'refuse'
  readonly max_increase_percent: number | null
  readonly max_increase_percent_24h: number | null
  readonly approval: { readonly mode: 'never' | 'always' | 'above'; readonly amounts: Amounts }
  readonly approver_roles: readonly ('owner' | 'admin' | 'editor')[]
  /**
   * The share of a lifetime budget, or of a profile's monthly cap, at which spending pauses the
   * campaign.
   */
  readonly stop_at_percent: number | null
  /** Scopes that stop campaigns; rules stored before clients had budgets do not name them. */
  readonly stop_scopes?: readonly ('lifetime' | 'profile' | 'client')[]
  /** The bounds of a campaign's pacing. */
  readonly pacing: {
    readonly under_percent: number
    readonly over_percent: number
    readonly critical_percent: number
  }
  /** Rules stored before change sets existed do not name them. */
  readonly change_sets?: ChangeSetRules
  /** How much worse than its target a campaign may be, in percent; absent: by default. */
  readonly performance_bound?: number
}

/** Rules for which change sets need an approval, and who writes by change sets only. */
export type ChangeSetRules = {
  readonly approval: 'never' | 'always' | 'raises'
  /** By currency: how much the daily sum may rise without an approval. */
  readonly raises_above: Amounts
  readonly required_for: readonly ('api_key' | 'member')[]
}

/** How many operations of a change set do what. */
export type ChangeSetSummary = {
  create: number
  update: number
  action: number
  delete: number
  unchanged: number
  failed: number
}

/** Budgets of the scheduled and active campaigns of a change set, in minor units of a currency. */
export type SpendDelta = {
  currency: string
  currency_exponent: number
  daily_before_minor: number
  daily_after_minor: number
  lifetime_before_minor: number
  lifetime_after_minor: number
}

export type ChangeSetFailure = { code: string; detail: string }

export type OperationWarning = { pointer: string | null; code: string; message: string }

export type OperationProblem = Readonly<Record<string, unknown>>

/** The outcome of an operation, and of setting it back. */
export type OperationResult = {
  status: number
  version: number | null
  reverted: string[] | null
  left: { field: string; found: unknown; reason: string }[] | null
}

/**
 * The planned spending of a campaign in its period, day by day; days are counted from 1970-01-01.
 */
export type PacingPlan = {
  /** Milliseconds since the epoch; `end` is null where there is none. */
  period: { start: number; end: number | null }
  /** Days of the period, half-open; `to` is null without an end. */
  from: number
  to: number | null
  /** The lifetime budget; null where daily budgets make the target. */
  lifetimeMinor: number | null
  /**
   * Days of the flight, from a week before the period, so that weeks and the latest rate are whole.
   */
  days: { first: number; runs: readonly PacingDays[] }
  /** The days and open time of the period after those. */
  rest: { days: number; openMs: number }
}

/** Consecutive days that are alike. */
export type PacingDays = {
  count: number
  /** The last daily budget in force on the day, and the highest. */
  budgetMinor: number | null
  highestMinor: number | null
  /** How long the schedule was open, and how much of that the campaign was not paused. */
  openMs: number
  runMs: number
}

/** Reported spending of a campaign: amounts net of adjustments, over all sources. */
export type SpentDays = {
  /** A day number. */
  from: number
  /** The sum of the plan's period before `from`; null if nothing was reported then. */
  earlierMinor: number | null
  /** The amount of each day from `from` on; null where nothing was reported. */
  minors: readonly (number | null)[]
}

/** Spending of a campaign beside its plan; amounts in minor units. */
export type PacingFigures = {
  period: { start: string; end: string | null }
  target_minor: number
  spent_minor: number | null
  expected_minor: number | null
  pacing_index: number | null
  projected_minor: number | null
  required_daily_minor: number | null
  money_at_risk_minor: number | null
  complete_through: string | null
  last_reported_at: string | null
  days_left: number | null
  status:
    | ('not_running' | 'no_data' | 'exhausted' | 'stale' | 'low_confidence')
    | ('critical' | 'over' | 'under' | 'on_track')
  confidence: 'low' | 'normal'
  overspend: { from: string; to: string; spent_minor: number; allowed_minor: number }[]
  sources: string[]
}

export type * from './deployment-columns.ts'
export type * from './notification-columns.ts'
export type * from './report-columns.ts'
