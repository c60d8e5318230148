import { useState } from 'react'
import { one, useScreenState } from '../../../../data/search.ts'
import { decimalIn, doubtOf, typedDecimal } from '../../../../data/typed.ts'
import { MoneyField } from '../../../../ui/fields/money-field.tsx'

type BoundProps = {
  label: string
  /** In the address. */
  name: string
  currency: string | null
}

/**
 * A bound of an amount. The text stays as typed; the list is filtered by an amount that reads one
 * way.
 */
export function MoneyBound({ label, name, currency }: BoundProps) {
  const [search, setSearch] = useScreenState()
  const applied = one(search[name]) ?? null
  const [typed, setTyped] = useState<string | null>(null)
  const isApplied = typed !== null && boundOf(typed, currency) === applied
  const isDoubtful = typed !== null && doubtOf(typed, currency) !== undefined
  const change = (value: string | null) => {
    setTyped(value)
    if (value === null || !doubtOf(value, currency))
      setSearch({ [name]: value === null ? undefined : decimalIn(value, currency) })
  }
  return (
    <MoneyField
      label={label}
      name={name}
      currency={currency}
      optional="understood"
      fault={undefined}
      value={isApplied || isDoubtful ? typed : applied && typedDecimal(applied, currency)}
      onChange={change}
    />
  )
}

const boundOf = (typed: string, currency: string | null): string | null =>
  doubtOf(typed, currency) ? null : decimalIn(typed, currency)
