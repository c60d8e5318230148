import { columnsOf } from '../../database/tables/types.ts'
import { checkRecentLogin } from '../../identity/recent-login.ts'
import { change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { checkVersion, rowsOf } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { conflict, invalid, notFound } from '../../problems/problem.ts'
import { changedFields, changedReadOnly } from '../../schema/changed-fields.ts'
import { isTimeZone, unknownTimeZone } from '../../values/times.ts'
import { type OrganizationRow, toOrganization } from './present.ts'
import { type Organization, type OrganizationChanges, organizationReadOnly } from './schema.ts'

export const getOrganization = async (ctx: Context): Promise<Organization> =>
  toOrganization(ctx.services, await ownRow(ctx))

async function ownRow(ctx: Context): Promise<OrganizationRow> {
  const row = await ctx.reader
    .kysely()
    .selectFrom('organizations')
    .select(columnsOf.organizations)
    .where('id', '=', ctx.organization.id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export const updateOrganization = (
  ctx: Context,
  body: OrganizationChanges,
): Promise<Organization> =>
  setOrganization(ctx, (before) => {
    const faults = changedReadOnly(before, body, organizationReadOnly)
    const { name = before.name, require_if_match = before.require_if_match } = body
    const { time_zone = before.time_zone } = body
    const { require_second_factor = before.require_second_factor } = body
    if (!isTimeZone(time_zone)) faults.push(unknownTimeZone('/time_zone', time_zone))
    if (faults.length > 0) throw invalid(faults)
    return { name, require_if_match, require_second_factor, time_zone }
  })

type Settable = Partial<
  Pick<
    OrganizationRow,
    'name' | 'plan' | 'status' | 'require_if_match' | 'require_second_factor' | 'time_zone'
  >
>

/**
 * Applies the changes that the callback returns for the current organization; operators may set
 * plan and status.
 */
export const setOrganization = (
  ctx: Context,
  normalize: (before: Organization) => Settable,
): Promise<Organization> =>
  change(ctx, 'organization.updated', async (ctx) => {
    const row = await ownRow(ctx)
    checkVersion(ctx, row.version)
    const before = toOrganization(ctx.services, row)
    const { require_second_factor: isRequired } = before
    const set = normalize(before)
    if (changedFields(row, set).length === 0) return { before, after: before }
    if ((set.require_second_factor ?? isRequired) !== isRequired)
      await checkRequirement(ctx, !isRequired)
    const stamps = { version: row.version + 1, updated_at: ctx.now }
    const next = { ...row, ...set, ...stamps }
    store(ctx, next)
    return { before, after: toOrganization(ctx.services, next) }
  })

/** Asks who has a second factor for a recent login, whichever way it changes. */
async function checkRequirement(ctx: WriteContext, isRequired: boolean): Promise<void> {
  checkRecentLogin(ctx.services, ctx.login)
  if (isRequired) await checkOwnersFactor(ctx)
}

/** An owner must be left who can get in, and can take the requirement back. */
async function checkOwnersFactor(ctx: WriteContext): Promise<void> {
  const owner = await rowsOf(ctx, 'users')
    .where('role', '=', 'owner')
    .where('disabled', '=', false)
    .where('second_factor', '=', true)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (!owner)
    throw conflict('owner_without_factor', 'An owner has to set up a second factor first.')
}

const storeSql = `
  update organizations
  set name = $2, plan = $3, status = $4, require_if_match = $5, time_zone = $6, version = $7,
    updated_at = $8, require_second_factor = $9
  where id = $1`

function store(ctx: WriteContext, row: OrganizationRow): void {
  const { name, plan, status, require_if_match, time_zone, version, updated_at } = row
  const values = [name, plan, status, require_if_match, time_zone, version, updated_at]
  ctx.tx.send(tenantQuery(ctx, storeSql, ...values, row.require_second_factor))
}
