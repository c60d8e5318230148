import { FlightdeckError } from '@flightdeckhq/sdk'
import { QueryClient } from '@tanstack/react-query'

/** Events keep what is read up to date, so that nothing is read again without a cause. */
const freshMs = 60_000

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      gcTime: 10 * 60_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
      retryDelay: (attempt) => Math.min(8_000, 500 * 2 ** attempt),
      // While the service is away, a screen keeps what it has.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** Whether the same request may succeed a little later. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof FlightdeckError) || error.retry === 'transient'
