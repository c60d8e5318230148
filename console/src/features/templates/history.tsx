import { flightdeck, type Template } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { History } from '../../ui/objects/history.tsx'
import { plainText } from '../../ui/values/values.ts'
import { fieldNames } from '../campaigns/form/values.ts'

export default function TemplateHistory({ template }: { template: Template }) {
  return (
    <History
      kind="templates"
      object={template}
      resource={flightdeck.templates}
      blocked={useBlocked('revertTemplate')}
      reading={{
        names: { locked_fields: 'Locked' },
        show: (field, value) => {
          if (field === 'locked_fields' && Array.isArray(value)) return lockedText(value)
          if (field === 'defaults') return defaultsText(value)
          return undefined
        },
      }}
    />
  )
}

const named = (field: string): string => new Map(Object.entries(fieldNames)).get(field) ?? field

const lockedText = (fields: readonly unknown[]) =>
  plainText(fields.map((field) => named(`${field}`)))

const defaultsText = (defaults: unknown) =>
  Object.entries({ ...Object(defaults) })
    .map(([field, value]) => `${named(field)}: ${plainText(value)}`)
    .join('; ') || '–'
