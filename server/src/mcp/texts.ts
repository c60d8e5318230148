/** The one door for texts of others on their way to a model. */

const maxPoints = 500
const maxUnits = 4_000

/** Controls but line feed and tab, formats (bidi, zero-width, tags), and variation selectors. */
const unseen =
  /\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}|\p{Co}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Addresses, also without a scheme, in wide characters, and those that run code. */
const address = /(?:[a-z][a-z0-9+.-]{0,30}[:：])?[/／\\]{2}[^\s<>"')\]]+|www\.[^\s<>"')\]]+/giu
const runs = /(?:javascript|vbscript|data|mailto)\s{0,5}[:：][^\s<>"')\]]+/giu

function cleanText(text: string, own: string): string {
  const isCut = text.length > maxUnits
  const points = [...text.slice(0, maxUnits).replace(control, '').replace(unseen, '')]
  const kept = points.slice(0, maxPoints).join('')
  const mark = isCut || points.length > maxPoints ? '…' : ''
  const isOwn = (found: string) => found === own || found.startsWith(`${own}/`)
  const linked = kept.replace(address, (found) => (isOwn(found) ? found : '[link]'))
  return `${linked.replace(runs, '[link]')}${mark}`
}

/** Every text in a value, names of members too. `own` is the origin of the service. */
export function cleaned(value: unknown, own: string): unknown {
  if (typeof value === 'string') return cleanText(value, own)
  if (Array.isArray(value)) return value.map((each) => cleaned(each, own))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [cleanText(name, own), cleaned(each, own)]),
  )
}
