import { isObject, type Json } from './json.ts'
import { type Change, changesOf, responseOf } from './operations.ts'
import { type ErrorItem, Refusal, refusal, refuse } from './refusal.ts'
import { checkAccount, checkChange } from './rules.ts'
import { type Account, commit, copyOf, type Held, textOf } from './state.ts'

/** One mutate: all of its operations, or none. */

export type Mutating = { account: Account; now: number; validateOnly: boolean }

const mostOperations = 10_000

export function mutate(body: Json, { account, now, validateOnly }: Mutating): Json {
  checkAccount(account)
  const given = Array.isArray(body.mutateOperations) ? body.mutateOperations : []
  if (given.length === 0)
    refuse('fieldError.REQUIRED', 'Operations are required.', {
      path: [{ fieldName: 'mutate_operations' }],
    })
  if (given.length > mostOperations)
    refuse('requestError.TOO_MANY_MUTATE_OPERATIONS', 'There are too many operations.')
  const changes = changesOf(given)
  checkTwice(changes)
  const next: Next = {
    account,
    ...{ held: copyOf(account.held), now, nextId: account.nextId },
    temporary: new Map(),
    failed: new Set(),
    errors: [],
    touched: new Set(),
  }
  const names = changes.map((change) => step(next, change))
  if (next.errors.length > 0) throw new Refusal(...next.errors)
  if (validateOnly) return {}
  account.nextId = next.nextId
  commit(account, next.held, [...next.touched])
  const responses = changes.map(({ kind }, at) => responseOf(kind, names[at] ?? ''))
  return { mutateOperationResponses: responses }
}

export type Next = {
  account: Account
  held: Held
  now: number
  nextId: number
  /** The names of temporary ids. */
  temporary: Map<string, string>
  /** Temporary names of what was refused. */
  failed: Set<string>
  errors: ErrorItem[]
  /** Campaigns that were changed, themselves or their budgets. */
  touched: Set<string>
}

/** R03: a resource is named once. */
function checkTwice(changes: readonly Change[]): void {
  const seen = new Set<string>()
  for (const change of changes) {
    const name = change.act === 'remove' ? change.name : textOf(change.resource, 'resourceName')
    if (name !== '' && seen.has(name))
      refuse(
        name.includes('/-')
          ? 'newResourceCreationError.DUPLICATE_TEMP_IDS'
          : 'mutateError.ID_EXISTS_IN_MULTIPLE_MUTATES',
        `${name} is in several operations.`,
        { path: change.path },
      )
    seen.add(name)
  }
}

/** Applies one change to what will be held; answers the name of the resource. */
function step(next: Next, change: Change): string {
  try {
    if (change.act === 'create') return create(next, change)
    return change.act === 'update' ? update(next, change) : remove(next, change)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    next.errors.push(...error.errors)
    if (change.act === 'create') next.failed.add(textOf(change.resource, 'resourceName'))
    return ''
  }
}

const collections = {
  campaignBudget: 'campaignBudgets',
  campaign: 'campaigns',
  campaignCriterion: 'campaignCriteria',
  label: 'labels',
  campaignLabel: 'campaignLabels',
} as const

const lastOf = (name: string) => name.split('/').at(-1) ?? ''

function create(next: Next, { kind, resource, path }: Change & { act: 'create' }): string {
  const { resourceName: temporary, ...given } = resource
  const whole = resolved(next, given)
  checkChange(next, { kind, before: null, after: whole, path })
  const id = String(next.nextId)
  next.nextId += 1
  const own =
    kind === 'campaignCriterion'
      ? `${lastOf(textOf(whole, 'campaign'))}~${id}`
      : kind === 'campaignLabel'
        ? `${lastOf(textOf(whole, 'campaign'))}~${lastOf(textOf(whole, 'label'))}`
        : id
  const name = `customers/${next.account.id}/${collections[kind]}/${own}`
  const isNumbered = kind === 'campaign' || kind === 'campaignBudget' || kind === 'label'
  const standing = defaults[kind]?.(whole, next) ?? {}
  next.held[kind].set(name, {
    ...{ resourceName: name, ...standing, ...whole },
    ...(isNumbered && { id }),
    ...(kind === 'campaignCriterion' && { criterionId: id, type: 'AD_SCHEDULE' }),
  })
  if (typeof temporary === 'string') next.temporary.set(temporary, name)
  touch(next, kind, name)
  return name
}

/** R09: a campaign without a start starts today. R18: a budget is shared unless it says that it is not. */
const defaults: Partial<Record<Change['kind'], (whole: Json, next: Next) => Json>> = {
  campaign: (_, { account, now }) => ({
    status: 'ENABLED',
    startDateTime: `${new Intl.DateTimeFormat('sv-SE', { timeZone: account.timeZone }).format(now)} 00:00:00`,
  }),
  campaignBudget: () => ({ period: 'DAILY', explicitlyShared: true, status: 'ENABLED' }),
  label: () => ({ status: 'ENABLED' }),
}

/** The names that temporary ids stand for; they are made before they are used. */
function resolved({ temporary, failed }: Next, given: Json): Json {
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => {
    if (typeof value !== 'string' || !/\/-\d+$/.test(value)) return [name, value]
    const made = temporary.get(value)
    if (made !== undefined) return [name, made]
    throw failed.has(value)
      ? refusal('newResourceCreationError.TEMP_ID_RESOURCE_HAD_ERRORS', `${value} had errors.`)
      : refusal('mutateError.RESOURCE_NOT_FOUND', `${value} was not made before.`)
  })
  return Object.fromEntries(entries)
}

function update(next: Next, change: Change & { act: 'update' }): string {
  const { kind, resource, mask, path } = change
  const name = textOf(resource, 'resourceName')
  const before = found(next, kind, name, change)
  const after = { ...before }
  for (const member of mask) {
    const [first = ''] = member.split('.')
    if (resource[first] === undefined) delete after[first]
    else
      after[first] = member.includes('.') ? merged(before[first], resource[first]) : resource[first]
  }
  checkChange(next, { kind, before, after, path, mask })
  next.held[kind].set(name, after)
  touch(next, kind, name)
  return name
}

const merged = (before: unknown, given: unknown): unknown =>
  isObject(before) && isObject(given) ? { ...before, ...given } : given

function remove(next: Next, change: Change & { act: 'remove' }): string {
  const { kind, name } = change
  const before = found(next, kind, name, change)
  if (kind === 'campaign') {
    next.held.campaign.set(name, { ...before, status: 'REMOVED' })
    touch(next, kind, name)
  } else next.held[kind].delete(name)
  return name
}

function found(
  { held, account }: Next,
  kind: Change['kind'],
  name: string,
  { path }: Change,
): Json {
  const resource = held[kind].get(name)
  if (!resource || !name.startsWith(`customers/${account.id}/`))
    throw refusal('mutateError.RESOURCE_NOT_FOUND', `There is no ${name}.`, { path })
  if (resource.status === 'REMOVED')
    refuse(
      'operationAccessDeniedError.OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE',
      `${name} is removed.`,
      { path },
    )
  return resource
}

function touch({ held, touched }: Next, kind: Change['kind'], name: string): void {
  if (kind === 'campaign') touched.add(name)
  if (kind === 'campaignLabel') touched.add(textOf(held.campaignLabel.get(name), 'campaign'))
  if (kind !== 'campaignBudget') return
  for (const [campaign, each] of held.campaign)
    if (each.campaignBudget === name) touched.add(campaign)
}
