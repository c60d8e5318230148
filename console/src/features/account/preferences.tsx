import { type Preferences, setPreferences, usePreferences } from '../../shell/preferences.ts'
import { FieldRow, SelectField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'

const themes = [
  { value: 'system', name: 'As the system has it' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
]
const densities = [
  { value: 'compact', name: 'Compact' },
  { value: 'comfortable', name: 'Comfortable' },
]
const switches = [
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
    onChange: (value: string | null) =>
      setPreferences({ [name]: value } as Pick<Preferences, Name>),
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
