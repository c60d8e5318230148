import type { Type } from 'typebox'
import { semaphore } from '../../../concurrency/semaphore.ts'
import { findEmailOwner } from '../../../identity/email-directory.ts'
import { checkMayUsePassword, needsSso } from '../../../identity/enforced-sso.ts'
import { hostOf } from '../../../identity/logins/networks.ts'
import { throttled } from '../../../identity/logins/throttled.ts'
import { audited, checkMayManage, withDenials } from '../../../kernel/change.ts'
import { actAsSystem, type BareContext, type Context } from '../../../kernel/context.ts'
import { findOne, oneOf } from '../../../kernel/rows.ts'
import { showOnce } from '../../../kernel/shown-once.ts'
import { privateCounter } from '../../../limits/counters/private-counter.ts'
import { countLinks, newLink } from '../../../mail/one-use-links.ts'
import { hasMail, postMail } from '../../../mail/post.ts'
import { conflict } from '../../../problems/problem.ts'
import { accountOf } from '../../../values/email.ts'
import type { Forgotten } from '../schema.ts'
import { resetLetter } from './letters.ts'

const minuteMs = 60_000
const lifetimeMs = 30 * minuteMs
/** Links to one account in an hour, over which nothing is mailed. */
const mostAnHour = { limit: 5, withinMs: 60 * minuteMs }
/** Requests from one address. */
const fromAddress = { limit: 10, seconds: 60 }

/** Work that goes on when the answer has been sent. */
const after = semaphore({ atOnce: 2, waiting: 200 })

/**
 * Mails a link to set a password, if the address is of a member. The answer does not wait for that, and
 * so is the same, in the same time, for every address.
 */
export async function forgotPassword(
  ctx: BareContext,
  { email }: { email: string },
): Promise<Type.Static<typeof Forgotten>> {
  await refuseFlood(ctx)
  const note = (error: unknown) => ctx.services.observability.failures.note('password reset', error)
  if (hasMail(ctx.services)) void after(() => mailReset(ctx, accountOf(email))).catch(note)
  return { status: 'accepted' }
}

async function refuseFlood({ services, request }: BareContext): Promise<void> {
  const { limit, seconds } = fromAddress
  const counter = privateCounter(services, { name: 'forgotten', seconds })
  const key = hostOf(request?.ip ?? '')
  const { used, msLeft } = await counter.take(key, { limit })
  if (used > limit) throw throttled(msLeft)
}

async function mailReset(bare: BareContext, email: string): Promise<void> {
  const { services, request } = bare
  const owner = await findEmailOwner(bare.reader, email)
  const system = owner && (await actAsSystem(services, owner.organizationId, 'password reset'))
  const user = system && (await findOne(system, 'users', owner.userId))
  if (!user || user.disabled) return
  if (await needsSso(bare.reader, { ...user, organization: system.organization })) return
  const lately = await countLinks(system, {
    kind: 'password_reset',
    subjectId: user.id,
    withinMs: mostAnHour.withinMs,
  })
  if (lately >= mostAnHour.limit) return
  const actor = { type: 'anonymous', id: null, name: null } as const
  const ctx: Context = { ...system, actor, request: request && { ...request, status: 202 } }
  await audited(ctx, requested(user), async (ctx) => {
    const link = newLink(ctx, {
      kind: 'password_reset',
      subjectId: user.id,
      lifetimeMs,
    })
    const organization = ctx.organization.name
    postMail(ctx, { to: user.email, letter: resetLetter({ by: null, organization, ...link }) })
  })
}

const requested = ({ id, name }: { id: string; name: string }) => ({
  action: 'auth.password_reset_requested',
  resource: { type: 'user', id, name },
})

/** A link for a member who cannot log in: mailed, or shown to the admin where there is no mail. */
export const resetMember = (ctx: Context, userId: string) =>
  withDenials(ctx, 'auth.password_reset_requested', () =>
    showOnce(ctx, async (ctx) => {
      const user = await oneOf(ctx, 'users', userId)
      checkMayManage(ctx, { role: user.role, about: user }, ownersOnly)
      if (user.disabled) throw isDisabled()
      await checkMayUsePassword(ctx.reader, { ...user, organization: ctx.organization })
      const isMailed = hasMail(ctx.services)
      const link = await audited(ctx, requested(user), async (ctx) => {
        const made = newLink(ctx, { kind: 'password_reset', subjectId: user.id, lifetimeMs })
        const [by, organization] = [ctx.actor.name ?? 'An admin', ctx.organization.name]
        postMail(ctx, { to: user.email, letter: resetLetter({ by, organization, ...made }) })
        return made
      })
      return {
        kept: { mailed: isMailed, expires_at: link.expiresAt },
        shown: { url: isMailed ? null : link.url },
      }
    }),
  )

/** The link would open nothing. */
const isDisabled = () =>
  conflict('invalid_state_transition', 'The member is disabled: enable the member first.', {
    current_status: 'disabled',
    action: 'password_reset',
    allowed_actions: [],
  })

const ownersOnly = 'Only an owner may reset the password of an owner.'
