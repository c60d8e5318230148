/** Spending by day as inline SVG. Pure. */

import { type Html, html } from '../../../values/markup/html.ts'
import type { ResultGroup } from '../../results/summary/result-group.ts'
import { amountText } from '../data/money.ts'

const [width, height, top, bottom] = [720, 190, 22, 20]

/** A bar for each day of one currency; days without data have none. */
export function chartOf(currency: string, days: readonly ResultGroup[]): Html {
  const largest = Math.max(1, ...days.map(({ spend_minor }) => spend_minor ?? 0))
  const step = width / Math.max(1, days.length)
  const room = height - top - bottom
  const bars = days.map((day, at) => {
    const minor = Math.max(0, day.spend_minor ?? 0)
    const size = (minor / largest) * room
    if (!day.data) return html``
    const place = { x: at * step + step * 0.1, y: height - bottom - size }
    return html`<rect class="${day.is_final === false ? 'open' : 'bar'}" x="${at1(place.x)}" y="${at1(place.y)}" width="${at1(step * 0.8)}" height="${at1(size)}"><title>${day.group ?? ''}: ${amountText(minor, currency)}</title></rect>`
  })
  const [first, last] = [days[0]?.group ?? '', days.at(-1)?.group ?? '']
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Spend by day in ${currency}">
<text x="0" y="12">${amountText(largest, currency)}</text>
<line x1="0" y1="${top}" x2="${width}" y2="${top}"/><line x1="0" y1="${height - bottom}" x2="${width}" y2="${height - bottom}"/>
${bars}
<text x="0" y="${height - 5}">${first}</text><text x="${width}" y="${height - 5}" text-anchor="end">${last}</text>
</svg>\n`
}

const at1 = (value: number): string => value.toFixed(1)
