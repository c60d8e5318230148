import type { Access, AccountFacts, Finding } from '../kit/src/connect.ts'
import { customerOf, mutate, search } from './calls/ask.ts'
import { fixOf } from './calls/fixes.ts'
import { queries } from './calls/queries.ts'
import { declarationIn } from './calls/rows.ts'
import { creationOperations } from './mapping/operations.ts'
import { planOf } from './mapping/plan.ts'
import { look } from './reading.ts'

/** Finds what works of an account and what is missing: reads, then has the network judge a creation. */

export async function examine(access: Access): Promise<Finding[]> {
  try {
    const facts = await look(access)
    return [
      { what: `Account ${facts.ref} can be read (${facts.name ?? 'without a name'})`, fix: null },
      ...comparisons(access, facts),
      await declarationOfAccount(access),
      await declaration(access),
      await creation(access, facts),
    ]
  } catch (error) {
    return [{ what: `Account ${access.accountRef} can be read`, fix: fixOf(error) }]
  }
}

/** Nothing is sent to an account other than the profile’s. */
function comparisons({ profile }: Access, facts: AccountFacts): Finding[] {
  return (['currency', 'time_zone'] as const).map((field) => ({
    what: `The profile has the account’s ${field.replace('_', ' ')}, ${facts[field]}`,
    fix: profile[field] === facts[field] ? null : `it has ${profile[field]}: set it in the profile`,
  }))
}

const declarations: Readonly<Record<string, string>> = {
  CONTAINS_EU_POLITICAL_ADVERTISING: 'political advertising for the EU',
  DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING: 'no political advertising for the EU',
}

/** The account’s own word is only said: campaigns are declared one by one. */
async function declarationOfAccount(access: Access): Promise<Finding> {
  const [row = {}] = await search(access, queries.declared)
  const declared = declarations[declarationIn(row)] ?? 'nothing on political advertising for the EU'
  return { what: `The account declares ${declared}`, fix: null }
}

async function declaration(access: Access): Promise<Finding> {
  const what = 'All campaigns have the declaration on EU political advertising'
  const missing = (await search(access, queries.undeclared)).length
  if (missing === 0) return { what, fix: null }
  return {
    what,
    fix: `${missing} lack it, and Google may refuse writes: declare them in Google Ads`,
  }
}

const what = 'Google accepts a campaign on trial (validate_only)'

/** A campaign that is only judged: whether the credential may write shows in no other way. */
async function creation(access: Access, facts: AccountFacts): Promise<Finding> {
  const minor = 100 * (facts.budgetStepMinor ?? 1) * 10
  const planned = planOf(trialOf(facts, minor), facts)
  if ('refused' in planned) return { what, fix: planned.refused.errors[0]?.message ?? 'refused' }
  const operations = creationOperations({
    ...{ customer: customerOf(access), body: planned.body, marker: 'fd:trial', label: null },
    now: Date.now(),
  })
  try {
    await mutate(access, { operations, validateOnly: true })
    return { what, fix: null }
  } catch (error) {
    return { what, fix: fixOf(error) }
  }
}

const trialOf = ({ currency, time_zone }: AccountFacts, daily_budget_minor: number) => ({
  name: `Flightdeck trial ${crypto.randomUUID()}`,
  ...{ objective: 'traffic' as const, run: 'paused' as const, currency, time_zone, schedule: [] },
  ...{ daily_budget_minor, lifetime_budget_minor: null, start_at: null, end_at: null },
  settings: {
    contains_eu_political_advertising: 'DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING',
  },
})
