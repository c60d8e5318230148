import type { Constraints } from '../../http/feature.ts'
import { externalIdTaken, retryLater } from '../../problems/problem.ts'

/** Problems for violated database constraints. */
export const proxyRefusals: Constraints = {
  proxies_external_id_key: () => externalIdTaken('proxy'),
  // This process has yet to take over a change of the master key.
  proxies_master_key_fkey: () => retryLater('unavailable'),
}
