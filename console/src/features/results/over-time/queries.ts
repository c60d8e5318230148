import { isProblem } from '@flightdeckhq/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listKey } from '../../../data/keys.ts'
import { flightdeck } from '../../../flightdeck.ts'

/** The results to show; days are half-open. */
export type Chosen = {
  days: { from: string; to: string }
  /** As the list of results takes them. */
  filters: Record<string, string | string[]>
}

export const comparisons = ['previous_period', 'previous_year'] as const
export type Comparison = (typeof comparisons)[number]

/** The currencies of spending; while there is none, those that are planned in. */
export function currenciesQuery({ days, filters }: Chosen) {
  const asked = { ...filters, ...days, group_by: ['currency' as const], limit: 1 }
  const read = async (include: Include = {}) => {
    const { meta } = await flightdeck.results.list({ ...asked, ...include })
    return (meta.totals ?? []).map(({ currency, currency_exponent: exponent }) => {
      return { currency, exponent }
    })
  }
  return queryOptions({
    queryKey: listKey('results', { ...asked, currencies: true }),
    queryFn: async () => {
      const reported = await read()
      return reported.length > 0 ? reported : planned(read)
    },
  })
}

type Daily = Chosen & { currency: string; compare: Comparison | null }

/** A year has fewer days than the service shows at once. */
const mostRows = 10_000

/** The days with their plan; without it where it cannot be had. */
export function daysQuery({ days, filters, currency, compare }: Daily) {
  const asked = {
    ...{ ...filters, ...days, currency: [currency], group_by: ['day' as const], limit: 100 },
    ...(compare && { compare }),
  }
  return queryOptions({
    queryKey: listKey('results', { ...asked, plan: true }),
    queryFn: async () => {
      let isPlanned = true
      const rows = await planned((include) => {
        isPlanned = 'include' in include
        return flightdeck.results.list({ ...asked, ...include }).toArray({ limit: mostRows })
      })
      return { rows, isPlanned, currency }
    },
    // Until the answer is there; it says of which currency it is.
    placeholderData: keepPreviousData,
  })
}

type Include = { include?: 'plan'[] }

/** Asks for the plan too; without it where there are too many campaigns, or it is of one source. */
async function planned<Answer>(ask: (include: Include) => PromiseLike<Answer>): Promise<Answer> {
  try {
    return await ask({ include: ['plan'] })
  } catch (error) {
    if (!isUnplanned(error)) throw error
    return await ask({})
  }
}

const isUnplanned = (error: unknown): boolean =>
  isProblem(error, 'invalid_parameter') &&
  (error.problem.errors ?? []).some(({ parameter }) => parameter === 'include')

/** The days of each platform. */
export function platformsQuery({ days, filters, currency }: Omit<Daily, 'compare'>) {
  const group_by = ['day' as const, 'platform' as const]
  const asked = { ...filters, ...days, currency: [currency], group_by, limit: 100 }
  return queryOptions({
    queryKey: listKey('results', asked),
    queryFn: async () => flightdeck.results.list(asked).toArray({ limit: mostRows }),
  })
}
