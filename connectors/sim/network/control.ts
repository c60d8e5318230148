import type { Answered, Network, NetworkRequest } from './api.ts'
import { type Fault, faultKinds } from './faults.ts'
import { countUp } from './spend.ts'
import {
  type AccountFacts,
  addCampaign,
  newest,
  openAccount,
  type SimAccount,
  type SimCampaign,
  setValues,
} from './state.ts'
import { changed, objectOf, Refusal } from './values.ts'

/** The side that is not the network's API: its clock, faults, and people in its own page. */

export type Control = {
  openAccount(facts: AccountFacts): void
  /** Changes what an account is: its currency, status, or whether its credential works. */
  setAccount(ref: string, facts: Partial<Omit<SimAccount, 'id' | 'campaigns'>>): void
  setFaults(faults: readonly Fault[]): void
  /** How far the network's clock is ahead of real time. */
  setClock(offsetMs: number): void
  /** Makes a campaign by hand; answers its id. */
  add(ref: string, values: Record<string, unknown>): string
  /** An edit by a person in the network's own page. */
  edit(ref: string, id: string, changes: Record<string, unknown>): void
  remove(ref: string, id: string): void
  campaigns(ref: string): readonly SimCampaign[]
}

export function controlOf({ state, faults }: Network): Control {
  const account = (ref: string): SimAccount => {
    const found = state.accounts.get(ref)
    if (!found) throw new Refusal(404, 'no_account', 'there is no such account')
    return found
  }
  const setTo = (ref: string, id: string, changes: Record<string, unknown> | null) => {
    const of = account(ref)
    const campaign = of.campaigns.get(id)
    const values = campaign && newest(campaign).values
    if (!campaign || !values) throw new Refusal(404, 'not_found', 'there is no such campaign')
    const next = changes && changed(values, changes, of)
    countUp(state, of, campaign)
    setValues(state, campaign, next)
  }
  return {
    openAccount: (facts) => void openAccount(state, facts),
    setAccount: (ref, facts) => void Object.assign(account(ref), facts),
    setFaults: faults.set,
    setClock: (offsetMs) => {
      state.offsetMs = offsetMs
    },
    add: (ref, values) => addCampaign(state, account(ref), changed(null, values, account(ref))).id,
    edit: (ref, id, changes) => setTo(ref, id, changes),
    remove: (ref, id) => setTo(ref, id, null),
    campaigns: (ref) => [...account(ref).campaigns.values()],
  }
}

const done: Answered = { status: 200, body: {} }

/** The same over HTTP, below `/control`. */
export function answerControl(control: Control, request: NetworkRequest): Answered {
  const [kind, ref = '', part, id = ''] = request.path
  const act = `${request.method} ${kind}${part === undefined ? '' : `/${part}`}`
  const body = request.method === 'DELETE' ? {} : objectOf(request.body)
  switch (act) {
    case 'PUT faults':
      control.setFaults(faultsIn(body.faults))
      return done
    case 'PUT clock':
      control.setClock(whole(body.offset_ms, 'offset_ms'))
      return done
    case 'POST accounts':
      control.openAccount(accountIn(body))
      return { status: 201, body: {} }
    case 'PATCH accounts':
      control.setAccount(ref, accountChangesIn(body))
      return done
    case 'POST accounts/campaigns':
      return { status: 201, body: { id: control.add(ref, body) } }
    case 'PATCH accounts/campaigns':
      control.edit(ref, id, body)
      return done
    case 'DELETE accounts/campaigns':
      control.remove(ref, id)
      return done
    default:
      throw new Refusal(404, 'unknown_path', 'there is nothing at this address')
  }
}

const bad = (field: string, message: string) =>
  new Refusal(400, 'invalid_value', `${field} ${message}`, { field })

function whole(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw bad(field, 'must be a whole number')
  return value
}

function textIn(body: Record<string, unknown>, field: string): string {
  const value = body[field]
  if (typeof value !== 'string' || value === '') throw bad(field, 'must be a text')
  return value
}

function accountIn(body: Record<string, unknown>): AccountFacts {
  const id = textIn(body, 'id')
  const [currency, time_zone] = [textIn(body, 'currency'), textIn(body, 'time_zone')]
  return { ...accountChangesIn(body), id, currency, time_zone }
}

const texts = ['name', 'currency', 'time_zone', 'token'] as const
const statuses = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const
const credentials = ['VALID', 'EXPIRED'] as const

function oneOf<T extends string>(value: unknown, allowed: readonly T[], field: string): T {
  const found = allowed.find((each) => each === value)
  if (found === undefined) throw bad(field, `must be one of ${allowed.join(', ')}`)
  return found
}

function accountChangesIn(body: Record<string, unknown>): Partial<SimAccount> {
  const given = texts.filter((field) => body[field] !== undefined)
  return {
    ...Object.fromEntries(given.map((field) => [field, textIn(body, field)])),
    ...(body.status !== undefined && { status: oneOf(body.status, statuses, 'status') }),
    ...(body.credential !== undefined && {
      credential: oneOf(body.credential, credentials, 'credential'),
    }),
    ...(body.credential_expires_at !== undefined && {
      credential_expires_at: textIn(body, 'credential_expires_at'),
    }),
  }
}

function faultsIn(value: unknown): Fault[] {
  if (!Array.isArray(value)) throw bad('faults', 'must be a list')
  return value.map((each) => {
    const { kind, on, account, ...numbers } = objectOf(each)
    const fault: Fault = { kind: oneOf(kind, faultKinds, 'kind') }
    for (const name of ['rate', 'times', 'ms', 'seconds'] as const) {
      const number = numbers[name]
      if (typeof number === 'number') fault[name] = number
    }
    if (on !== undefined) fault.on = oneOf(on, ['read', 'write'], 'on')
    if (typeof account === 'string') fault.account = account
    return fault
  })
}
