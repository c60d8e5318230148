import { hasKey, memberOf } from '../../values/objects.ts'

/**
 * An answer, event or problem without people, as agents get it: who did something is null, wherever it
 * stands. `self` is the reader, which knows itself.
 */
export function withoutPeople<T>(shown: T, self: string | null): T {
  // The same shape, but for the nulls that its schema allows.
  return hidden(shown, self) as T
}

/** Ids of users and API keys, and of proxies, which agents do not see either. */
const hiddenId = /^(usr|key|prx)_[0-9a-z]{26}$/

function hidden(value: unknown, self: string | null): unknown {
  if (typeof value === 'string') return hiddenId.test(value) ? null : value
  if (Array.isArray(value)) return value.map((each) => hidden(each, self))
  if (!isPlain(value)) return value
  if (isActor(value)) return null
  const isOfMetadata = memberOf(value, 'field') === 'metadata'
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    // The texts of an organization's own keys are its own.
    if (name === 'metadata' || isOfMetadata) return [name, member]
    if (name === 'id' && member === self) return [name, member]
    return [name, isPerson(name, member) ? null : hidden(member, self)]
  })
  return Object.fromEntries(members)
}

/** `created_by`, `changed_by_name`; the reasons of a `blocked_by` are a list. */
const isPerson = (name: string, member: unknown): boolean =>
  /_by(_name)?$/.test(name) && !Array.isArray(member)

const actorTypes: readonly unknown[] = ['user', 'api_key', 'system', 'cli', 'anonymous']

const isActor = (value: object): boolean =>
  hasKey(value, 'type') && hasKey(value, 'id') && actorTypes.includes(memberOf(value, 'type'))

/** Neither a number of many digits nor a stream. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
