import { headOf, type Item, linesOf, linkOf, titleOf } from './plain.ts'

const mostItems = 20
const longestHeader = 150

/** Plain text: Slack reads neither marks nor mentions in it. */
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export function slackBody(items: readonly Item[]): object {
  const link = linkOf(items)
  const head = headOf(items)
  return {
    // For notices of the system, where it stands alone.
    text: escaped(head),
    blocks: [
      { type: 'header', text: plain(head.slice(0, longestHeader)) },
      ...items.slice(0, mostItems).flatMap((item) => blocksOf(item, items.length > 1)),
      ...(link
        ? [
            {
              type: 'actions',
              elements: [{ type: 'button', text: plain('Open in Flightdeck'), url: link }],
            },
          ]
        : []),
    ],
    unfurl_links: false,
    unfurl_media: false,
  }
}

function blocksOf(item: Item, isOneOfMany: boolean): object[] {
  const lines = [...(isOneOfMany ? [titleOf(item)] : []), ...linesOf(item)]
  return lines.length === 0
    ? []
    : [{ type: 'section', text: plain(lines.join('\n').slice(0, 3_000)) }]
}
