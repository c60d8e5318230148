import { withScope } from '../../../database/scope/readers.ts'
import { scopeText } from '../../../database/scope/scope.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { type Holder, hasRoleAmong, may, type Permission } from '../../../identity/permissions.ts'
import type { Context } from '../../../kernel/context.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { NotificationSettings } from '../schema.ts'
import { defaults } from '../settings.ts'
import type { Rule } from './rules.ts'

/** A person who can be notified something. */
export type Recipient = Pick<Row<'users'>, 'id' | 'email' | 'role' | 'scope'> & {
  readonly settings: NotificationSettings
}

const peopleSql = `
  select u.id, u.email, u.role, u.scope,
    case when s.user_id is not null then jsonb_build_object(
      'approvals_waiting', s.approvals_waiting, 'my_change_sets', s.my_change_sets,
      'pacing', s.pacing, 'deployments', s.deployments, 'security', s.security,
      'digest', s.digest) end as settings
  from users u
  left join notification_settings s on s.organization_id = u.organization_id and s.user_id = u.id
  where u.organization_id = $1 and not u.disabled`

type PersonRow = Omit<Recipient, 'settings'> & { settings: NotificationSettings | null }

export async function peopleOf(ctx: Context): Promise<Recipient[]> {
  const rows = await ctx.reader.query<PersonRow>(tenantQuery(ctx, peopleSql))
  return rows.map((row) => ({ ...row, settings: row.settings ?? defaults }))
}

const makersSql = `
  select id, maker_id from api_keys where organization_id = $1 and id = any($2) and agent is null`

/** The person behind each id of a user or API key; an agent is no one but itself. */
export async function personBehind(
  ctx: Context,
  ids: readonly (string | null)[],
): Promise<(id: string | null) => string | null> {
  const keys = ids.filter((id) => id?.startsWith('key_'))
  if (keys.length === 0) return (id) => id
  const rows = await ctx.reader.query<{ id: string; maker_id: string | null }>(
    tenantQuery(ctx, makersSql, keys),
  )
  const makers = new Map(rows.map(({ id, maker_id }) => [id, maker_id]))
  return (id) => (id && makers.get(id)) ?? id
}

type Question = {
  readonly rule: Rule
  readonly event: LedgerEvent
  readonly behind: (id: string | null) => string | null
  /** The right to read the events, by their types. */
  readonly permissions: ReadonlyMap<string, Permission>
}

/** Whether a person is to be notified, but for the scope. */
export function isFor(person: Recipient, { rule, event, behind, permissions }: Question): boolean {
  if (person.settings[rule.category] === 'none' || isOwnDoing(person, event, behind)) return false
  if (isOwnArrival(person, event)) return false
  const isMaker = rule.to === 'managers' && behind(rule.and) === person.id
  const permission = permissions.get(event.type)
  const holder = holderOf(person)
  if (!isMaker && !(permission && may(holder, permission))) return false
  switch (rule.to) {
    case 'all':
      return true
    case 'managers':
      return isMaker || hasRoleAmong(holder, ['owner', 'admin'])
    case 'author':
      return behind(rule.id) === person.id
    case 'approvers':
      return (rule.roles ?? []).includes(person.role) && behind(rule.but) !== person.id
  }
}

const holderOf = ({ role }: Recipient): Holder => ({
  actor: { type: 'user' },
  role,
  makerRole: null,
})

/** Changes that the clock makes in the name of a person have no request. */
const isOwnDoing = (
  { id }: Recipient,
  { actor, request_id }: LedgerEvent,
  behind: Question['behind'],
): boolean => request_id !== null && behind(actor.id) === id

const isOwnArrival = ({ id }: Recipient, { type, data }: LedgerEvent): boolean =>
  type === 'member.created' && data.object.id === id

const seenSql = 'select sequence from events where organization_id = $1 and sequence = any($2)'

/** The events that each scope shows, through the readers that all requests have. */
export async function seenByScope(
  ctx: Context,
  people: readonly Recipient[],
  sequences: readonly number[],
): Promise<(person: Recipient, sequence: number) => boolean> {
  const seen = new Map<string, ReadonlySet<number>>()
  for (const { scope } of people) {
    const key = scope && scopeText(scope)
    if (!scope || key === null || seen.has(key)) continue
    const { reader } = withScope(ctx, scope)
    const rows = await reader.query<{ sequence: number }>(tenantQuery(ctx, seenSql, sequences))
    seen.set(key, new Set(rows.map(({ sequence }) => sequence)))
  }
  return ({ scope }, sequence) => !scope || seen.get(scopeText(scope))?.has(sequence) === true
}
