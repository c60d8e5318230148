/**
 * Fields of a printed JSON example that the last JSON of an output lacks, or has with another type,
 * as paths. `…` in an example stands for fields that it leaves out.
 */
export function missingFields(output: string, example: string): string[] {
  return differences(lastJsonOf(output), JSON.parse(withoutOmissions(example)), '')
}

/** Lines of a printed example that an output lacks. Ids, times, secrets and hashes may differ. */
export function missingLines(output: string, example: string): string[] {
  const printed = new Set(output.split('\n').map(withoutChance))
  return example.split('\n').filter((line) => line !== '…' && !printed.has(withoutChance(line)))
}

const withoutChance = (line: string) =>
  line
    .replace(/\b[a-z]{3}_[0-9a-z]{26}\b/g, 'id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/\b\d+ ms\b/g, 'ms')
    .replace(/\b127\.0\.0\.1:\d+\b/g, 'address')
    .replace(/\bwhsec_[\w+/=]+/g, 'secret')
    .replace(/\b[0-9a-f]{64}\b/g, 'hash')

/** From the last line on which a value begins: a pretty one begins on a line of its own. */
function lastJsonOf(output: string): unknown {
  const lines = output.trim().split('\n')
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    try {
      if (/^[[{]/.test(lines[at] ?? '')) return JSON.parse(lines.slice(at).join('\n'))
    } catch {
      // The value begins further up.
    }
  }
  return undefined
}

const withoutOmissions = (text: string) =>
  text
    .replace(/^ *…,?$/gm, '')
    .replace(/, …/g, '')
    .replace(/([[{]) ?… ?([\]}])/g, '$1$2')
    .replace(/,(\s*[\]}])/g, '$1')

function differences(actual: unknown, shown: unknown, path: string): string[] {
  // A value that is null sometimes has any type.
  if (actual === null || shown === null) return actual === undefined ? [path] : []
  if (kindOf(actual) !== kindOf(shown)) return [path || '/']
  if (Array.isArray(actual) && Array.isArray(shown)) {
    const first = actual[0]
    return first === undefined || shown.length === 0
      ? []
      : differences(first, shown[0], `${path}/0`)
  }
  return Object.entries(Object(typeof shown === 'object' ? shown : {})).flatMap(([name, value]) =>
    differences(Object(actual)[name], value, `${path}/${name}`),
  )
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)
