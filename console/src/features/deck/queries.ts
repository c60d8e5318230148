import { queryOptions } from '@tanstack/react-query'
import { choicesOf } from '../../data/choices.ts'
import { now } from '../../data/clock.ts'
import type { OnlyClient } from '../../data/only-client.ts'
import { dayMs } from '../../data/values/time.ts'
import { flightdeck } from '../../flightdeck.ts'

/** As many as one answer has: the deck counts beyond them as "100 or more". */
const limit = 100

const fields = ['id' as const, 'name' as const]

export const waitingQuery = (only: OnlyClient) =>
  queryOptions({
    queryKey: ['campaigns', 'deck', 'waiting', only],
    queryFn: async () =>
      flightdeck.campaigns.list({
        ...only,
        status: 'pending_review',
        limit,
        fields: [...fields, 'available_actions'],
      }),
  })

/** Running, and yet shown to no one. */
export const idleQuery = (only: OnlyClient) =>
  queryOptions({
    queryKey: ['campaigns', 'deck', 'idle', only],
    queryFn: async () =>
      flightdeck.campaigns.list({
        ...only,
        status: 'active',
        delivery: 'not_eligible',
        limit,
        fields: [...fields, 'delivery'],
      }),
  })

/** Paused by the service, not by a person. */
export const stoppedQuery = (only: OnlyClient) =>
  queryOptions({
    queryKey: ['campaigns', 'deck', 'stopped', only],
    queryFn: async () =>
      flightdeck.campaigns.list({
        ...only,
        status: 'paused',
        status_reason: choicesOf('DeliveryReason').map(({ value }) => value),
        limit,
        fields: [...fields, 'status_reason'],
      }),
  })

/** Deployments whose network has other values, or which cannot go on without a person. */
export const deploymentsQuery = (only: OnlyClient) =>
  queryOptions({
    queryKey: ['deployments', 'deck', only],
    queryFn: async () =>
      flightdeck.deployments.list({
        ...only,
        state: ['drifted', 'blocked'],
        limit,
        fields: ['id', 'campaign_id', 'desired', 'state', 'error'],
      }),
  })

/** Accounts to which nothing is sent. */
export const blockedAccountsQuery = (only: OnlyClient) =>
  queryOptions({
    queryKey: ['deployments', 'deck', 'accounts', only],
    queryFn: async () =>
      flightdeck.profiles.list({ ...only, connection_state: 'blocked', limit, fields }),
  })

/** As soon as the service warns of it for the first time. */
const endingMs = 14 * dayMs

export const endingQuery = (only: OnlyClient) =>
  queryOptions({
    queryKey: ['deployments', 'deck', 'ending', only],
    queryFn: async () => {
      const credential_expires_before = new Date(now() + endingMs).toISOString()
      return flightdeck.profiles.list({ ...only, credential_expires_before, limit, fields })
    },
  })

/** Tried out, and in need of an approval before they can be applied. */
export const changeSetsQuery = queryOptions({
  queryKey: ['change_sets', 'deck'],
  queryFn: async () =>
    flightdeck.changeSets.list({
      status: 'open',
      limit,
      fields: ['id', 'title', 'approval', 'available_actions'],
    }),
})

export const endpointsQuery = queryOptions({
  queryKey: ['webhook_endpoints', 'deck'],
  queryFn: async () => flightdeck.webhookEndpoints.list({ limit }),
})

export const proxiesQuery = queryOptions({
  queryKey: ['proxies', 'deck'],
  queryFn: async () =>
    flightdeck.proxies.list({
      status: ['failing', 'degraded'],
      limit,
      fields: [...fields, 'status'],
    }),
})

const shownChanges = 10

/** Events of people's changes; connectors report results all day long. */
const changed = [
  'campaign.*',
  'change_set.*',
  'deployment.drifted',
  'deployment.blocked',
  'profile.*',
  'client.*',
  'template.*',
  'proxy.*',
  'webhook_endpoint.*',
  'member.*',
  'api_key.*',
  'organization.*',
] as const

export const latestEvents = async () =>
  (await flightdeck.events.list({ limit: shownChanges, type: changed })).data

export const latestEventsQuery = queryOptions({
  queryKey: ['events', 'deck'],
  queryFn: latestEvents,
})

export const latestRecords = async () =>
  (await flightdeck.auditLogs.list({ limit: shownChanges, outcome: 'success', action: changed }))
    .data

export const latestRecordsQuery = queryOptions({
  queryKey: ['audit_logs', 'deck'],
  queryFn: latestRecords,
})
