/** Any value of the API as plain text, for comparisons. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(plainText).join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return `${value}`
}
