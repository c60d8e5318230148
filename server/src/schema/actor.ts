import { Type } from 'typebox'
import { choice, orNull, text } from './fields.ts'

/** The person, key or program that did something. */
export const Actor = Type.Object(
  {
    type: choice(['user', 'api_key', 'system', 'cli', 'anonymous'], {
      description:
        'system: the service itself. cli: its command line. anonymous: a request without a credential.',
    }),
    id: orNull(text('Id of the user or API key.')),
    name: orNull(text('Name of the user or API key at the time.')),
  },
  { title: 'Actor', description: 'Who did it.' },
)

/** Null in what agents read, and nowhere else: verbs always have one. */
export const ActorOrNull = Type.Unsafe<Type.Static<typeof Actor>>(orNull(Actor))
