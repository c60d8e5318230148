import type { Seen } from '../contract/adapter.ts'
import { NetworkFault } from '../contract/fault.ts'
import type { Plan, WorkItem } from '../contract/plan.ts'
import type { Account } from './account.ts'
import { ceilingFault } from './ceiling.ts'

/** The one way to the network's writes: bounded by the ceiling, and held by what the network can hold. */

export type Target = { item: WorkItem; plan: Plan; seen: Seen | null; validateOnly?: boolean }

/** Sends what differs; answers the id of the campaign. Throws what the network cannot hold. */
export async function write(
  account: Account,
  { item, plan, seen, validateOnly = false }: Target,
): Promise<string> {
  const { adapter, access, facts } = account
  if (facts === null) throw new NetworkFault('transient', 'The account was not seen yet.')
  if (plan.currency !== facts.currency) {
    const message = `The account is in ${facts.currency}, the campaign in ${plan.currency}.`
    throw new NetworkFault('blocked', message, { code: 'currency_mismatch' })
  }
  if (isRise(plan, seen)) checkCeiling(account, plan, seen)
  const planned = adapter.plan(plan, facts)
  if ('refused' in planned) {
    const { code, errors } = planned.refused
    const message = errors[0]?.message ?? 'The network cannot hold it.'
    throw new NetworkFault('blocked', message, { code, errors })
  }
  if (seen && !validateOnly) account.writtenAt.set(seen.id, Date.now())
  const apply = { seen, marker: item.marker, validateOnly }
  const { id } = await adapter.apply(access, planned.body, apply)
  if (!validateOnly) account.writtenAt.set(id, Date.now())
  return id
}

/** Pausing and lowering is always allowed. */
function isRise(plan: Plan, seen: Seen | null): boolean {
  if (seen === null) return true
  const { run, daily_budget_minor: daily, lifetime_budget_minor: lifetime } = seen.observed
  const isMore = (next: number | null, was: number | null | undefined) =>
    was != null && (next === null || next > was)
  return (
    (plan.run === 'enabled' && run !== 'enabled') ||
    isMore(plan.daily_budget_minor, daily) ||
    isMore(plan.lifetime_budget_minor, lifetime)
  )
}

function checkCeiling(
  { ceilings, seen: all, unsure }: Account,
  target: Plan,
  seen: Seen | null,
): void {
  const fault = ceilingFault(ceilings, { id: seen?.id ?? null, target, seen: all, unsure })
  if (fault)
    throw new NetworkFault('blocked', fault.message, { code: 'cannot_hold', errors: [fault] })
}
