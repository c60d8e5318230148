import type { Fake } from './api.ts'
import type { Fault } from './faults.ts'
import type { Json } from './json.ts'
import { mutate } from './mutate.ts'
import { type Account, type AccountFacts, openAccount, textOf } from './state.ts'

/** The side that is not the network’s API: its clock, its faults, and people in its own page. */

export type Control = {
  openAccount(facts: AccountFacts): Account
  account(id: string): Account
  setFaults(faults: readonly Fault[]): void
  setClock(offsetMs: number): void
  /** An edit by a person in the network’s own page, with the rules of the network. */
  edit(id: string, operations: readonly Json[]): void
  /** Campaigns that are not removed, with their budgets, hours and labels. */
  campaigns(id: string): CampaignThere[]
  setDelivery(id: string, campaign: string, delivery: Delivery): void
  setFigures(id: string, campaign: string, date: string, figures: Json): void
}

type Delivery = { primaryStatus: string; primaryStatusReasons: string[] }

export type CampaignThere = {
  campaign: Json
  budget: Json
  schedules: unknown[]
  labels: string[]
}

export function controlOf({ state, faults }: Fake): Control {
  const account = (id: string): Account => {
    const found = state.accounts.get(id)
    if (!found) throw new Error(`there is no account ${id}`)
    return found
  }
  return {
    openAccount: (facts) => openAccount(state, facts),
    account,
    setFaults: faults.set,
    setClock: (offsetMs) => {
      state.offsetMs = offsetMs
    },
    edit(id, mutateOperations) {
      const now = Date.now() + state.offsetMs
      mutate({ mutateOperations }, { account: account(id), now, validateOnly: false })
    },
    campaigns: (id) => campaignsOf(account(id)),
    setDelivery: (id, campaign, delivery) => void account(id).delivery.set(campaign, delivery),
    setFigures: (id, campaign, date, figures) =>
      void account(id).metrics.set(`${campaign} ${date}`, figures),
  }
}

const campaignsOf = ({ held }: Account): CampaignThere[] =>
  [...held.campaign.values()]
    .filter(({ status }) => status !== 'REMOVED')
    .map((campaign) => {
      const isOf = (each: Json) => each.campaign === campaign.resourceName
      return {
        campaign,
        budget: held.campaignBudget.get(textOf(campaign, 'campaignBudget')) ?? {},
        schedules: [...held.campaignCriterion.values()].filter(isOf).map((each) => each.adSchedule),
        labels: [...held.campaignLabel.values()]
          .filter(isOf)
          .map((each) => textOf(held.label.get(textOf(each, 'label')), 'name')),
      }
    })
