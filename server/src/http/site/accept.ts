/** Whether `Accept` (RFC 9110) ranks JSON above HTML; pages are for people unless it says so. */
export const prefersJson = (accept = '*/*'): boolean =>
  qualityOf(accept, 'application/json') > qualityOf(accept, 'text/html')

/** How much a type is wanted, by the most specific range that covers it: 0 to 1. */
function qualityOf(accept: string, type: string): number {
  const ranges = accept.split(',').map(rangeOf)
  const covering = [type, `${type.split('/')[0]}/*`, '*/*']
  const found = covering.map((name) => ranges.find((range) => range.name === name))
  return found.find((range) => range !== undefined)?.quality ?? 0
}

function rangeOf(text: string): { name: string; quality: number } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((part) => part.startsWith('q='))?.slice('q='.length)
  return { name, quality: quality === undefined ? 1 : Number(quality) || 0 }
}
