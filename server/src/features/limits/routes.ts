import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { readOrganization, tag } from '../organizations/resource.ts'
import { storageEvents } from './event-types.ts'
import { getLimits } from './limits.ts'
import { limitsOf } from './schema.ts'

/** The warning before writes are refused. */
export const storageWarnings: Feature = { endpoints: [], events: [storageEvents] }

/** Built from the features whose objects it counts. */
export function limitsAbout(features: readonly Feature[]): Feature {
  const caps = features.flatMap(({ cap }) => cap?.name ?? [])
  const tables = features.flatMap((feature) => feature.tables ?? [])
  return {
    endpoints: [
      endpoint({
        operation: 'getLimits',
        tag,
        summary: 'Get plan limits, usage and storage',
        method: 'GET',
        path: '/limits',
        permission: readOrganization,
        reply: limitsOf({ caps, kinds: tables.map(({ name }) => name) }),
        run: (ctx) => getLimits(ctx),
      }),
    ],
  }
}
