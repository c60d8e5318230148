import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'

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
