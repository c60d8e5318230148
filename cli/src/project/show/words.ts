/** Values of plans as words. Pure. */

import { major } from '../../api/money.ts'
import { clean, cut } from '../../output/clean.ts'
import type { Drift } from '../plan/drift.ts'
import type { SpendDelta } from '../plan/trial.ts'
import type { Report, ShownChange, ShownObject } from './report.ts'

const widest = 72

export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (Array.isArray(value)) return cut(clean(listText(value)), widest)
  return cut(clean(typeof value === 'object' ? JSON.stringify(value) : String(value)), widest)
}

function listText(values: readonly unknown[]): string {
  if (values.length === 0) return 'none'
  return values.some((each) => typeof each === 'object')
    ? windowsText(values as Window[])
    : values.join(', ')
}

type Window = { day: string; start: string; end: string }

/** The days of the same hours together. */
function windowsText(windows: readonly Window[]): string {
  const days = new Map<string, string[]>()
  for (const { day, start, end } of windows) {
    const hours = `${start}–${end}`
    days.set(hours, [...(days.get(hours) ?? []), day])
  }
  return [...days].map(([hours, names]) => `${names.join(' ')} ${hours}`).join(', ')
}

/** A change on one line, without the name of its field. */
export function changeText(
  { before, after, isReleased, field }: ShownChange,
  isNew: boolean,
): string {
  if (isReleased) return `${valueText(before)}, released: no file names it any more`
  if (field === 'labels' && after === null) return 'the project’s label is put on it'
  return isNew ? valueText(after) : `${valueText(before)} → ${valueText(after)}`
}

export function driftText({ by, at, reason }: Drift): string {
  const who = by === null ? 'someone' : clean(by)
  const when = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
  return `changed by ${who}, ${when}${reason ? `, «${cut(clean(reason), widest)}»` : ''}`
}

export const signs = { create: '+', update: '~', prune: '-' } as const

export const titleOf = ({ kind, key, id }: ShownObject): string =>
  `${kind} ${clean(key)}${id === null ? '' : ` (${id})`}`

/** What a day costs, and what is to be spent in all, where that changes. */
export const spendLines = ({ spend_delta }: Pick<Report, 'spend_delta'>): string[] =>
  spend_delta.flatMap((each) => [
    ...spendLine('a day', each, [each.daily_before_minor, each.daily_after_minor]),
    ...spendLine('in all', each, [each.lifetime_before_minor, each.lifetime_after_minor]),
  ])

function spendLine(
  what: string,
  { currency, currency_exponent }: SpendDelta,
  [before, after]: readonly [number, number],
): string[] {
  if (before === after) return []
  const text = (minor: number) => amountText(minor, currency_exponent)
  const sign = after > before ? '+' : '−'
  const moved = text(Math.abs(after - before))
  return [`${currency} ${what}: ${text(before)} → ${text(after)} (${sign}${moved})`]
}

const amountText = (minor: number, exponent: number) =>
  minor < 0 ? `-${major(BigInt(-minor), exponent)}` : major(BigInt(minor), exponent)

/** How much a plan does, as "2 to create, 1 to change". */
export function countsText({ create, update, prune }: Report['counts']): string {
  const parts = [
    ...(create > 0 ? [`${create} to create`] : []),
    ...(update > 0 ? [`${update} to change`] : []),
    ...(prune > 0 ? [`${prune} to take away`] : []),
  ]
  return parts.join(', ') || 'nothing to change'
}

/** The last line. */
export function restText({ unchanged, left }: Report['counts']): string {
  const rest =
    left === 0
      ? 'None is left alone'
      : `${left} that no file names ${left === 1 ? 'is' : 'are'} left alone`
  return `${unchanged} as the files want ${unchanged === 1 ? 'it' : 'them'}. ${rest}.`
}

const reasonTexts: Readonly<Record<string, string>> = {
  always: 'every change set does',
  raises: 'it raises what a day costs',
  campaign: 'campaigns of it do',
}

export function approvalText({ approver_roles, reasons }: Report['approval']): string {
  const why = reasons.map((reason) => reasonTexts[reason] ?? reason).join(', ')
  return `Needs an approval by ${approver_roles.join(' or ')}: ${why}.`
}
