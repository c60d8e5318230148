import type { Choice } from '../../data/choices.ts'
import { type Preferences, setPreferences, usePreferences } from '../../data/stored/preferences.ts'
import { FieldRow, SelectField } from '../../ui/fields/fields.tsx'
import { Card } from '../../ui/page.tsx'

type Choices<Name extends keyof Preferences> = readonly Choice<Preferences[Name]>[]

const themes: Choices<'theme'> = [
  { value: 'system', name: 'As the system has it' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
]
const densities: Choices<'density'> = [
  { value: 'compact', name: 'Compact' },
  { value: 'comfortable', name: 'Comfortable' },
]
const switches: Choices<'singleKeys'> = [
  { value: 'on', name: 'On' },
  { value: 'off', name: 'Off' },
]

/** Kept in this browser only, and applied at once. */
export function PreferenceFields() {
  const preferences = usePreferences()
  const field = <Name extends keyof Preferences>(name: Name) => ({
    name,
    fault: undefined,
    value: preferences[name],
    onChange: (value: Preferences[Name]) => setPreferences({ [name]: value }),
  })
  return (
    <Card>
      <FieldRow>
        <SelectField label="Theme" choices={themes} {...field('theme')} />
        <SelectField label="Rows" choices={densities} {...field('density')} />
        <SelectField
          label="Single keys"
          choices={switches}
          hint="Such as j, k and x in the campaigns grid."
          {...field('singleKeys')}
        />
      </FieldRow>
    </Card>
  )
}
