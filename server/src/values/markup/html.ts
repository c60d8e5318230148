/** Text that already is HTML; any other text is escaped on insertion. */
export type Html = { readonly html: string }

type Part = string | number | Html | readonly Html[]

/** A template whose values are escaped. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: texts.map((text, at) => text + written(parts[at])).join(''),
})

function written(part: Part | undefined): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'html' in part ? part.html : part.map((each) => each.html).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** Text with `code` in backticks. */
export const prose = (text: string): Html => ({
  html: text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
    .join(''),
})
