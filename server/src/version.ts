import manifest from '../package.json' with { type: 'json' }
import { readRevision } from './revision.ts'

/** The version of the service, from its package. */
export const { version } = manifest

/** The commit of this code; null where neither git nor the build says it. */
export const revision = readRevision(import.meta.dirname)

type Build = { version: string; revision: string | null }

/** A build in a message: '0.1.0, revision 205b3a9c1d2e'. */
export const buildOf = ({ version, revision }: Build): string =>
  `${version}, revision ${revision?.slice(0, 12) ?? 'unknown'}`

export const thisBuild = buildOf({ version, revision })
