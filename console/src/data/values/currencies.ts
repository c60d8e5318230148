import { queryOptions, useQuery } from '@tanstack/react-query'
import { flightdeck } from '../../flightdeck.ts'
import { cache } from '../cache.ts'

const query = queryOptions({
  queryKey: ['currencies'],
  queryFn: async () => (await flightdeck.reference.listCurrencies()).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The currencies that the service knows, with the number of their decimals. */
export const useCurrencies = () => useQuery(query).data ?? []

export function useExponent(currency: string | null): number {
  const found = useCurrencies().find((each) => each.currency === currency)
  return found?.exponent ?? 2
}

/** Null where the currency is not chosen yet, or the currencies are not read yet. */
export function exponentOf(currency: string | null): number | null {
  const found = cache.getQueryData(query.queryKey)?.find((each) => each.currency === currency)
  return found?.exponent ?? null
}
