import { type RelyingParty, relyingPartyOf } from '../../../../identity/relying-party.ts'
import type { Services } from '../../../../kernel/context.ts'
import { conflict } from '../../../../problems/problem.ts'

export function neededParty({ config }: Pick<Services, 'config'>): RelyingParty {
  const party = relyingPartyOf(config)
  if (party) return party
  const detail =
    'Passkeys are bound to a name: they need FLIGHTDECK_PUBLIC_URL to be an https address with a host name, not an IP address.'
  throw conflict('invalid_state_transition', detail, {
    current_status: 'without_public_name',
    action: 'passkey',
    allowed_actions: [],
  })
}
