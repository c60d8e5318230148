import {
  type Access,
  type Adapter,
  type Apply,
  type Coverage,
  NetworkFault,
  type Seen,
} from '../kit/src/connect.ts'
import { customerOf, mutate, search, version } from './calls/ask.ts'
import { authorize } from './calls/authorize.ts'
import { belongsTo } from './calls/limits.ts'
import { areIds, queries } from './calls/queries.ts'
import { labelNameIn } from './calls/rows.ts'
import { examine } from './examine.ts'
import { openDaysOf, resultsOf } from './figures.ts'
import { changeOperations, creationOperations } from './mapping/operations.ts'
import { type GoogleBody, planOf } from './mapping/plan.ts'
import { awaitHours, forget, listAll, look, readIds, readMarked, wholeOf } from './reading.ts'

/** The adapter of Google Ads: campaigns, their budgets and ad schedules, by plain REST. */

const coverage: Coverage = {
  name: 'native',
  status: 'native',
  budget: 'native',
  dates: 'native',
  schedule: 'native',
}

export type GoogleOptions = { url: string; oauthUrl: string }

export const addresses: GoogleOptions = {
  url: 'https://googleads.googleapis.com',
  oauthUrl: 'https://oauth2.googleapis.com',
}

export function googleAdapter({ url, oauthUrl }: GoogleOptions = addresses): Adapter<GoogleBody> {
  return {
    platform: 'google_ads',
    name: 'google-ads',
    version: '0.1.0',
    apiVersion: version,
    coverage,
    isAtomic: true,
    url,
    origins: [oauthUrl],
    authorize: (credential, access) => {
      belongsTo(access, credential)
      return authorize(credential, access, oauthUrl)
    },
    account: look,
    examine,
    async *inventory(access): AsyncIterable<Seen> {
      yield* await listAll(access)
    },
    plan: planOf,
    read: async (access, which) =>
      'marker' in which ? readMarked(access, checked(which.marker)) : readIds(access, which.ids),
    apply,
    remove,
    results: resultsOf,
    openDays: openDaysOf,
  }
}

/** Marks stand in queries, so nothing else may. */
function checked(marker: string): string {
  if (/^fd:[0-9a-z]{1,40}$/.test(marker)) return marker
  throw new NetworkFault('blocked', 'The mark of the campaign is none.', { code: 'setting' })
}

async function apply(access: Access, body: GoogleBody, apply: Apply): Promise<{ id: string }> {
  const { seen, marker } = apply
  return seen === null
    ? create(access, body, { ...apply, marker: checked(marker) })
    : change(access, body, { ...apply, seen })
}

async function create(access: Access, body: GoogleBody, { marker, validateOnly }: Apply) {
  const customer = customerOf(access)
  const make = (label: string | null) =>
    mutate(access, {
      operations: creationOperations({ customer, body, marker, label, now: Date.now() }),
      validateOnly,
    })
  const names = await make(null)
    .catch(async (error) => make(await labelThere(access, marker, error)))
    .catch((error) => theTwin(access, marker, error))
  if (validateOnly) return { id: '' }
  const id = names.map((name) => /\/campaigns\/(\d+)$/.exec(name)?.[1]).find(Boolean)
  if (!id) throw new NetworkFault('unknown_outcome', 'The answer names no campaign.')
  awaitHours(access, id, { schedule: body.schedule, marker })
  return { id }
}

/** The label that is there already, from a campaign that is gone; rarely enough to ask only once it is refused. */
async function labelThere(access: Access, marker: string, error: unknown): Promise<string> {
  const { code, subcode } = (error instanceof NetworkFault && error.network) || {}
  if (code !== 'labelError' || subcode !== 'DUPLICATE_NAME') throw error
  const [label] = await search(access, queries.label(marker))
  if (!label) throw error
  return labelNameIn(label)
}

/** A campaign of that name that has our mark is the one that was to be made. */
async function theTwin(access: Access, marker: string, error: unknown): Promise<string[]> {
  const isTwin =
    error instanceof NetworkFault && error.network?.subcode === 'DUPLICATE_CAMPAIGN_NAME'
  if (!isTwin) throw error
  const [id] = (await readMarked(access, marker)).keys()
  if (id === undefined) throw error
  return [`/campaigns/${id}`]
}

async function change(
  access: Access,
  body: GoogleBody,
  { seen: { id }, validateOnly }: Apply & { seen: Seen },
) {
  if (wholeOf(access, id) === null) await readIds(access, [id])
  const whole = wholeOf(access, id)
  if (whole === null) throw new NetworkFault('conflict', 'The campaign is not there any more.')
  const customer = customerOf(access)
  const operations = changeOperations({ customer, body, whole, now: Date.now() })
  if (operations.length === 0) return { id }
  const ofHours = operations.filter((each) => each.campaignCriterionOperation !== undefined)
  try {
    await mutate(access, { operations, validateOnly })
    const isAlone = ofHours.length === operations.length
    if (ofHours.length > 0 && !validateOnly)
      awaitHours(access, id, { schedule: body.schedule, isAlone })
  } catch (error) {
    forget(access, id)
    throw error
  }
  return { id }
}

const goneWords = ['RESOURCE_NOT_FOUND', 'OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE']

/** Ends the campaign for good; its budget is its own and goes with it. */
async function remove(access: Access, id: string): Promise<void> {
  if (!areIds([id])) return
  const name = `customers/${customerOf(access)}/campaigns/${id}`
  try {
    await mutate(access, { operations: [{ campaignOperation: { remove: name } }] })
  } catch (error) {
    const word = error instanceof NetworkFault ? error.network?.subcode : null
    if (!goneWords.some((each) => each === word)) throw error
  }
  forget(access, id)
}
