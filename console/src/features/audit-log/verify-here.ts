import { flightdeck } from '../../flightdeck.ts'
import { linesOf, type Walk, walkChain } from './chain.ts'
import {
  type Checked,
  checkSignature,
  marksOf,
  publishedKeys,
  type Signature,
} from './checkpoints.ts'

export type Progress = { checked: number; total: number }

export type Verified = Walk & {
  checkpoints: Readonly<Record<Signature, number>>
  /** The end of the chain that this browser saw last time, which must still be in it. */
  known: Known | null
}

type Known = { sequence: number; hash: string; at: string }

type VerifyOptions = {
  organizationId: string
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/** The reason why this browser cannot compute hashes; null if it can. */
export const cannotVerify = (): string | null =>
  globalThis.crypto?.subtle ? null : 'Browsers compute hashes only over https or on this machine.'

/** Downloads the whole log and checks every hash and signature in this browser. */
export async function verifyHere({
  organizationId,
  signal,
  onProgress,
}: VerifyOptions): Promise<Verified> {
  const known = readKnown(organizationId)
  const checked = await checkpoints(organizationId, signal)
  const marks = new Map(marksOf(checked))
  if (known) marks.set(known.sequence, known.hash)
  const { data } = await flightdeck.auditLogs.list({ limit: 1 }, { signal })
  // The export is recorded too, as its last record.
  const total = (data[0]?.sequence ?? 0) + 1
  onProgress({ checked: 0, total })
  const answer = await flightdeck.auditLogs.export({ format: 'ndjson' }, { signal })
  const walk = await walkChain(linesOf(answer), {
    marks,
    onChecked: (sequence) => onProgress({ checked: sequence, total }),
  })
  if (walk.brokenAt === null && walk.to !== null && walk.headHash !== null) {
    keepKnown(organizationId, {
      sequence: walk.to,
      hash: walk.headHash,
      at: new Date().toISOString(),
    })
  }
  const count = (wanted: Signature) =>
    checked.filter(({ signature }) => signature === wanted).length
  const counts = { signed: count('signed'), retired: count('retired'), forged: count('forged') }
  return { ...walk, checkpoints: counts, known }
}

async function checkpoints(organizationId: string, signal: AbortSignal): Promise<Checked[]> {
  const keys = await publishedKeys(signal)
  const checked: Checked[] = []
  for await (const checkpoint of flightdeck.auditLogs.listCheckpoints({ limit: 100 }, { signal })) {
    const signature = await checkSignature(checkpoint, { keys, organizationId })
    checked.push({ checkpoint, signature })
  }
  return checked
}

const headKeyOf = (organizationId: string) => `flightdeck audit head ${organizationId}`

/** Kept here, out of reach of the service: a chain that was rewritten since does not have it. */
function readKnown(organizationId: string): Known | null {
  try {
    return JSON.parse(localStorage.getItem(headKeyOf(organizationId)) ?? 'null')
  } catch {
    return null
  }
}

const keepKnown = (organizationId: string, known: Known) =>
  localStorage.setItem(headKeyOf(organizationId), JSON.stringify(known))
