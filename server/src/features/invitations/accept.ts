import type { Row } from '../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../database/tables/types.ts'
import { checkMayUsePassword } from '../../identity/enforced-sso.ts'
import { change } from '../../kernel/change.ts'
import {
  actAsSystem,
  type BareContext,
  type Context,
  newContext,
  nowText,
  type Reaction,
} from '../../kernel/context.ts'
import { checkCap } from '../../kernel/quotas.ts'
import { findOne, rowsOf } from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { linkExpired, type OpenedLink, openedLink, spendLink } from '../../mail/one-use-links.ts'
import { Problem } from '../../problems/problem.ts'
import { newId } from '../../values/ids.ts'
import { openSession } from '../auth/login.ts'
import { addUser } from '../members/members.ts'
import { cap as membersCap, userIds } from '../members/resource.ts'
import { endInvitation, toInvitation } from './invitations.ts'
import type { Acceptance } from './schema.ts'

/** Makes the invited person a member, and logs them in. */
export async function acceptInvitation(bare: BareContext, body: Acceptance) {
  const { services, request } = bare
  const place = { secret: body.secret, address: request?.ip ?? '' }
  const link = await openedLink(services, 'invitation', place)
  const { ctx, invitation } = await invited(bare, link, body.name)
  const organizationId = ctx.organization.id
  const { organization } = ctx
  await checkMayUsePassword(ctx.reader, { ...invitation, second_factor: false, organization })
  const password_hash = await services.identity.passwords.hash(body.password, { organizationId })
  const { email, role, scope } = invitation
  const user = await inTransaction(ctx, async (ctx) => {
    await spendLink(ctx, link)
    await change(ctx, 'invitation.accepted', async (ctx) => {
      const before = toInvitation(invitation, nowText(services))
      return { before: endInvitation(ctx, before), after: null }
    })
    await checkCap(ctx, membersCap)
    const account = { id: ctx.actor.id ?? '', email, name: body.name, role, scope }
    return addUser(ctx, { ...account, password_hash })
  })
  return openSession(ctx, user)
}

type Invited = { ctx: Context; invitation: Row<'invitations'> }

/** The context of the future member. An invitation ends with the right of its inviter. */
async function invited(
  bare: BareContext,
  { organization_id, subject_id }: OpenedLink,
  name: string,
): Promise<Invited> {
  const system = await actAsSystem(bare.services, organization_id, 'invitations')
  const invitation = system && (await findOne(system, 'invitations', subject_id))
  if (!invitation || !(await mayStillInvite(system, invitation))) throw linkExpired()
  const { organization } = system
  if (organization.status === 'suspended')
    throw new Problem('organization_suspended', 'The organization is suspended and read-only.')
  const actor = { type: 'user', id: newId(userIds), name } as const
  return {
    ctx: newContext(bare, { organization, actor, role: invitation.role, scope: null }),
    invitation,
  }
}

type Inviting = Pick<Row<'invitations'>, 'role' | 'created_by'>
type Inviter = Pick<Row<'users'>, 'role' | 'disabled'>

async function mayStillInvite(ctx: Context, invitation: Inviting): Promise<boolean> {
  const inviter = await findOne(ctx, 'users', invitation.created_by ?? '')
  return inviter !== undefined && mayInvite(inviter, invitation)
}

const mayInvite = ({ role, disabled }: Inviter, invitation: Inviting): boolean =>
  !disabled && (role === 'owner' || (role === 'admin' && invitation.role !== 'owner'))

/** Ends the invitations of a member who may not invite these people any longer. */
export const endInvitationsOf: Reaction = async (ctx, before, after) => {
  if (!before) return
  const rows = await rowsOf(ctx, 'invitations')
    .where('created_by', '=', before.id)
    .select(columnsOf.invitations)
    .execute()
  // A member as it is after the change, if it is still there.
  const inviter = after as (Inviter & object) | null
  for (const row of rows.filter((each) => !inviter || !mayInvite(inviter, each))) {
    await change(ctx, 'invitation.deleted', async (ctx) => {
      const ended = toInvitation(row, nowText(ctx.services))
      return { before: endInvitation(ctx, ended), after: null }
    })
  }
}
