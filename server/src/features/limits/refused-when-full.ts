import type { Endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import type { EvenWhenFull } from '../../kernel/storage.ts'

/** The feature, with the refusal of a full storage among the problems of its writes. */
export const refusedWhenFull = (feature: Feature): Feature => ({
  ...feature,
  endpoints: feature.endpoints.map((each) =>
    isRefused(each, feature.evenWhenFull ?? {})
      ? { ...each, problems: [...(each.problems ?? []), 'limit_exceeded'] }
      : each,
  ),
})

const isRefused = ({ action }: Endpoint, evenWhenFull: EvenWhenFull): boolean =>
  action !== undefined && evenWhenFull[action] !== true
