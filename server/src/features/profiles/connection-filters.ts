import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Condition, choiceOf, type Filter } from '../../query/filters.ts'
import { readTimeParameter } from '../../values/times.ts'

/** Filters by what GET /profiles/{id}/connection says. */

const ofConnections = (condition: Condition) => sql<boolean>`(organization_id, id) in (
  select organization_id, id from connections where ${condition})`

const isHeld = sql<boolean>`connector_state = 'connected'`
const isBlocked = ofConnections(sql<boolean>`error is not null`)

const conditions = {
  none: sql<boolean>`connector_state is null`,
  connected: sql<boolean>`(${isHeld} and not ${isBlocked})`,
  stale: sql<boolean>`connector_state = 'stale'`,
  blocked: sql<boolean>`(${isHeld} and ${isBlocked})`,
}

/** Times of connectors are texts in one form, which sort as they are. */
const expiresBefore: Filter = {
  schema: Type.String({
    format: 'date-time',
    description: 'The credential of its connector ends before this time.',
  }),
  read([text = ''], name) {
    const read = readTimeParameter(text, name)
    if ('fault' in read) return read
    const time = new Date(read.time).toISOString()
    return { condition: ofConnections(sql<boolean>`credential ->> 'expires_at' < ${time}`) }
  },
}

export const connectionFilters: Readonly<Record<string, Filter>> = {
  connection_state: choiceOf(['none', 'connected', 'stale', 'blocked'], {
    description: 'Whether a connector holds the account.',
    conditionOf: (state) => conditions[state],
  }),
  credential_expires_before: expiresBefore,
}
