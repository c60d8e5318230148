import type { Notice } from '../../../../database/tables/json-columns.ts'
import { withGaps } from '../../../../mail/letter.ts'

/** A notice as it is sent: how often it happened, and the link into the console. */
export type Item = {
  readonly notice: Notice
  readonly count: number
  /** Null where the service has no public URL. */
  readonly url: string | null
}

const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** Texts of people, in which no program finds an address, a mention or a mark. */
const inert = (text: string): string => withGaps(text.replaceAll(unprintable, ' '))

export const titleOf = ({ notice, count }: Item): string =>
  count > 1 ? `${inert(notice.title)} (${count} times)` : inert(notice.title)

/** The lines below the title. */
export const linesOf = ({ notice }: Item): string[] => [
  ...notice.changes.map(({ name, before, after }) =>
    inert(`${name}: ${before} → ${after}`).replaceAll(/(\d)([.,])\u200b(?=\d)/g, '$1$2'),
  ),
  ...(notice.sum ? [notice.sum] : []),
  ...(notice.reason ? [`Reason: ${inert(notice.reason)}`] : []),
  ...(notice.actor.name ? [`By ${inert(notice.actor.name)}`] : []),
]

/** The one link of a message: to the thing, or of many to the inbox. */
export const linkOf = (items: readonly Item[]): string | null => {
  const [first] = items
  if (!first || first.url === null) return null
  return items.length === 1 ? first.url : inboxOf(first.url)
}

const inboxOf = (url: string): string => `${url.slice(0, url.indexOf('/console'))}/console/inbox`

export const headOf = (items: readonly Item[]): string => {
  const [first] = items
  return first && items.length === 1 ? titleOf(first) : `${items.length} things happened`
}
