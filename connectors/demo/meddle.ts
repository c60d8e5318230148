import { setTimeout as pause } from 'node:timers/promises'
import type { SimNetwork } from '../sim/network/server.ts'
import { newest } from '../sim/network/state.ts'

/** Acts of people in the network's own page, which the demo shows. */

type HeldAccount = { account_ref: string; campaigns: number }

const lookMs = 250

/** Once the campaigns are made: one is changed, one removed, and some are there that others made. */
export async function meddle(
  network: SimNetwork,
  accounts: readonly HeldAccount[],
  stop: AbortSignal,
): Promise<void> {
  const { control } = network
  // The clock is set back to midnight while they are made, so that they have spent something today.
  control.setClock(-(Date.now() % dayMs))
  while (!stop.aborted && !accounts.every((each) => isWhole(network, each)))
    await pause(lookMs, undefined, { signal: stop }).catch(() => {})
  if (stop.aborted) return
  control.setClock(0)
  const [changed, removed] = accounts.flatMap((each) => running(network, each))
  if (changed) control.edit(changed.ref, changed.id, { daily_budget_minor: changed.daily * 2 })
  if (removed) control.remove(removed.ref, removed.id)
  for (const { account_ref } of accounts)
    for (const campaign of theirs) control.add(account_ref, campaign)
}

const dayMs = 24 * 3_600_000

/** Campaigns that an agency finds in an account which it takes on. */
const theirs = [
  { name: 'Brand – exact', status: 'ENABLED', daily_budget_minor: 4_500, objective: 'traffic' },
  { name: 'Competitors', status: 'ENABLED', daily_budget_minor: 3_000, objective: 'traffic' },
  { name: 'Old remarketing', status: 'PAUSED', daily_budget_minor: 1_500, objective: 'sales' },
]

const isWhole = ({ state }: SimNetwork, { account_ref, campaigns }: HeldAccount): boolean => {
  const account = state.accounts.get(account_ref)
  const made = [...(account?.campaigns.values() ?? [])]
  return account !== undefined && made.length >= campaigns
}

/** Campaigns that run by a daily budget. */
const running = ({ control }: SimNetwork, { account_ref: ref }: HeldAccount) =>
  control.campaigns(ref).flatMap((campaign) => {
    const { status, daily_budget_minor: daily } = newest(campaign).values ?? {}
    return status === 'ENABLED' && daily ? [{ ref, id: campaign.id, daily }] : []
  })
