import { Type } from 'typebox'
import {
  choice,
  idOf,
  nameBeside,
  oneLine,
  orNull,
  readOnlyOf,
  settingsOf,
  text,
  time,
  Version,
} from '../../schema/fields.ts'
import { organizationIds } from '../../values/core-ids.ts'
import { type GivenRole, givenRoles, maxDomainLength } from './resource.ts'

const maxIssuerLength = 512

const Issuer = Type.String({
  minLength: 1,
  maxLength: maxIssuerLength,
  pattern: '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$',
  description:
    'URL of the OpenID Connect provider, as its configuration names it: https, without query. Refused are addresses that webhooks may not reach.',
  examples: ['https://login.acme.example'],
})

const line = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: oneLine, description, examples: [example] })

const ClientId = line(255, 'Identifier of Flightdeck at the provider.', 'flightdeck')

const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: oneLine,
  writeOnly: true,
  description:
    'Secret of Flightdeck at the provider; it is stored sealed and never shown. Required at first, and with another `issuer`.',
  examples: ['tAtGXH5wHzYn8mV2'],
})

const Domains = Type.Array(Type.String({ minLength: 1, maxLength: maxDomainLength }), {
  maxItems: 50,
  uniqueItems: true,
  description:
    'Domains of the members’ addresses, each with at least two labels. Each must be proved before it counts.',
  examples: [['acme.example']],
})

const Role = (description: string) => choice(givenRoles, { title: 'SsoRole', description })

const RoleMap = Type.Unsafe<Record<string, GivenRole>>({
  type: 'object',
  maxProperties: 100,
  propertyNames: { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]{1,255}$' },
  additionalProperties: { type: 'string', enum: [...givenRoles] },
  description: 'Roles by the values of `role_claim`: of several the highest holds.',
  examples: [{ 'Marketing leads': 'admin', Marketing: 'editor' }],
})

const writable = {
  issuer: Issuer,
  client_id: ClientId,
  domains: Domains,
  default_role: Role('The role of new members, and where nothing is mapped. Default: `viewer`.'),
  role_claim: orNull(
    line(
      255,
      'The claim with the roles or groups of a person, a text or a list of texts; null: roles are set by hand.',
      'groups',
    ),
  ),
  role_map: RoleMap,
  create_members: Type.Boolean({
    description: 'Whether people without an account get one at their first login. Default: true.',
  }),
  trust_email: Type.Boolean({
    description:
      'Whether addresses count as verified where the provider does not say so. Default: false.',
  }),
  enforced: Type.Boolean({
    description:
      'Whether members of the proved domains log in only so. Owners keep their password with a second factor as the way back in. Default: false.',
  }),
  own_redirect_uri: Type.Boolean({
    description:
      'Whether `redirect_uri` ends in the organization’s id: for providers that do not name themselves in their answers. Default: false.',
  }),
}

export const SsoDomain = Type.Object(
  {
    domain: text('The domain, in lower case and ASCII.'),
    txt_record: Type.String({
      description: 'The TXT record of the domain that proves it.',
      examples: ['flightdeck-verification=4f2a9c0d7b1e46358a0fd2c91b7e6a53'],
    }),
    proved_at: orNull(time('When it was proved; null: not yet, so it does not count.')),
    proved_by: orNull(choice(['dns', 'operator'], { description: 'How it was proved.' })),
  },
  { title: 'SsoDomain', description: 'A domain of the members’ addresses.' },
)
export type SsoDomain = Type.Static<typeof SsoDomain>

export const Sso = Type.Object(
  {
    id: idOf(organizationIds, 'The organization.'),
    ...writable,
    domain_proofs: Type.Array(SsoDomain, { description: 'How far each of `domains` is proved.' }),
    redirect_uri: text('The redirect URI to register at the provider.'),
    backchannel_logout_uri: text('The URI of back-channel logout to register at the provider.'),
    version: Version,
    created_at: time('When it was set up.'),
    updated_at: time('When it was last changed.'),
    updated_by: orNull(text('Id of the user that last changed it.')),
    updated_by_name: nameBeside('updated_by'),
  },
  { title: 'Sso', description: 'Single sign-on by OpenID Connect.' },
)
export type Sso = Type.Static<typeof Sso>

const fields = { ...writable, client_secret: ClientSecret }

export const ssoReadOnly = readOnlyOf(Sso, fields)

export const SsoChanges = settingsOf(fields, ssoReadOnly, 'SsoChanges')
export type SsoChanges = Type.Static<typeof SsoChanges>

export const SsoPlace = Type.Object(
  {
    available: Type.Boolean({ description: 'Whether the domain has single sign-on.' }),
    enforced: Type.Boolean({ description: 'Whether its members log in only so.' }),
    issuer: orNull(text('The provider that it leads to; null where there is none.')),
    start_url: orNull(text('Open it in a browser to log in; null where there is none.')),
  },
  { title: 'SsoPlace', description: 'Says nothing of whether there is such a user.' },
)

export const SsoTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether people can log in.' }),
    problems: Type.Array(Type.String(), { description: 'What is wrong, in plain words.' }),
    warnings: Type.Array(Type.String(), { description: 'What may be wrong.' }),
  },
  { title: 'SsoTest' },
)
export type SsoTest = Type.Static<typeof SsoTest>

/** The proof of a domain, as an event shows it. */
export const ProvedDomain = Type.Object(
  {
    id: idOf(organizationIds, 'The organization.'),
    domain: text('The domain.'),
    proved_at: time('When it was proved.'),
    proved_by: choice(['dns', 'operator'], { description: 'How it was proved.' }),
  },
  { title: 'ProvedDomain' },
)
export type ProvedDomain = Type.Static<typeof ProvedDomain>
