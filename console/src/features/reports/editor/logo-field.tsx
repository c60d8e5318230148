import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import type { FieldState } from '../../../ui/fields/form.ts'
import fieldStyles from '../../../ui/fields.module.css'

type LogoFieldProps = FieldState<string | null | undefined> & { hasLogo: boolean }

const maxBytes = 200_000

/** A picture from this machine, sent with the report. */
export function LogoField({ value, onChange, fault, hasLogo }: LogoFieldProps) {
  const [doubt, setDoubt] = useState<string>()
  const take = async (file: File | undefined) => {
    if (!file) return
    const isLarge = file.size > maxBytes
    setDoubt(isLarge ? 'The file has more than 200 kB.' : undefined)
    if (!isLarge) onChange(base64Of(new Uint8Array(await file.arrayBuffer())))
  }
  const has = value === undefined ? hasLogo : value !== null
  return (
    <>
      <Field
        label="Logo"
        optional
        hint="PNG or JPEG of at most 200 kB, at the top of its page."
        fault={doubt ?? fault}
      >
        {(parts) => (
          <input
            {...parts}
            type="file"
            accept="image/png,image/jpeg"
            className={fieldStyles.input}
            onChange={({ target }) => void take(target.files?.[0])}
          />
        )}
      </Field>
      {has && (
        <div>
          <Button small onClick={() => onChange(null)}>
            Remove the logo
          </Button>
        </div>
      )}
    </>
  )
}

const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
