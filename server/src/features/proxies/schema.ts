import { Type } from 'typebox'
import { Country } from '../../schema/countries.ts'
import {
  bodyOf,
  changesOf,
  choice,
  ExternalId,
  idOf,
  Labels,
  Metadata,
  Notes,
  nameLike,
  oneLine,
  orNull,
  pageOfSchema,
  readOnlyOf,
  stamps,
  text,
  time,
} from '../../schema/fields.ts'
import { proxyIds } from './resource.ts'

export const protocols = ['http', 'https', 'socks5'] as const

export const proxyStatuses = ['unchecked', 'healthy', 'degraded', 'failing', 'disabled'] as const

const Host = Type.String({
  minLength: 1,
  maxLength: 255,
  description:
    'Host name or address, stored in lower case. Refused are loopback, link-local and cloud metadata addresses and, unless the operator allows them, private addresses, the server’s own addresses, database ports, and ports below 1024 other than 80 and 443.',
  examples: ['proxy.example.com'],
})

const Port = Type.Integer({
  minimum: 1,
  maximum: 65_535,
  description: 'Port of the proxy.',
  examples: [8080],
})

const Protocol = choice(protocols, {
  title: 'ProxyProtocol',
  description: 'How to speak to the proxy.',
})

const Username = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: oneLine,
  description: 'Encrypted at rest. Null for the role viewer.',
})

const Password = Type.String({
  minLength: 1,
  maxLength: 1024,
  writeOnly: true,
  description:
    'Encrypted at rest and never returned; see `has_password`. Changing protocol, host or port clears it unless it is sent again.',
})

/** Fields that clients can write. */
const proxyFields = {
  name: orNull(
    nameLike('Frankfurt', 'Free text label, stored trimmed. Default: protocol://host:port.'),
  ),
  protocol: Protocol,
  host: Host,
  port: Port,
  username: orNull(Username),
  password: orNull(Password),
  country: orNull(Country),
  enabled: Type.Boolean({ description: 'Whether it is used. Default: true.' }),
  external_id: orNull(ExternalId),
  labels: orNull(Labels),
  metadata: orNull(Metadata),
  notes: orNull(Notes),
}

const LastCheck = Type.Object(
  {
    at: time('When the check was made.'),
    ok: Type.Boolean({ description: 'Whether a response came through the proxy.' }),
    latency_ms: orNull(
      Type.Integer({
        description: 'Time to the first byte of the response; null without one.',
      }),
    ),
    egress_ip: orNull(
      Type.String({
        description:
          'The address the request came from, if the check URL is an echo service that reports it; otherwise null.',
        examples: ['203.0.113.7'],
      }),
    ),
    error: orNull(Type.String({ description: 'Why it failed; null if it succeeded.' })),
  },
  { title: 'ProxyCheck', description: 'The last check of the proxy.' },
)

const reply = {
  id: idOf(proxyIds, 'Proxy identifier.'),
  name: text('Name of the proxy.'),
  protocol: Protocol,
  host: text('Host name or address.'),
  port: Type.Integer({ description: 'Port of the proxy.', examples: [8080] }),
  username: orNull(
    Type.String({
      description: 'Null for the role viewer, and in replays of a creation.',
    }),
  ),
  has_password: Type.Boolean({ description: 'Whether a password is stored.' }),
  country: orNull(text('ISO 3166-1 alpha-2 code.')),
  enabled: Type.Boolean({ description: 'Whether it is used.' }),
  status: choice(proxyStatuses, {
    title: 'ProxyStatus',
    description:
      'Result of the last checks. One failure: `degraded`; three in a row: `failing`; one success: `healthy`, but `failing` needs two in a row. A `disabled` proxy is not used.',
  }),
  last_check: orNull(LastCheck),
  external_id: orNull(ExternalId),
  labels: Labels,
  metadata: Metadata,
  notes: orNull(Notes),
  ...stamps,
}

const { username: _, ...withoutUsername } = reply

/** Events carry no credentials. */
export const ProxyEventObject = Type.Object(withoutUsername, {
  title: 'ProxyEventObject',
  description: 'A proxy without its user name.',
})
export type ProxyEventObject = Type.Static<typeof ProxyEventObject>

export const ProxyReply = Type.Object(reply, {
  title: 'Proxy',
  description: 'A proxy for the traffic of profiles.',
  basedOn: ProxyEventObject,
})
export type ProxyReply = Type.Static<typeof ProxyReply>

export const ProxyList = pageOfSchema(ProxyReply)

/** Response fields that only the service writes. */
export const readOnlyFields = readOnlyOf(ProxyReply, proxyFields)

const { protocol, host, port, ...others } = proxyFields

export const ProxyBody = bodyOf(
  { protocol, host, port, ...Type.Partial(Type.Object(others)).properties },
  { title: 'ProxyInput', readOnlyFields },
)
export type ProxyInput = Type.Static<typeof ProxyBody>

export const ProxyChanges = changesOf(proxyFields, readOnlyFields, 'ProxyChanges')
export type ProxyChanges = Type.Static<typeof ProxyChanges>

export const ProxyCredentials = Type.Object(
  {
    username: orNull(text('The user name; null if there is none.')),
    password: orNull(text('The password; null if there is none.')),
  },
  { title: 'ProxyCredentials' },
)
export type ProxyCredentials = Type.Static<typeof ProxyCredentials>
