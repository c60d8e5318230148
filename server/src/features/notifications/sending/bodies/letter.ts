import type { Letter } from '../../../../mail/letter.ts'
import { headOf, type Item, linesOf, linkOf, titleOf } from './plain.ts'

const mostItems = 50

/** One mail about one thing, or about all that was gathered. */
export function letterOf(
  items: readonly Item[],
  about: { organization: string; why: string },
): Letter {
  const link = linkOf(items)
  const [first] = items
  const lines = (item: Item) =>
    items.length === 1 ? linesOf(item) : [[titleOf(item), ...linesOf(item)].join(' · ')]
  const left = items.length - mostItems
  return {
    subject:
      items.length === 1 || !first
        ? headOf(items)
        : `${titleOf(first)} and ${items.length - 1} more`,
    lines: [
      ...items.slice(0, mostItems).flatMap(lines),
      ...(left > 0 ? [`And ${left} more.`] : []),
    ],
    ...(link && { link: { name: 'Open in Flightdeck', url: link } }),
    remarks: [`${about.organization} on Flightdeck. ${about.why}`],
  }
}
