import type { Notice } from '../../../database/tables/json-columns.ts'
import { resourceTypeOf } from '../../../kernel/event-types.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import type { Fields } from '../../../schema/differences.ts'
import { memberOf } from '../../../values/objects.ts'
import { changesOf } from './changes.ts'
import { pathOf } from './path.ts'
import { phraseOf } from './phrases.ts'
import { sumOf } from './sum.ts'

/** An event in words, as people are notified it; `given` is the reason that its request gave. */
export function noticeOf({ type, actor, data }: LedgerEvent, given: string | null): Notice {
  const { object } = data
  const kind = resourceTypeOf(type)
  const name = nameOf(object)
  const shown = kinds[kind] ?? sentence(kind)
  const about = name === null ? shown : `${shown} “${name}”`
  return {
    title: `${about}${phraseOf(type, data).replace(/^(?!:)/, ' ')}`,
    object: { type: kind, id: objectIdOf(data), name },
    actor,
    changes: changesOf(type, data),
    sum: sumOf(object),
    reason: failureIn(object) ?? given ?? reasonIn(object),
    path: type.endsWith('.deleted') ? null : pathOf(placeOf(data)),
  }
}

const kinds: Readonly<Record<string, string>> = {
  api_key: 'API key',
  pacing: 'Campaign',
  deployment: 'Campaign',
}

const sentence = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll('_', ' ')

/** The campaign or other object that an event is about, as scopes judge it. */
function objectIdOf({ object }: LedgerEvent['data']): string {
  const id = object.campaign_id ?? object.id ?? object.client_id
  return typeof id === 'string' ? id : ''
}

/** The object on whose screen it is shown. */
const placeOf = (data: LedgerEvent['data']): string =>
  textIn(data.object, 'report_id') ?? objectIdOf(data)

function nameOf(object: Fields): string | null {
  const own = ['name', 'title', 'client', 'email', 'url'].flatMap(
    (field) => textIn(object, field) ?? [],
  )
  return own[0] ?? textIn(object.desired, 'name')
}

function textIn(object: unknown, field: string): string | null {
  const value = memberOf(object, field)
  return typeof value === 'string' && value !== '' ? value : null
}

/** The reason of a change set that failed, of a blocked deployment. */
const failureIn = (object: Fields): string | null =>
  textIn(object.failure, 'detail') ?? textIn(object.error, 'message')

/** The reason of what was rejected, or of a receiver that takes nothing. */
const reasonIn = (object: Fields): string | null =>
  textIn(object, 'rejected_reason') ??
  textIn(object, 'last_error') ??
  textIn(object.review, 'reason')
