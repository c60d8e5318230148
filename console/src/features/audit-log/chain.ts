/**
 * The chain of the audit log, computed here: nothing of it is taken on the service's word.
 * docs/guides/audit.md has the format.
 */

type ChainedRecord = { sequence: number; prev_hash: string; hash: string }
type Link = { sequence: number; hash: string }

/** Hashes that must be at their sequence; null where none can be, as a signature is forged. */
export type Marks = ReadonlyMap<number, string | null>

export type Walk = {
  from: number | null
  to: number | null
  headHash: string | null
  /** The first record that was changed, is missing, or contradicts a mark. */
  brokenAt: number | null
}

type ChainOptions = { marks: Marks; onChecked: (sequence: number) => void }

/** Reads the lines of an export in order, and stops where the chain breaks. */
export async function walkChain(
  batches: AsyncIterable<readonly string[]>,
  { marks, onChecked }: ChainOptions,
): Promise<Walk> {
  let from: Link | null = null
  let last: Link | null = null
  for await (const lines of batches) {
    const records = lines.map(parse)
    from ??= beginningOf(records[0] ?? null)
    const reached = await follow(last ?? from, records, marks)
    last = reached.last
    if (reached.isBroken) return walked(from, last, last.sequence + 1)
    onChecked(last.sequence)
  }
  const end = last?.sequence ?? 0
  const isCutOff = Math.max(0, ...marks.keys()) > end
  return walked(from, last, isCutOff ? end + 1 : null)
}

/** As far as the records continue the chain. */
async function follow(before: Link, records: readonly (ChainedRecord | null)[], marks: Marks) {
  const intact = await Promise.all(records.map(isIntact))
  let last = before
  for (const [at, record] of records.entries()) {
    const next = intact[at] ? record : null
    if (!next || !follows(last, next) || isContradicted(marks, last, next)) {
      return { last, isBroken: true }
    }
    last = { sequence: next.sequence, hash: next.hash }
  }
  return { last, isBroken: false }
}

function walked(from: Link | null, last: Link | null, brokenAt: number | null): Walk {
  const isEmpty = !from || !last || last.sequence === from.sequence
  if (isEmpty) return { from: null, to: null, headHash: null, brokenAt }
  return { from: from.sequence + 1, to: last.sequence, headHash: last.hash, brokenAt }
}

/**
 * The link before the first record. If older records were deleted after their retention, it is the
 * one that the first record names.
 */
const beginningOf = (record: ChainedRecord | null): Link =>
  record && record.sequence > 1
    ? { sequence: record.sequence - 1, hash: record.prev_hash }
    : { sequence: 0, hash: '0'.repeat(64) }

const follows = (before: Link, next: ChainedRecord): boolean =>
  next.sequence === before.sequence + 1 && next.prev_hash === before.hash

const isContradicted = (marks: Marks, ...links: readonly Link[]): boolean =>
  links.some(({ sequence, hash }) => marks.has(sequence) && marks.get(sequence) !== hash)

function parse(line: string): ChainedRecord | null {
  try {
    const record = JSON.parse(line)
    return Number.isSafeInteger(record?.sequence) ? record : null
  } catch {
    return null
  }
}

async function isIntact(record: ChainedRecord | null): Promise<boolean> {
  if (!record) return false
  const { prev_hash, hash, ...said } = record
  return (await sha256(`${prev_hash}\n${canonicalJson(said)}`)) === hash
}

const encoder = new TextEncoder()

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** RFC 8785, for what JSON can say: keys sorted by their UTF-16 units, numbers as scripts write them. */
function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`)
  return `{${members.join(',')}}`
}

const linesPerBatch = 500

/** The lines of a download, as they come: the whole may be larger than the memory. */
export async function* linesOf(answer: Response): AsyncGenerator<readonly string[]> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
    const lines = (rest + (value ?? '')).split('\n')
    rest = done ? '' : (lines.pop() ?? '')
    const whole = lines.filter((line) => line !== '')
    for (let at = 0; at < whole.length; at += linesPerBatch) {
      yield whole.slice(at, at + linesPerBatch)
    }
    if (done) return
  }
}
