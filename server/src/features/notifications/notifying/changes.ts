import type { Notice } from '../../../database/tables/json-columns.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import type { Fields } from '../../../schema/differences.ts'
import { amountText } from './sum.ts'

type TextChange = Notice['changes'][number]

const most = 8
const longest = 120

/** Fields that say nothing to people, or are said elsewhere. */
const unsaid =
  /^(?:id|version|updated_at|updated_by|created_at|available_actions|delivery|review|status_change|tried_at|currency_exponent|confidence|generation|applied_generation|last_\w+|state_since|attempts|retry_at|complete_through|\w+_minor|\w+_id|\w+_hint)$/

/** Values before and after, of what is notified about. */
export function changesOf(type: string, { object, previous }: LedgerEvent['data']): TextChange[] {
  if (type === 'deployment.drifted') return driftOf(object.drift)
  return Object.entries(previous ?? {})
    .filter(([field]) => !unsaid.test(field))
    .flatMap(([field, value]) => {
      const [before, after] = [shownIn(object, field, value), shownIn(object, field, object[field])]
      return before === null || after === null ? [] : [{ name: fieldName(field), before, after }]
    })
    .slice(0, most)
}

/** The value of a field; an amount, which stands in minor units beside it, with its currency. */
function shownIn(object: Fields, field: string, value: unknown): string | null {
  const { currency } = object
  const isAmount = `${field}_minor` in object && typeof value === 'number'
  return isAmount && typeof currency === 'string' ? amountText(value, currency) : valueText(value)
}

const fieldName = (field: string): string =>
  `${field.charAt(0).toUpperCase()}${field.slice(1)}`.replaceAll('_', ' ')

const shortened = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text

/** Null for what has no short form. */
function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value))
    return value.every((each) => typeof each === 'string')
      ? shortened(value.join(', ')) || '–'
      : null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? shortened(value.replaceAll('_', ' ')) : null
}

type Drifted = { field?: unknown; desired?: unknown; observed?: unknown }

const driftOf = (drift: unknown): TextChange[] =>
  (Array.isArray(drift) ? drift : []).slice(0, most).flatMap((each: Drifted) => {
    const [before, after] = [valueText(each.desired), valueText(each.observed)]
    const name = `${fieldName(String(each.field))} (wanted, seen)`
    return before === null || after === null ? [] : [{ name, before, after }]
  })
