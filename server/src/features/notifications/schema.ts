import { Type } from 'typebox'
import { Actor } from '../../schema/actor.ts'
import { bodyOf, choice, idOf, orNull, PageMeta, rows, text, time } from '../../schema/fields.ts'
import { eventIds } from '../../values/core-ids.ts'
import { categories, digests, notificationIds } from './resource.ts'

const ways = ['mail', 'console', 'none'] as const

const Way = (description: string) =>
  choice(ways, {
    description: `${description} \`mail\` is in the inbox, too.`,
  })

const settings = {
  approvals_waiting: Way('What you may approve.'),
  my_change_sets: Way('Change sets and campaigns that you proposed: what became of them.'),
  pacing: Way('Pacing of campaigns and clients, and caps that were reached.'),
  deployments: Way('Networks that run something else, or can be reached no longer.'),
  security: Way('Members, keys and receivers that were switched off: for owners and admins.'),
  digest: choice(digests, {
    title: 'NotificationDigest',
    description: 'Whether mails are gathered for an hour, or until the next morning.',
  }),
}

export const NotificationSettings = Type.Object(settings, {
  title: 'NotificationSettings',
  description: 'What you are notified, and how.',
})
export type NotificationSettings = Type.Static<typeof NotificationSettings>

export const SettingsBody = bodyOf(Type.Partial(Type.Object(settings)).properties, {
  title: 'NotificationSettingsInput',
  description: 'The fields to change; others stay as they are.',
})
export type SettingsInput = Type.Static<typeof SettingsBody>

const TextChange = Type.Object(
  {
    name: text('The field, in words.'),
    before: text('The value before, as text.'),
    after: text('The value after, as text.'),
  },
  { title: 'NotifiedChange', description: 'A value before and after.' },
)

export const Notification = Type.Object(
  {
    id: idOf(notificationIds, 'Notification identifier.'),
    category: choice(categories, {
      title: 'NotificationCategory',
      description: 'What it is about, as in the settings.',
    }),
    type: text('The type of the event that caused it.'),
    title: text('What happened, in one line.'),
    object: Type.Object(
      {
        type: text('The type of the object.'),
        id: text('The object that it is about.'),
        name: orNull(text('Its name at the time; null if it has none.')),
      },
      { title: 'NotifiedObject', description: 'What it is about.' },
    ),
    actor: Actor,
    changes: Type.Array(TextChange, {
      description: 'Values before and after, in words; at most 8.',
    }),
    sum: orNull(text('The money that it is about, in words.')),
    reason: orNull(text('The reason that was given.')),
    path: orNull(text('Its path in the console.')),
    event_id: idOf(eventIds, 'The first event of those that were gathered.'),
    count: Type.Integer({
      description: 'How often it happened: repeats within an hour are gathered here.',
    }),
    created_at: time('When it happened first.'),
    updated_at: time('When it happened last.'),
    read_at: orNull(time('When you read it; null if you have not.')),
  },
  { title: 'Notification', description: 'Something that you were notified.' },
)
export type Notification = Type.Static<typeof Notification>

const unread = Type.Integer({ description: 'How many of yours are unread, whatever the filters.' })

export const NotificationList = Type.Object(
  {
    data: rows(Notification),
    meta: Type.Object(
      { ...PageMeta.properties, unread },
      { title: 'NotificationPageMeta', description: 'Where the page stands in the list.' },
    ),
  },
  { title: 'NotificationList' },
)

export const ReadReply = Type.Object(
  { unread },
  { title: 'NotificationsRead', description: 'What is left unread.' },
)
export type ReadReply = Type.Static<typeof ReadReply>
