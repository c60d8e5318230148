import { headOf, type Item, linesOf, linkOf, titleOf } from './plain.ts'

const mostItems = 20

/** Texts of cards are read as simple HTML; titles are not. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** https://developers.google.com/workspace/chat/create-messages */
export function googleChatBody(items: readonly Item[]): object {
  const link = linkOf(items)
  const widgets = items.slice(0, mostItems).flatMap((item) => {
    const lines = [...(items.length > 1 ? [titleOf(item)] : []), ...linesOf(item)]
    return lines.length === 0 ? [] : [{ textParagraph: { text: lines.map(escaped).join('<br>') } }]
  })
  const button = link && {
    buttonList: { buttons: [{ text: 'Open in Flightdeck', onClick: { openLink: { url: link } } }] },
  }
  return {
    cardsV2: [
      {
        cardId: 'flightdeck',
        card: {
          header: { title: headOf(items), subtitle: 'Flightdeck' },
          sections: [{ widgets: [...widgets, ...(button ? [button] : [])] }],
        },
      },
    ],
  }
}
