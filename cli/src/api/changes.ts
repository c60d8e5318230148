import type { Flightdeck } from '@flightdeckhq/sdk'
import { UsageError } from '../faults.ts'
import type { Operation } from '../operations.ts'
import { byPercentage, isPercentage } from './money.ts'
import type { Values } from './read.ts'

type Given = (word: string) => readonly string[]

/** An object of the API before its change. */
export type Present = Readonly<Record<string, unknown>> & { id: string; version?: number }

/** What of an update depends on how the object is now. */
export const isRelative = (operation: Operation, given: Given): boolean =>
  Object.entries(operation.flags).some(
    ([word, { type, many }]) =>
      (many && (given(`add-${word}`).length > 0 || given(`remove-${word}`).length > 0)) ||
      (type === 'number' && given(word).some(isPercentage)),
  )

/** The fields of an update that come of what they are now. */
export function relativeFields(operation: Operation, given: Given, present: Present): Values {
  const found: Record<string, unknown> = {}
  for (const [word, { name, type, many }] of Object.entries(operation.flags)) {
    const text = given(word).at(-1)
    if (type === 'number' && text !== undefined && isPercentage(text)) {
      found[name] = changed(name, text, present)
    }
    const [added, removed] = [given(`add-${word}`), given(`remove-${word}`)]
    if (!many || added.length + removed.length === 0) continue
    const kept = listOf(present[name]).filter((each) => !removed.includes(each))
    found[name] = [...new Set([...kept, ...added])]
  }
  return found
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function changed(name: string, text: string, present: Present): string {
  const [minor, exponent] = [present[`${name}_minor`], present.currency_exponent]
  if (typeof minor !== 'number' || typeof exponent !== 'number') {
    throw new UsageError(`${name} is not set, so there is nothing to take ${text} of.`)
  }
  const amount = byPercentage(text, minor, exponent)
  process.stderr.write(`${name}: ${present[name]} becomes ${amount}\n`)
  return amount
}

const budgets = ['daily_budget', 'lifetime_budget', 'daily_budget_cap', 'monthly_budget_cap']

/** How a change makes more be spent; null where it does not. */
export function raiseOf(body: Values, present: Present): string | null {
  for (const name of budgets) {
    const [to, from] = [body[name], present[name]]
    if (to === undefined) continue
    if (to === null || from === null || Number(to) > Number(from)) {
      return `${name} goes from ${from ?? 'none'} to ${to ?? 'none'}`
    }
  }
  const { start_at: start } = body
  const isEarlier =
    typeof start === 'string' && Date.parse(start) < Date.parse(String(present.start_at))
  return isEarlier ? `it starts at ${start}, before ${present.start_at}` : null
}

export const presentOf = (client: Flightdeck, path: string): Promise<Present> =>
  client.request<Present>('GET', path)

/** Verbs that spend, or cannot be taken back; deletions too. */
const grave = new Set([
  'launch',
  'resume',
  'apply',
  'approve',
  'reset',
  'remove-deployment',
  'enable',
])

export const isGrave = ({ method }: Operation, verb: string) =>
  method === 'DELETE' || grave.has(verb)
