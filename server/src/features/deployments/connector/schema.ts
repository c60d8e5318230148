import { Type } from 'typebox'
import { bodyOf, choice, idOf, orNull, text, time } from '../../../schema/fields.ts'
import { campaignIds } from '../../campaigns/resource.ts'
import { profileIds } from '../../profiles/resource.ts'
import { platforms } from '../../profiles/schema.ts'
import { deploymentIds, leaseIds } from '../resource.ts'
import { Deployment, DeploymentError, instant, modes, shortLine } from '../schema.ts'

const LeaseId = Type.String({ minLength: 1, maxLength: 64, description: 'The lease.' })
const Fence = Type.Integer({ minimum: 1, description: 'Its fence, as the lease was answered.' })
export const lease = { lease_id: LeaseId, fence: Fence }

export const maxProfiles = 1_000

export const LeaseBody = bodyOf(
  {
    instance: shortLine(64, 'Names the process: each makes a new one.'),
    adapter: shortLine(64, 'The adapter, such as `google-ads`.'),
    adapter_version: shortLine(32, 'Its version.'),
    platform: choice(platforms, { description: 'The platform that it serves.' }),
    api_version: shortLine(32, 'The version of the network’s API that it speaks.'),
    api_sunset: Type.Optional(
      orNull(Type.String({ format: 'date', description: 'The day that version ends.' })),
    ),
    profile_ids: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: maxProfiles,
        uniqueItems: true,
        description: 'The accounts; left out: all of the platform that the key may hold.',
      }),
    ),
    ttl_seconds: Type.Integer({
      minimum: 15,
      maximum: 300,
      description: 'How long it holds unless it is renewed.',
    }),
  },
  { title: 'ConnectorLeaseInput' },
)
export type LeaseInput = Type.Static<typeof LeaseBody>

const ProxyAccess = Type.Object(
  {
    protocol: text('`http`, `https` or `socks5`.'),
    host: text('Its host.'),
    port: Type.Integer({ description: 'Its port.' }),
    username: orNull(text('The name to log in with.')),
    password: orNull(text('The password to log in with.')),
  },
  { title: 'ConnectorProxy', description: 'The proxy for the traffic of the account.' },
)

const HeldProfile = Type.Object(
  {
    id: idOf(profileIds, 'The profile.'),
    name: text('Its name.'),
    account_ref: orNull(text('The account’s id on its platform.')),
    currency: orNull(text('ISO 4217 code.')),
    time_zone: text('IANA name.'),
    status: text('Its status.'),
    credential_ref: orNull(text('Where the connector finds the credential.')),
    proxy: orNull(ProxyAccess),
  },
  { title: 'ConnectorProfile', description: 'An account that the lease holds.' },
)

export const Lease = Type.Object(
  {
    lease_id: idOf(leaseIds, 'The lease.'),
    fence: Type.Integer({ description: 'Only rises; reports under an older one are refused.' }),
    profiles: Type.Array(HeldProfile, { description: 'The accounts that it holds.' }),
    sandbox: Type.Boolean({ description: 'Whether only loopback addresses may be spoken to.' }),
    expires_at: time('When it ends unless it is renewed, in real time.'),
  },
  { title: 'ConnectorLease', description: 'A connector’s hold on accounts.' },
)
export type Lease = Type.Static<typeof Lease>

const { desired, observed, settings, managed_fields, network_object_id } = Deployment.properties

const Intent = Type.Object(
  {
    generation: Type.Integer({ description: 'The generation that was about to be created.' }),
    at: time('When.'),
    looks: Type.Integer({ description: 'How often it was not found since.' }),
  },
  { title: 'ConnectorIntent', description: 'A creation that was about to be made.' },
)

