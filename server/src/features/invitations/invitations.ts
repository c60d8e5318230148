import { sql } from 'kysely'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { findEmailOwner } from '../../identity/email-directory.ts'
import { roles } from '../../identity/permissions.ts'
import { scopeFaults, storedScope } from '../../identity/scope-faults.ts'
import { change, checkMayManage, withDenials } from '../../kernel/change.ts'
import { type Context, nowText, type WriteContext } from '../../kernel/context.ts'
import { checkCap } from '../../kernel/quotas.ts'
import {
  firstStamps,
  insert,
  nextStamps,
  oneOf,
  oneToChange,
  remove,
  rowsOf,
  update,
} from '../../kernel/rows.ts'
import { showOnce } from '../../kernel/shown-once.ts'
import { countLinks, endLinksOf, newLink } from '../../mail/one-use-links.ts'
import { hasMail, postMail } from '../../mail/post.ts'
import { checkFaults, conflict } from '../../problems/problem.ts'
import { anyOf, commonFilters } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { inAnyText, inId, inText } from '../../query/search/places.ts'
import { wordsIn } from '../../query/search/search.ts'
import { accountOf } from '../../values/email.ts'
import { newId } from '../../values/ids.ts'
import { invitationLetter } from './letters.ts'
import { cap, invitationIds, lifetimeMs, mostADay } from './resource.ts'
import type { Invitation, InvitationInput, SentInvitation } from './schema.ts'

export const invitationList: ListShape<'invitations'> = {
  table: 'invitations',
  filters: {
    q: wordsIn('the name or the address, or six characters or more of the id', {
      places: [inAnyText(sql.ref('name')), inText('email'), inId],
      text: sql<string>`concat_ws(' ', name, email)`,
    }),
    email: anyOf('email', { asOurs: accountOf, description: 'Case-insensitive.' }),
    role: anyOf('role', { allowed: roles }),
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at'],
}

export function listInvitations(ctx: Context, query: Query): Promise<Page<Invitation>> {
  const now = nowText(ctx.services)
  const present = (row: Row<'invitations'>) => toInvitation(row, now)
  return pageOf(ctx, { list: invitationList, query, present })
}

export const getInvitation = async (ctx: Context, id: string): Promise<Invitation> =>
  toInvitation(await oneOf(ctx, 'invitations', id), nowText(ctx.services))

/** Invites a person: the link is mailed, or shown in this response where there is no mail. */
export const createInvitation = (ctx: Context, body: InvitationInput): Promise<SentInvitation> =>
  withDenials(ctx, 'invitation.created', () =>
    showOnce(ctx, async (ctx) => {
      const sent: Sent = {}
      const kept = await change(ctx, 'invitation.created', async (ctx) => {
        const { role, scope = null, name = null } = body
        const email = accountOf(body.email)
        checkFaults(ctx, await scopeFaults(ctx, { role, scope }))
        checkMayManage(ctx, { role }, ownersOnly)
        if (await findEmailOwner(ctx.reader, email)) throw emailTaken()
        await removeExpired(ctx, email)
        await checkCap(ctx, cap)
        const fields = { id: newId(invitationIds), email, name, role, ...firstStamps(ctx) }
        const expires_at = await send(ctx, fields, sent)
        insert(ctx, 'invitations', { ...fields, expires_at, scope: storedScope(scope) })
        return {
          before: null,
          after: toInvitation({ ...fields, scope, expires_at }, nowText(ctx.services)),
        }
      })
      return { kept, shown: { url: sent.url ?? null } }
    }),
  )

/** One that expired gives way to a new one to the same address. */
async function removeExpired(ctx: WriteContext, email: string): Promise<void> {
  const rows = await rowsOf(ctx, 'invitations')
    .where('email', '=', email)
    .where('expires_at', '<=', nowText(ctx.services))
    .select('id')
    .execute()
  for (const row of rows) endInvitation(ctx, row)
}

/** Sends it again, with a new link for another seven days: the former one ends. */
export const resendInvitation = (ctx: Context, id: string): Promise<SentInvitation> =>
  withDenials(ctx, 'invitation.resent', () =>
    showOnce(ctx, async (ctx) => {
      const sent: Sent = {}
      const kept = await change(ctx, 'invitation.resent', async (ctx) => {
        const row = await oneToChange(ctx, 'invitations', id)
        const before = toInvitation(row, nowText(ctx.services))
        checkManages(ctx, before)
        if (before.status === 'expired') await checkCap(ctx, cap)
        // From now on it stands with the one who sends it.
        const next = { created_by: ctx.actor.id, ...nextStamps(ctx, row) }
        const expires_at = await send(ctx, row, sent)
        update(ctx, 'invitations', { id, expires_at, ...next })
        const after = { ...row, expires_at, ...next }
        return { before, after: toInvitation(after, nowText(ctx.services)) }
      })
      return { kept, shown: { url: sent.url ?? null } }
    }),
  )

type Sent = { url?: string }

async function send(
  ctx: WriteContext,
  { id, email, role }: Pick<Row<'invitations'>, 'id' | 'email' | 'role'>,
  sent: Sent,
): Promise<string> {
  const { limit, withinMs } = mostADay
  if ((await countLinks(ctx, { kind: 'invitation', withinMs })) >= limit) {
    throw conflict('limit_exceeded', `The organization has sent ${limit} invitations in a day.`, {
      resource: 'invitations_per_day',
      limit,
    })
  }
  const { url, expiresAt } = newLink(ctx, { kind: 'invitation', subjectId: id, lifetimeMs })
  const [by, to] = [ctx.actor.name ?? 'Flightdeck', ctx.organization.name]
  postMail(ctx, { to: email, letter: invitationLetter({ by, to, role, url, expiresAt }) })
  if (!hasMail(ctx.services)) sent.url = url
  return expiresAt
}

export async function deleteInvitation(ctx: Context, id: string): Promise<void> {
  await withDenials(ctx, 'invitation.deleted', () =>
    change(ctx, 'invitation.deleted', async (ctx) => {
      const before = toInvitation(await oneToChange(ctx, 'invitations', id), nowText(ctx.services))
      checkManages(ctx, before)
      return { before: endInvitation(ctx, before), after: null }
    }),
  )
}

/** Removes it with its link, which is 410 from then on. */
export function endInvitation<Ended extends Pick<Invitation, 'id'>>(
  ctx: WriteContext,
  invitation: Ended,
): Ended {
  remove(ctx, 'invitations', invitation.id)
  endLinksOf(ctx, 'invitation', invitation.id)
  return invitation
}

const ownersOnly = 'Only an owner may invite owners, and change such invitations.'

const checkManages = (ctx: Context, { id, email: name, role }: Invitation) =>
  checkMayManage(ctx, { role, about: { id, name } }, ownersOnly)

export const emailTaken = () =>
  conflict('email_taken', 'This address belongs to a user, or has an invitation already.')

export const toInvitation = (
  row: Omit<Row<'invitations'>, 'organization_id'>,
  now: string,
): Invitation => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  scope: row.scope,
  status: row.expires_at > now ? 'open' : 'expired',
  expires_at: row.expires_at,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
