import type { Schema } from '../../../flightdeck.ts'

export type Sso = Schema<'Sso'>
export type RoleMap = Readonly<Sso['role_map']>

type Kept = 'issuer' | 'client_id' | 'domains' | 'default_role' | 'role_claim' | 'role_map'
type Switches = 'create_members' | 'trust_email' | 'enforced' | 'own_redirect_uri'

export type SsoValues = Pick<Sso, Kept | Switches> & {
  /** The stored one is never sent back: null keeps it. */
  client_secret: string | null
}

export const valuesOf = (sso: Sso | null): SsoValues => ({
  issuer: sso?.issuer ?? '',
  client_id: sso?.client_id ?? '',
  client_secret: null,
  domains: sso?.domains ?? [],
  default_role: sso?.default_role ?? 'viewer',
  role_claim: sso?.role_claim ?? null,
  role_map: sso?.role_map ?? {},
  create_members: sso?.create_members ?? true,
  trust_email: sso?.trust_email ?? false,
  enforced: sso?.enforced ?? false,
  own_redirect_uri: sso?.own_redirect_uri ?? false,
})

/** The secret is left out where none was typed. */
export const sent = ({ client_secret: secret, ...rest }: Partial<SsoValues>) =>
  secret ? { ...rest, client_secret: secret } : rest

/** Names of the fields, as the form has them. */
export const labels = {
  issuer: 'Issuer',
  client_id: 'Client id',
  client_secret: 'Client secret',
  domains: 'Domains',
  default_role: 'Role of new members',
  role_claim: 'Role claim',
  role_map: 'Roles by value',
  create_members: 'Make accounts',
  trust_email: 'Trust addresses',
  enforced: 'Single sign-on only',
  own_redirect_uri: 'Redirect URI of one’s own',
} as const

/** A sentence of the service with the names that people see of its fields. */
export const inPlainWords = (text: string): string =>
  text.replace(/`(\w+)`/g, (whole, name: string) => {
    const label = new Map(Object.entries(labels)).get(name)
    return label ? `“${label}”` : whole
  })
