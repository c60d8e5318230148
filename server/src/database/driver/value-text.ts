/** The text that PostgreSQL reads a parameter from; null for none. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return Array.isArray(value) ? arrayText(value) : String(value)
}

/** Long arrays are the larger part of a large write, so what needs no quotes or escapes has none. */
function arrayText(values: readonly unknown[]): string {
  let text = '{'
  for (const value of values) text += text === '{' ? elementText(value) : `,${elementText(value)}`
  return `${text}}`
}

function elementText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  const text = String(value)
  if (typeof value === 'number' || typeof value === 'boolean') return text
  const isPlain = !text.includes('"') && !text.includes('\\')
  return `"${isPlain ? text : text.replace(/["\\]/g, '\\$&')}"`
}
