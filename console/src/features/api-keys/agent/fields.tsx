import { decimalIn, doubtOf } from '../../../data/typed.ts'
import { AmountsField, type CurrencyAmount } from '../../../ui/fields/amounts-field.tsx'
import { SelectField } from '../../../ui/fields/fields.tsx'

export type AgentApply = 'never' | 'approved' | 'within_envelope'

/** The terms of a key for a language model, as the form has them; null where it is for another program. */
export type AgentValues = {
  apply: AgentApply | null
  envelope: readonly CurrencyAmount[]
}

const choices: readonly { value: AgentApply | null; name: string }[] = [
  { value: null, name: 'A script or a connector' },
  { value: 'never', name: 'A language model that proposes' },
  { value: 'approved', name: 'A language model that applies what is approved' },
  { value: 'within_envelope', name: 'A language model that applies small raises by itself' },
]

type AgentFieldsProps = {
  values: AgentValues
  onChange: (changes: Partial<AgentValues>) => void
  faults: ReadonlyMap<string, string>
}

/** Asks who uses the key, and what it may apply by itself. */
export function AgentFields({ values, onChange, faults }: AgentFieldsProps) {
  return (
    <>
      <SelectField
        label="Used by"
        name="agent"
        choices={choices}
        hint="A language model changes campaigns by change sets only, always pauses, and sees nothing of people. It cannot be changed later."
        value={values.apply}
        onChange={(apply) => onChange({ apply })}
        fault={faults.get('/agent') ?? faults.get('/agent/apply')}
      />
      {values.apply === 'within_envelope' && (
        <AmountsField
          label="Raises in 24 hours"
          hint="What its change sets may make a day cost more, together. Other currencies are 0."
          value={values.envelope}
          onChange={(envelope) => onChange({ envelope })}
          faultOf={(currency) => faults.get(currency === null ? pointer : `${pointer}/${currency}`)}
        />
      )}
    </>
  )
}

const pointer = '/agent/envelope_24h'

/** The terms as they are sent; null for a key without. */
export function termsOf({ apply, envelope }: AgentValues) {
  if (apply === null) return null
  if (apply !== 'within_envelope') return { apply }
  const amounts = envelope.map(({ currency, amount }) => [currency, decimalIn(amount, currency)])
  return { apply, envelope_24h: Object.fromEntries(amounts) as Record<string, string> }
}

/** The amounts that read two ways. */
export const doubtsIn = ({ envelope }: AgentValues): ReadonlyMap<string, string> =>
  new Map(
    envelope.flatMap(({ currency, amount }) => {
      const doubt = doubtOf(amount, currency)
      return doubt ? [[`${pointer}/${currency}`, doubt] as const] : []
    }),
  )
