import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import type { Feature } from '../../../http/feature.ts'
import { exampleId } from '../../../values/ids.ts'
import {
  deploymentIds,
  leaseIds,
  readDeployments,
  connectorTag as tag,
  useConnector,
} from '../resource.ts'
import { connectionOf } from './connection.ts'
import { expiringCredentials } from './due.ts'
import { recordIntent } from './intents.ts'
import { releaseLease, takeLease } from './leases.ts'
import { ReportsBody, ReportsReply } from './report-schema.ts'
import { takeReports } from './reports.ts'
import {
  Connection,
  IntentBody,
  IntentReply,
  Lease,
  LeaseBody,
  WorkReply,
  workParameters,
} from './schema.ts'
import { workFor } from './work.ts'

const lease = { lease_id: exampleId(leaseIds), fence: 4 }

/** The calls of connectors. None of them changes what an organization's people wrote. */
const endpoints: Endpoint[] = [
  endpoint({
    operation: 'takeConnectorLease',
    tag,
    summary: 'Take or renew a lease',
    description:
      'Holds accounts for one process; the same key and instance renew. All or nothing: 409 `lease_held` where another holds one of them.',
    method: 'POST',
    path: '/connector/leases',
    permission: useConnector,
    body: LeaseBody,
    example: {
      instance: 'host-1-4711',
      adapter: 'google-ads',
      adapter_version: '1.0.0',
      platform: 'google_ads',
      api_version: 'v25',
      ttl_seconds: 60,
    },
    noDryRun: true,
    noKey: true,
    noStore: true,
    reply: Lease,
    problems: ['lease_held'],
    run: (ctx, { body }) => takeLease(ctx, body),
  }),
  endpoint({
    operation: 'releaseConnectorLease',
    tag,
    summary: 'Let go of a lease',
    method: 'DELETE',
    path: '/connector/leases/:id',
    permission: useConnector,
    noDryRun: true,
    noKey: true,
    status: 204,
    run: (ctx, { id }) => releaseLease(ctx, id),
  }),
  endpoint({
    operation: 'getConnectorWork',
    tag,
    summary: 'Ask for work',
    description:
      'What is to be done in the accounts of the lease. An item is given again until it is reported. With `wait_seconds` the answer waits for the first.',
    method: 'GET',
    path: '/connector/work',
    permission: useConnector,
    query: workParameters,
    waits: true,
    reply: WorkReply,
    problems: ['lease_lost'],
    run: (ctx, { query }) => workFor(ctx, query),
  }),
  endpoint({
    operation: 'recordConnectorIntent',
    tag,
    summary: 'Record a creation before it is made',
    method: 'POST',
    path: '/connector/intents',
    permission: useConnector,
    body: IntentBody,
    example: { ...lease, deployment_id: exampleId(deploymentIds), generation: 1 },
    noDryRun: true,
    noKey: true,
    reply: IntentReply,
    problems: ['lease_lost', 'invalid_state_transition'],
    run: (ctx, { body }) => recordIntent(ctx, body),
  }),
  endpoint({
    operation: 'reportConnectorWork',
    tag,
    summary: 'Report work',
    description:
      'What became of up to 100 items, and what is known of the account. Under an older fence nothing is stored; of an older generation only what was observed.',
    method: 'POST',
    path: '/connector/reports',
    permission: useConnector,
    body: ReportsBody,
    example: {
      ...lease,
      reports: [
        {
          deployment_id: exampleId(deploymentIds),
          generation: 1,
          outcome: 'applied',
          network_object_id: '21840012345',
          observed: { name: 'Spring Sale 2026', run: 'enabled' },
        },
      ],
    },
    carriesMany: true,
    noDryRun: true,
    noKey: true,
    status: 207,
    reply: ReportsReply,
    problems: ['lease_lost'],
    run: (ctx, { body }) => takeReports(ctx, body),
  }),
  endpoint({
    operation: 'getProfileConnection',
    tag,
    summary: 'Get the connection of a profile',
    method: 'GET',
    path: '/profiles/:id/connection',
    permission: readDeployments,
    reply: Connection,
    run: (ctx, { id }) => connectionOf(ctx, id),
  }),
]

export const connectors: Feature = {
  tag,
  permissions: [useConnector],
  ids: { leases: leaseIds },
  tables: [
    { name: 'connections', isEmptied: true },
    { name: 'connector_leases', isEmptied: true },
  ],
  endpoints,
  duties: [expiringCredentials],
}
