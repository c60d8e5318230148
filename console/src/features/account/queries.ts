import { listOptions } from '../../data/lists.ts'
import { flightdeck } from '../../flightdeck.ts'

export const sessionList = listOptions(['auth', 'sessions'], (cursor) =>
  flightdeck.auth.listSessions({ cursor, limit: 50 }),
)

export const factorList = listOptions(['auth', 'factors'], (cursor) =>
  flightdeck.auth.listFactors({ cursor, limit: 50 }),
)