export const WorkItem = Type.Object(
  {
    deployment_id: idOf(deploymentIds, 'The deployment.'),
    campaign_id: idOf(campaignIds, 'Its campaign.'),
    profile_id: idOf(profileIds, 'Its account.'),
    generation: Type.Integer({ description: 'The generation of `desired`.' }),
    desired,
    observed,
    mode: choice(modes, { description: 'Whether it makes the object, or takes one over.' }),
    network_object_id,
    marker: text('The mark of its object in the network.'),
    settings,
    managed_fields,
    why: choice(['changed', 'retry', 'drift', 'check', 'remove'], {
      description: 'What is to be done.',
    }),
    intent: orNull(Intent),
  },
  { title: 'ConnectorWork' },
)
export type WorkItem = Type.Static<typeof WorkItem>

export const triedIn = {
  change_set_id: Type.String({ maxLength: 64, description: 'The change set.' }),
  index: Type.Integer({ minimum: 0, maximum: 999, description: 'The operation in it.' }),
  tried_at: Type.String({ ...instant, description: 'When it was tried, as the check says it.' }),
}

const CheckItem = Type.Object(
  { ...triedIn, ...WorkItem.properties },
  {
    title: 'ConnectorCheck',
    description: 'A deployment as a change set would leave it: to be judged, and not to be done.',
  },
)

export const WorkReply = Type.Object(
  {
    data: Type.Array(WorkItem, { description: 'What stops spending comes first.' }),
    checks: Type.Array(CheckItem, {
      description: 'What the network is to judge, where it is asked for and there is no work.',
    }),
  },
  { title: 'ConnectorWorkList' },
)
export type WorkReply = Type.Static<typeof WorkReply>

export const workParameters = {
  lease_id: LeaseId,
  fence: Type.Integer({ minimum: 1, description: 'The fence of the lease.' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Items at most.' }),
  wait_seconds: Type.Integer({
    minimum: 0,
    maximum: 30,
    default: 0,
    description: 'How long to wait for work where there is none.',
  }),
  checks: Type.Boolean({
    default: false,
    description: 'Whether to answer `checks` as well, which the connector has its network judge.',
  }),
}

export const IntentBody = bodyOf(
  {
    ...lease,
    deployment_id: Type.String({ maxLength: 64, description: 'The deployment.' }),
    generation: Type.Integer({ minimum: 1, description: 'The generation to be created.' }),
  },
  { title: 'ConnectorIntentInput' },
)
export type IntentInput = Type.Static<typeof IntentBody>

export const IntentReply = Type.Object(
  { deployment_id: idOf(deploymentIds, 'The deployment.'), intent: Intent },
  { title: 'ConnectorIntentReply' },
)

export const Connection = Type.Object(
  {
    state: choice(['none', 'connected', 'stale', 'blocked'], {
      description: 'blocked: `error` says why nothing is sent. stale: not held for ten minutes.',
    }),
    connector: orNull(
      Type.Object(
        {
          adapter: text('The adapter.'),
          adapter_version: text('Its version.'),
          api_version: text('The version of the network’s API.'),
          api_sunset: orNull(text('The day that version ends.')),
          instance: text('The process.'),
          since: orNull(time('Since when it holds the account.')),
        },
        { description: 'The connector that holds it.' },
      ),
    ),
    account: orNull(
      Type.Object(
        {
          ref: text('The account’s id.'),
          name: orNull(text('Its name.')),
          currency: text('ISO 4217 code.'),
          time_zone: text('IANA name.'),
          status: text('Whether it may run ads.'),
        },
        { description: 'The account in its network.' },
      ),
    ),
    credential: orNull(
      Type.Object(
        { state: text('Whether it works.'), expires_at: orNull(time('Its end.')) },
        { description: 'The credential for the account.' },
      ),
    ),
    error: orNull(DeploymentError),
    last_seen_at: orNull(time('When the connector last reported it, in real time.')),
    deployments: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Number of deployments by state.',
    }),
  },
  { title: 'ProfileConnection', description: 'The account as its connector knows it.' },
)
export type Connection = Type.Static<typeof Connection>
