/** The page behind a link to a report. */

import type { PageReply, PageVisit, PublicPage } from '../../../http/feature.ts'
import type { Services } from '../../../kernel/context.ts'
import { Problem } from '../../../problems/problem.ts'
import { sha256Hex } from '../../../values/canonical-json.ts'
import { linkPath } from '../links/links.ts'
import { countView, type OpenedLink, openedLink, shownBy } from './opened.ts'
import { pageOfReport } from './render.ts'
import { gone, passwordForm, shown, tooMany } from './shell.ts'

/** By link and address, in a minute. */
const maxViews = 60

const tokenText = /^[\w-]{43}$/

export const reportPage: PublicPage = {
  path: `${linkPath}/:token`,
  open(services) {
    const views = services.limits.counterStore.counter({ name: 'report-views', seconds: 60 })
    return async (visit) => {
      if (!tokenText.test(visit.token)) return gone()
      const tokenHash = sha256Hex(visit.token)
      // Hashed, so that the store reveals no address.
      const key = sha256Hex(`${tokenHash} ${visit.address}`)
      const { used, msLeft } = await views.take(key, { limit: maxViews })
      if (used > maxViews) return tooMany(msLeft)
      const link = await openedLink(services, tokenHash)
      return link ? answerTo(services, link, visit) : gone()
    }
  },
}

async function answerTo(
  services: Services,
  link: OpenedLink,
  visit: PageVisit,
): Promise<PageReply> {
  const refusal = await refusalOf(services, link, visit)
  if (refusal) return refusal
  const data = await shownBy(services, link)
  if (!data) return gone()
  if (visit.isRead) await countView(services, link)
  return shown(pageOfReport(data))
}

/** Asks for the password, or refuses it; undefined where the report may be shown. */
async function refusalOf(
  services: Services,
  { id, password_hash }: OpenedLink,
  { password, address }: PageVisit,
): Promise<PageReply | undefined> {
  if (password_hash === null) return undefined
  if (password === null) return passwordForm(false)
  const { throttle, passwords } = services.identity
  const attempt = { account: `report link ${id}`, address, isKnown: async () => false }
  try {
    const { isRight } = await throttle.attempt(attempt, async () => ({
      isRight: await passwords.verify(password, password_hash, 'unknown login'),
    }))
    return isRight ? undefined : passwordForm(true)
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 429) throw error
    return tooMany(Number(error.headers['retry-after'] ?? 1) * 1_000)
  }
}
