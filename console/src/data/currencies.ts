import { queryOptions, useQuery } from '@tanstack/react-query'
import { flightdeck } from '../flightdeck.ts'

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
