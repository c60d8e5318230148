import { type Body, isProblem } from '@flightdeckhq/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { flightdeck } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { say, sayTrouble } from '../../../ui/layers/toast.tsx'

/** A change that was refused directly, as the operations of a change set. */
export type Instead = {
  title: string
  /** The reason that was typed for the direct change. */
  description?: string | null
  operations: Body<'proposeChangeSet'>['operations']
}

/** The guardrails want it by change set only. */
const needsChangeSet = (error: unknown): boolean => isProblem(error, 'change_set_required')

/** Proposes a change, and leads to what it would do. */
export function useProposal(): (instead: Instead) => Promise<boolean> {
  const navigate = useNavigate()
  return async ({ title, description = null, operations }) => {
    try {
      const source = { kind: 'console' as const }
      const body = { title: title.slice(0, 255), description, source, operations }
      const { id } = await flightdeck.changeSets.propose(body)
      say('Proposed as a change set', { detail: 'Nothing has changed yet.' })
      void navigate({ to: '/change-sets/$id', params: { id } })
      return true
    } catch (error) {
      sayTrouble(error)
      return false
    }
  }
}

type ProposeInsteadProps = {
  /** The refusal of the direct change; nothing is offered if anything else is wrong with it. */
  error: unknown
  instead: () => Instead
  onDone: () => void
}

/** The way on where a direct change is refused because it needs a change set. */
export function ProposeInstead({ error, instead, onDone }: ProposeInsteadProps) {
  const propose = useProposal()
  const blocked = useBlocked('proposeChangeSet')
  const [isBusy, setBusy] = useState(false)
  if (!needsChangeSet(error)) return null
  const press = async () => {
    setBusy(true)
    if (await propose(instead())) onDone()
    else setBusy(false)
  }
  return (
    <div>
      <Button small look="primary" blocked={blocked} busy={isBusy} onClick={press}>
        Propose as a change set
      </Button>
    </div>
  )
}
