import type { Constraints } from '../../http/feature.ts'
import { conflict, externalIdTaken } from '../../problems/problem.ts'

/** Problems for violated database constraints. */
export const templateRefusals: Constraints = {
  templates_name_key: () => conflict('duplicate_name', 'Another template already has this name.'),
  templates_external_id_key: () => externalIdTaken('template'),
}
