import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'
import { idType, nameType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Results',
  description: 'What was spent and achieved, day by day, as your own connectors report it.',
}

export const reportIds = idType('results report', 'rrp')

export const maxSourceLength = 64
export const sourceNames = nameType('source', { maxLength: maxSourceLength, example: 'google_ads' })

export const readResults = permission('results.read', roles, { isForAgents: true })
export const writeResults = permission('results.write', [
  'owner',
  'admin',
  'editor',
  'reporter',
  'connector',
])
/** Admits another source: what it reports counts beside the first, and stops campaigns. */
export const admitSources = permission('results.admit_sources', ['owner', 'admin', 'editor'])
/** Takes a source off, with all that it has reported. */
export const deleteSources = permission('results.delete_sources', ['owner', 'admin'])

/**
 * The changes that a report made to a campaign's spending, and how far all its sources have come
 * since.
 */
export type SpendNews = {
  /** Net of adjustments; by how much each day that was stored differs from what was known. */
  readonly days: readonly { readonly date: string; readonly addedMinor: number }[]
  readonly sources: readonly {
    readonly source: string
    readonly reported_at: string
    readonly complete_through: string
  }[]
}

/** The news of a report or of a deleted source, by campaign, as reactions get it. */
export function readNews(news: unknown): ReadonlyMap<string, SpendNews> {
  if (!(news instanceof Map)) throw new Error('results changed without news')
  return news
}
