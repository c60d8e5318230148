import { insertStatement } from '../../database/tables/statements.ts'
import { change } from '../../kernel/change.ts'
import { administration, nowText, type Services } from '../../kernel/context.ts'
import { retryLostRaces, withLedger } from '../../kernel/transaction.ts'
import { organizationIds } from '../../values/core-ids.ts'
import { newId } from '../../values/ids.ts'
import type { Actor } from '../../values/organization.ts'
import type { Plan } from '../../values/plans.ts'
import { addUser } from '../members/members.ts'
import { type OrganizationRow, toOrganization } from './present.ts'

export type NewOrganization = {
  name: string
  plan: Plan
  sandbox?: boolean
  owner: { email: string; name: string; password: string }
}

export type CreatedOrganization = { organizationId: string; ownerId: string }

/**
 * Creates an organization with its first owner in one transaction. Used by the command line and the
 * first start.
 */
export async function createOrganization(
  services: Services,
  actor: Actor,
  { name, plan, sandbox = false, owner }: NewOrganization,
): Promise<CreatedOrganization> {
  const row = newRow(services, { name: name.trim(), plan, sandbox })
  const password_hash = await services.identity.passwords.hash(owner.password, {
    organizationId: row.id,
  })
  const ctx = administration(services, actor, row)
  const founding = () =>
    services.database.transaction(async (tx) => {
      tx.send(insertStatement('organizations', row))
      const head = { organization_id: row.id, bytes_measured_at: row.created_at }
      tx.send(insertStatement('organization_heads', head))
      return withLedger(ctx, tx, async (ctx) => {
        const after = toOrganization(ctx.services, row)
        await change(ctx, 'organization.created', async () => ({ before: null, after }))
        const { password: _, ...account } = { ...owner, role: 'owner' as const, password_hash }
        return addUser(ctx, account)
      })
    })
  const { result } = await retryLostRaces(services, founding)
  return { organizationId: row.id, ownerId: result.id }
}

type NewRow = Pick<OrganizationRow, 'name' | 'plan' | 'sandbox'>

function newRow(services: Services, input: NewRow): OrganizationRow {
  const now = nowText(services)
  return {
    id: newId(organizationIds),
    ...input,
    status: 'active',
    require_if_match: false,
    require_second_factor: false,
    time_zone: 'UTC',
    clock_ahead_ms: 0,
    version: 1,
    created_at: now,
    updated_at: now,
  }
}
