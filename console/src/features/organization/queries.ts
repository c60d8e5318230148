import { queryOptions } from '@tanstack/react-query'
import { flightdeck } from '../../flightdeck.ts'

export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: async () => flightdeck.limits.get(),
})
