/** The life of a change set. Pure. */

import type { Agent } from '../../identity/permissions.ts'
import { recordOf } from '../../values/objects.ts'

export const statuses = [
  'open',
  'approved',
  'scheduled',
  'applied',
  'reverted',
  'rejected',
  'failed',
  'cancelled',
  'expired',
] as const
export type ChangeSetStatus = (typeof statuses)[number]

export const actions = ['approve', 'reject', 'cancel', 'refresh', 'apply'] as const
export type Action = (typeof actions)[number]

/** Reasons why an action is refused. */
export const blockReasons = [
  'insufficient_role',
  'self_approval_forbidden',
  'approval_required',
  'change_set_not_applicable',
] as const
type BlockReason = (typeof blockReasons)[number]

export type AvailableAction = { action: Action; allowed: boolean; blocked_by: BlockReason[] }

const living: readonly ChangeSetStatus[] = ['open', 'approved', 'scheduled']

/** Whether it may still be decided on and applied. */
export const isLiving = (status: ChangeSetStatus): boolean => living.includes(status)

/** An approval is given once: it is void when anything differs. */
const from: Readonly<Record<Action, readonly ChangeSetStatus[]>> = {
  ...recordOf(actions, () => living),
  approve: ['open', 'scheduled'],
}

export const actionsFrom = (status: ChangeSetStatus): Action[] =>
  actions.filter((action) => from[action].includes(status))

type Timed = { status: ChangeSetStatus; expires_at: string }

/** One that is past its time is expired, also before the clock has said so. */
export const statusAt = ({ status, expires_at }: Timed, now: string): ChangeSetStatus =>
  isLiving(status) && expires_at <= now ? 'expired' : status

type Standing = {
  approval_required: boolean
  approved_at: string | null
  apply_at: string | null
  applicable: boolean
}

export const isUnapproved = ({ approval_required, approved_at }: Standing): boolean =>
  approval_required && approved_at === null

/** The status of one that lives: it waits for its time as soon as nothing else is missing. */
export function livingStatus(standing: Standing): ChangeSetStatus {
  if (isUnapproved(standing) || !standing.applicable) return 'open'
  if (standing.apply_at !== null) return 'scheduled'
  return standing.approved_at === null ? 'open' : 'approved'
}

/** Rights of the caller. */
export type Asker = {
  isAuthor: boolean
  mayApprove: boolean
  mayReject: boolean
  mayManage: boolean
  mayWrite: boolean
  /** Set for an agent. */
  agentApplies: Agent['apply'] | null
}

type StatusFacts = Standing & { status: ChangeSetStatus }

/** The actions that this caller may take now; without a caller, those that are possible at all. */
export const availableActions = (facts: StatusFacts, asker: Asker | null): AvailableAction[] =>
  actionsFrom(facts.status).map((action) => {
    const lacking = [...lacks(action, asker), ...missing(action, facts, asker)]
    const blocked_by = [...new Set(lacking)]
    return { action, allowed: blocked_by.length === 0, blocked_by }
  })

function lacks(action: Action, asker: Asker | null): BlockReason[] {
  if (!asker) return []
  const { isAuthor, mayApprove, mayReject, mayManage, mayWrite } = asker
  const may = {
    approve: mayApprove,
    reject: mayReject,
    cancel: mayManage || (isAuthor && mayWrite),
    refresh: mayManage || (isAuthor && mayWrite),
    apply: mayWrite,
  }
  if (!may[action]) return ['insufficient_role']
  return action === 'approve' && isAuthor ? ['self_approval_forbidden'] : []
}

function missing(action: Action, facts: StatusFacts, asker: Asker | null): BlockReason[] {
  if (action !== 'approve' && action !== 'apply') return []
  const { agentApplies } = asker ?? {}
  const isApproved = facts.approved_at !== null && agentApplies !== 'never'
  const waitsForPerson = (agentApplies ?? 'within_envelope') !== 'within_envelope' && !isApproved
  return [
    ...(facts.applicable ? [] : (['change_set_not_applicable'] as const)),
    ...(action === 'apply' && (isUnapproved(facts) || waitsForPerson)
      ? (['approval_required'] as const)
      : []),
  ]
}
