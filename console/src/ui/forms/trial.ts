import { type DryRun, FlightdeckError } from '@flightdeckhq/sdk'
import { useQuery } from '@tanstack/react-query'

type Tried<Result> = {
  action: string
  object: { id: string; version: number }
  /** Asks the service what the action would do. */
  dryRun: () => PromiseLike<DryRun<Result>>
  enabled: boolean
}

/** Tries an action on the service, once for each version of its object. */
export const useTrial = <Result>({ action, object, dryRun, enabled }: Tried<Result>) =>
  useQuery({
    queryKey: ['try', action, object.id, object.version],
    queryFn: async () => await dryRun(),
    enabled,
    retry: false,
    staleTime: 0,
  })

/** The refusal of a trial, but for a guardrail, which a reason exceeds, and a trouble that may be over. */
export const refusalOf = (error: unknown): string | null =>
  error instanceof FlightdeckError &&
  error.retry !== 'transient' &&
  error.code !== 'guardrail_violation'
    ? error.problem.detail
    : null
