import ipaddr from 'ipaddr.js'
import type { Config } from '../../../../config/config.ts'
import type { Services } from '../../../../kernel/context.ts'
import { conflict } from '../../../../problems/problem.ts'

/** The host of the public URL, which passkeys are bound to, and the pages that may ask for them. */
export type RelyingParty = { readonly id: string; readonly origin: string }

/**
 * Null where no passkey can be: the public URL is not set, is an IP address, or is not encrypted. A
 * request's own host is not looked at, as who sends the request writes it.
 */
export function relyingPartyOf({ issuer: publicUrl }: Pick<Config, 'issuer'>): RelyingParty | null {
  if (publicUrl === null) return null
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isAddress = ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))
  const isSecure = protocol === 'https:' || /(?:^|\.)localhost$/.test(hostname)
  return isAddress || !isSecure ? null : { id: hostname, origin }
}

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
