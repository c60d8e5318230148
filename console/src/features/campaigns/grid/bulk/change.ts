import type { Body } from '@flightdeckhq/sdk'
import { nameOf } from '../../../../data/choices.ts'
import { decimalIn } from '../../../../data/typed.ts'
import { decimalOf, formatMoney } from '../../../../data/values/money.ts'
import type { Campaign, Schema } from '../../../../flightdeck.ts'
import { actionWords } from '../../acting/action-words.ts'
import { byAmount, byPercent, type Direction } from './amounts.ts'

/** Fields that are read of each campaign before anything is tried. */
export const subjectFields = [
  'name',
  'status',
  'version',
  'currency',
  'currency_exponent',
  'daily_budget_minor',
  'lifetime_budget_minor',
  'labels',
] as const

export type Subject = Pick<Campaign, 'id' | (typeof subjectFields)[number]>
export type BulkOperation = Body<'bulkCampaigns'>['operations'][number]

export type BulkAction = 'pause' | 'resume' | 'launch' | 'complete' | 'archive' | 'unarchive'
type BudgetField = 'daily_budget' | 'lifetime_budget'

export type LabelsChange = {
  kind: 'labels'
  mode: 'add' | 'remove' | 'set'
  labels: readonly string[]
}

export type BudgetChange = {
  kind: 'budget'
  field: BudgetField
  mode: 'set' | 'percent' | 'amount'
  direction: Direction
  percent: string
  /** As it was typed, by currency; campaigns in a currency without one are left as they are. */
  amounts: Readonly<Record<string, string>>
}

/** Sets back what a change has changed. */
type RestoreChange = { kind: 'restore'; before: ReadonlyMap<string, Subject>; of: Aspect }

export type BulkChange =
  | { kind: 'action'; action: BulkAction }
  | LabelsChange
  | BudgetChange
  | RestoreChange

/** The aspect of a campaign that a change is about. */
export type Aspect = 'status' | 'labels' | BudgetField

export function aspectOf(change: BulkChange): Aspect {
  if (change.kind === 'action') return 'status'
  if (change.kind === 'restore') return change.of
  return change.kind === 'labels' ? 'labels' : change.field
}

/** The operation to send for the campaign, or the reason why there is none. */
export function operationOf(
  change: BulkChange,
  subject: Subject,
): BulkOperation | { left: string } {
  const { id, version } = subject
  if (change.kind === 'action') return { op: 'action', id, action: change.action, version }
  const body = bodyOf(change, subject)
  return 'left' in body ? body : { op: 'update', id, version, body }
}

type ChangeBody =
  | { labels: string[] }
  | { daily_budget: string | null }
  | { lifetime_budget: string | null }

function bodyOf(change: Exclude<BulkChange, { kind: 'action' }>, subject: Subject) {
  if (change.kind === 'restore') return restoring(change, subject)
  return change.kind === 'labels' ? relabelled(change, subject) : rebudgeted(change, subject)
}

function relabelled({ mode, labels }: LabelsChange, { labels: before }: Subject) {
  const next = {
    set: [...labels],
    add: [...new Set([...before, ...labels])],
    remove: before.filter((label) => !labels.includes(label)),
  }[mode]
  const isSame = next.length === before.length && next.every((label, at) => label === before[at])
  return isSame ? { left: 'It has these labels already.' } : { labels: next }
}

function rebudgeted(change: BudgetChange, subject: Subject): ChangeBody | { left: string } {
  const { field, mode, direction, percent } = change
  const { currency, currency_exponent: exponent } = subject
  const before = subject[`${field}_minor`]
  const typed = change.amounts[currency] ?? ''
  const budget = nameOf(field).toLowerCase()
  if (mode !== 'percent' && typed.trim() === '') return { left: `No amount in ${currency}.` }
  if (mode === 'set') return budgetBody(field, decimalIn(typed, currency))
  if (before === null) return { left: `It has no ${budget}.` }
  const after =
    mode === 'percent'
      ? byPercent(before, percent, direction)
      : byAmount(before, typed, { currency, direction })
  // The service refuses a text that is no amount, in its words.
  if (after === null) return budgetBody(field, decimalIn(typed, currency))
  return after === before
    ? { left: 'The change is smaller than its smallest unit.' }
    : budgetBody(field, decimalOf(after, exponent))
}

const budgetBody = (field: BudgetField, amount: string | null): ChangeBody =>
  field === 'daily_budget' ? { daily_budget: amount } : { lifetime_budget: amount }

function restoring({ before, of }: RestoreChange, { id }: Subject): ChangeBody | { left: string } {
  const was = before.get(id)
  if (!was || of === 'status') return { left: 'It was not changed.' }
  if (of === 'labels') return { labels: was.labels }
  const minor = was[`${of}_minor`]
  return budgetBody(of, minor === null ? null : decimalOf(minor, was.currency_exponent))
}

/** The change that takes this one back; null where there is none. */
export function undoOf(
  change: BulkChange,
  before: ReadonlyMap<string, Subject>,
): BulkChange | null {
  if (change.kind !== 'action') return { kind: 'restore', before, of: aspectOf(change) }
  const undo = actionWords[change.action].undo
  return undo && isBulkAction(undo) ? { kind: 'action', action: undo } : null
}

const isBulkAction = (action: Schema<'CampaignAction'>): action is BulkAction =>
  ['pause', 'resume', 'launch', 'complete', 'archive', 'unarchive'].includes(action)

/** The aspect of a campaign as text. */
export function aspectText(aspect: Aspect, campaign: Subject): string {
  if (aspect === 'status') return nameOf(campaign.status)
  if (aspect === 'labels') return campaign.labels.join(', ') || '–'
  return money(campaign, campaign[`${aspect}_minor`])
}

const money = ({ currency, currency_exponent: exponent }: Subject, minor: number | null) =>
  minor === null ? '–' : formatMoney({ minor, currency, exponent })
