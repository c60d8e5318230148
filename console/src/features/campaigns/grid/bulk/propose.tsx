import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { flightdeck } from '../../../../flightdeck.ts'
import { useBlocked } from '../../../../session.tsx'
import { Button } from '../../../../ui/button.tsx'
import { sayTrouble } from '../../../../ui/layers/toast.tsx'
import type { Mode, Outcome, Write } from './run-bulk.ts'
import { isToDo, isToPropose } from './use-bulk.ts'

type ProposeProps = { title: string; outcomes: readonly Outcome[]; mode: Mode; write: Write }

const maxOperations = 1_000

/** For others to look at first, or to be applied at a time: one change set of all. */
export function Propose({ title, outcomes, mode, write }: ProposeProps) {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const mayNot = useBlocked('proposeChangeSet')
  const operations = outcomes.filter(isToPropose).flatMap(({ operation }) => operation ?? [])
  const count =
    operations.length === 0
      ? 'None of them would change.'
      : operations.length > maxOperations
        ? 'A change set has at most 1,000 edits.'
        : null
  const propose = async () => {
    setBusy(true)
    try {
      const source = { kind: 'console' as const }
      const description = write.reason ?? null
      const body = { title, description, mode, source, operations }
      const { id } = await flightdeck.changeSets.propose(body, write)
      void navigate({ to: '/change-sets/$id', params: { id } })
    } catch (error) {
      sayTrouble(error)
      setBusy(false)
    }
  }
  return (
    <Button
      look={outcomes.some(isToDo) ? 'plain' : 'primary'}
      blocked={mayNot ?? count}
      busy={isBusy}
      onClick={propose}
    >
      Propose as a change set
    </Button>
  )
}
