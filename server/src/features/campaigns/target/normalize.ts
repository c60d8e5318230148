/** Reads the target of a draft. Pure. */

import type { Target } from '../../../database/tables/json-columns.ts'
import { type Fault, fault } from '../../../problems/fault.ts'
import type { FaultCode } from '../../../problems/fault-codes.ts'
import { ExactNumber } from '../../../values/exact-number.ts'
import {
  exponentFor,
  type MoneyInput,
  maximumMajor,
  readMoney,
  readQuantity,
  toMajor,
} from '../../../values/money.ts'
import { defaultWindowDays } from './schema.ts'

type TargetInput = {
  metric: Target['metric']
  value: MoneyInput
  window_days?: number | null | undefined
}

type Stored = { currency: string; target: Target | null }

type TargetRules = {
  currency: string
  base: Stored | undefined
  addFault: (fault: Fault | undefined) => void
}

/** A stored target keeps its number in another currency, if that has as many decimals. */
export function normalizeTarget(
  sent: TargetInput | null | undefined,
  { currency, base, addFault }: TargetRules,
): Target | null {
  if (sent === undefined && base?.currency === currency) return base.target
  const given = sent === undefined ? (base?.target ?? null) : sent
  if (given === null) return null
  const { metric, value, window_days } = given
  const read = readValue(metric, value, currency)
  if ('fault' in read) {
    addFault(read.fault)
    return null
  }
  return { metric, value: read.value, window_days: window_days ?? defaultWindowDays }
}

type Value = { value: number } | { fault: Fault }

const pointer = '/target/value'

type Bounds = { most: number; decimals: number }

/** Bounds of what is no money. */
const bounds: Readonly<Record<string, Bounds>> = {
  ctr: { most: 1, decimals: 6 },
  roas: { most: 10_000, decimals: 4 },
}

const countBounds: Bounds = { most: maximumMajor, decimals: 0 }

/** In the currency of the campaign. */
export const isCost = (metric: Target['metric']): boolean =>
  metric === 'cpa' || metric === 'cpc' || metric === 'cpm'

function readValue(metric: Target['metric'], given: MoneyInput, currency: string): Value {
  if (isCost(metric)) {
    const read = readMoney(given, currency, pointer)
    return 'fault' in read ? read : { value: toMajor(read.minor, exponentFor(currency)) }
  }
  const { most, decimals } = bounds[metric] ?? countBounds
  const read = readQuantity(given, decimals, pointer)
  if ('fault' in read) return read
  const value = toMajor(read.minor, decimals)
  const sent = Number(given instanceof ExactNumber ? given.text : given)
  if (sent <= 0 || sent > most) {
    return refused('out_of_range', `must be greater than 0 and at most ${most}`, most)
  }
  if (sent === value) return { value }
  return refused('invalid_format', `must have at most ${decimals} decimals`, decimals)
}

const refused = (code: FaultCode, message: string, limit: number): Value => ({
  fault: fault(pointer, code, message, { limit }),
})
