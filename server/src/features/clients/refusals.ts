import type { Constraints } from '../../http/feature.ts'
import { conflict, externalIdTaken } from '../../problems/problem.ts'

/** Problems for violated database constraints. */
export const clientRefusals: Constraints = {
  clients_name_key: () =>
    conflict('duplicate_name', 'Another client already has this name; it may be archived.'),
  clients_external_id_key: () => externalIdTaken('client'),
}
