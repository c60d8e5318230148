import type { Constraints } from '../../http/feature.ts'
import type { EvenWhenFull } from '../../kernel/storage.ts'
import { conflict, externalIdTaken } from '../../problems/problem.ts'

/** Problems for violated database constraints. */
export const profileRefusals: Constraints = {
  profiles_account_ref_key: () =>
    conflict(
      'duplicate_account_ref',
      'Another profile on this platform already has this account_ref.',
    ),
  profiles_external_id_key: () => externalIdTaken('profile'),
}

/** A profile that is no longer active stops its campaigns. */
export const evenWhenFull: EvenWhenFull = {
  'profile.deleted': true,
  'profile.updated': (changes) =>
    changes.every(({ field, after }) => field === 'status' && after !== 'active'),
}
