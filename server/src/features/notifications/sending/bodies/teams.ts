import { headOf, type Item, linesOf, linkOf, titleOf } from './plain.ts'

const mostItems = 20

/** Runs of text: Teams reads markdown in other texts of a card, but not in these. */
const run = (text: string, more: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...more }],
})

/** An adaptive card, as a workflow of Teams posts it. */
export function teamsBody(items: readonly Item[]): object {
  const link = linkOf(items)
  const shown = items.slice(0, mostItems)
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [
            run(headOf(items), { size: 'Medium', weight: 'Bolder' }),
            ...shown.flatMap((item) => [
              ...(items.length > 1 ? [run(titleOf(item), { weight: 'Bolder' })] : []),
              ...linesOf(item).map((line) => run(line)),
            ]),
          ],
          actions: link ? [{ type: 'Action.OpenUrl', title: 'Open in Flightdeck', url: link }] : [],
        },
      },
    ],
  }
}
