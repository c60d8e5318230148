import { Type } from 'typebox'
import { maxUrlLength } from '../../../delivery/target.ts'
import {
  bodyOf,
  changesOf,
  choice,
  idOf,
  nameLike,
  oneLine,
  orNull,
  pageOfSchema,
  readOnlyOf,
  shownOnce,
  stamps,
  text,
  time,
} from '../../../schema/fields.ts'
import { channelIds, digests, kinds } from '../resource.ts'

const channelStatuses = ['enabled', 'disabled'] as const

const Kind = choice(kinds, { title: 'NotificationChannelKind', description: 'What it is.' })

const Target = Type.String({
  minLength: 1,
  maxLength: maxUrlLength,
  pattern: oneLine,
  description:
    'An email address, or the URL that the chat has made (Slack: incoming webhook; Teams: workflow; Google Chat: webhook), or that of your receiver: https, by the rules of webhook endpoints. Answers show its origin only, of an address its first letter and domain; sent back as shown, it stays.',
  examples: ['https://hooks.example.com/services/T0/B0/x1'],
})

const Events = Type.Array(
  Type.String({ minLength: 1, maxLength: 80, publishedAs: 'EventPattern' }),
  {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: 'Event types, `campaign.*` for all of a resource, `*` for all.',
    examples: [['change_set.*', 'deployment.drifted']],
  },
)

const part = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: oneLine, description }))

const Filter = bodyOf(
  {
    client_id: part('A client.'),
    profile_id: part('A profile.'),
    label: part('A label of campaigns, profiles or clients.'),
    platform: part('A platform of profiles.'),
  },
  {
    title: 'NotificationFilter',
    description: 'Only what is about these: all members that are given must hold.',
  },
)

const Digest = choice(digests, {
  title: 'ChannelDigest',
  description:
    'Whether it is notified at once, or gathered for an hour, or until the next morning.',
})

const channelFields = {
  name: nameLike('#ads-approvals'),
  target: Target,
  events: Events,
  filter: orNull(Filter),
  digest: Digest,
  status: choice(channelStatuses, {
    title: 'NotificationChannelStatus',
    description: 'A disabled channel is notified nothing.',
  }),
}

const reply = {
  id: idOf(channelIds, 'Notification channel identifier.'),
  kind: Kind,
  name: text('What people call it.'),
  target: text('The origin of its URL, or a masked address.'),
  events: Events,
  filter: orNull(
    Type.Object(Filter.properties, {
      title: 'NotificationFilterShown',
      description: 'The filter.',
    }),
  ),
  digest: Digest,
  status: channelFields.status,
  disabled_reason: orNull(
    text('`manual`: by a request. `failing`: after a day of failures. `gone`: it answered 410.'),
  ),
  last_success_at: orNull(time('When it last took a message.')),
  last_failure_at: orNull(time('When it last took none.')),
  last_error: orNull(text('Why it did not; null once it has taken one.')),
  consecutive_failures: Type.Integer({
    minimum: 0,
    description: 'Failed attempts since the last success.',
  }),
  ...stamps,
}

export const NotificationChannel = Type.Object(reply, {
  title: 'NotificationChannel',
  description: 'Where the organization is notified what happens.',
})
export type NotificationChannel = Type.Static<typeof NotificationChannel>

export const NotificationChannelList = pageOfSchema(NotificationChannel)

export const CreatedNotificationChannel = Type.Object(
  {
    ...reply,
    secret: shownOnce(
      'Of kind `webhook`: signs what it is sent, as of webhook endpoints; else null.',
      {
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
      },
    ),
  },
  { title: 'CreatedNotificationChannel', basedOn: NotificationChannel },
)
export type CreatedNotificationChannel = Type.Static<typeof CreatedNotificationChannel>

export const readOnlyFields = readOnlyOf(CreatedNotificationChannel, channelFields)

const { name, target, events, filter, digest } = channelFields

export const ChannelBody = bodyOf(
  {
    ...{ kind: Kind, name, target, events },
    ...Type.Partial(Type.Object({ filter, digest })).properties,
  },
  {
    title: 'NotificationChannelInput',
    readOnlyFields: readOnlyFields.filter((field) => field !== 'kind').concat('status'),
  },
)
export type ChannelInput = Type.Static<typeof ChannelBody>

export const ChannelChanges = changesOf(channelFields, readOnlyFields, 'NotificationChannelChanges')
export type ChannelChanges = Type.Static<typeof ChannelChanges>
