import { isProblem } from '@flightdeckhq/sdk'
import type { ReactNode } from 'react'
import { TextField } from '../fields/fields.tsx'
import { ProblemNotice } from '../notice.tsx'

type TextState = { value: string | null; onChange: (value: string | null) => void }

/** Offered with every change; the audit log keeps it. */
export const ReasonField = ({ value, onChange }: TextState) => (
  <TextField
    label="Reason"
    optional
    hint="Kept in the audit log."
    name="reason"
    fault={undefined}
    value={value}
    onChange={onChange}
  />
)

type RefusalProps = TextState & {
  error: unknown
  about?: string | undefined
  children?: ReactNode
}

/** The refusal of a write. If a guardrail refused it, a reason may let it through. */
export const Refusal = ({ error, about, children, ...override }: RefusalProps) => (
  <ProblemNotice error={error} about={about}>
    {isProblem(error, 'guardrail_violation') && <OverrideField {...override} />}
    {children}
  </ProblemNotice>
)

export const OverrideField = ({ value, onChange }: TextState) => (
  <TextField
    label="Why it may be exceeded"
    optional
    hint="Try again with a reason if your role may override this guardrail."
    name="override_reason"
    fault={undefined}
    value={value}
    onChange={onChange}
  />
)
