import { readFile, rename, writeFile } from 'node:fs/promises'

/**
 * How far back the results of each campaign were sent, by a key of its own: kept in a file, so that a killed
 * process goes on.
 */

export type Progress = {
  /** The first day from which on all was sent; null: none yet. */
  oldest(profileId: string, key: string): string | null
  note(profileId: string, keys: readonly string[], oldest: string): Promise<void>
}

type Kept = Record<string, Record<string, string>>

/** Throws for a file of something else, which is not to be overwritten. */
export async function openProgress(path: string): Promise<Progress> {
  const kept = await keptIn(path)
  let writing = Promise.resolve()
  const write = async () => {
    // In the place of the old one at once: what is killed within it leaves that.
    const next = `${path}.next`
    await writeFile(next, `${JSON.stringify({ backfilled: kept })}\n`, { mode: 0o600 })
    await rename(next, path)
  }
  return {
    oldest: (profileId, key) => kept[profileId]?.[key] ?? null,
    note(profileId, keys, oldest) {
      const days = keys.map((key) => [key, oldest])
      kept[profileId] = { ...kept[profileId], ...Object.fromEntries(days) }
      writing = writing.catch(() => {}).then(write)
      return writing
    },
  }
}

async function keptIn(path: string): Promise<Kept> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
  const kept = keptOf(text)
  if (kept === null) throw new Error(`${path} is no file of a backfill: name another`)
  return kept
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function keptOf(text: string): Kept | null {
  try {
    const json: unknown = JSON.parse(text)
    if (!isObject(json) || !isObject(json.backfilled)) return null
    const entries = Object.entries(json.backfilled).map(([profile, days]) => {
      if (!isObject(days)) throw new Error(profile)
      return [profile, Object.fromEntries(Object.entries(days).map(dayIn))]
    })
    return Object.fromEntries(entries)
  } catch {
    return null
  }
}

function dayIn([campaign, day]: [string, unknown]): [string, string] {
  if (typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day)) return [campaign, day]
  throw new Error(campaign)
}
