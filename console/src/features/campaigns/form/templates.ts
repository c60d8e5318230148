import { queryOptions } from '@tanstack/react-query'
import { objectKey } from '../../../data/keys.ts'
import { flightdeck } from '../../../flightdeck.ts'

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('templates', id),
    queryFn: async () => flightdeck.templates.get(id),
  })
