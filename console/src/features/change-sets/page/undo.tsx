import type { Body } from '@flightdeckhq/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { flightdeck } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { say, sayTrouble } from '../../../ui/layers/toast.tsx'
import type { ChangeSet, ChangeSetOperation } from '../queries.ts'

type Proposed = Body<'proposeChangeSet'>['operations'][number]

const maxOperations = 1_000

/** Proposes the way back; nothing is changed until that is applied. */
export function Undo({ changeSet }: { changeSet: ChangeSet }) {
  const navigate = useNavigate()
  const blocked = useBlocked('proposeChangeSet')
  const [isBusy, setBusy] = useState(false)
  const propose = async () => {
    setBusy(true)
    try {
      const found = flightdeck.changeSets.listOperations(changeSet.id, { limit: 100 })
      const done = await found.toArray({ limit: maxOperations })
      const operations = done.toReversed().flatMap(wayBack)
      if (operations.length === 0) {
        say('There is no way back', { detail: 'Deletions cannot be undone.' })
        return
      }
      const title = `Undo ${changeSet.title}`.slice(0, 255)
      const source = { kind: 'console' as const, reference: changeSet.id }
      const proposed = await flightdeck.changeSets.propose({ title, source, operations })
      say('The undo is proposed', { detail: 'Nothing has changed yet: look at it, then apply it.' })
      void navigate({ to: '/change-sets/$id', params: { id: proposed.id } })
    } catch (error) {
      sayTrouble(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button blocked={blocked} busy={isBusy} onClick={propose}>
      Undo…
    </Button>
  )
}

const kinds = ['campaign', 'profile', 'proxy', 'template'] as const

const opposite: Readonly<
  Record<string, 'pause' | 'resume' | 'unarchive' | 'archive' | 'unschedule'>
> = {
  launch: 'pause',
  resume: 'pause',
  pause: 'resume',
  archive: 'unarchive',
  unarchive: 'archive',
}

/** The operation that takes an edit back; none for an edit without a way back. */
function wayBack({ id, op, action, effect, changes, ...rest }: ChangeSetOperation): Proposed[] {
  const resource = kinds.find((kind) => kind === rest.resource)
  if (id === null || !resource || effect === 'unchanged' || effect === 'failed') return []
  if (op === 'create') return [{ op: 'delete', resource, id }]
  if (op === 'update') return [{ op: 'update', resource, id, body: before(changes) }]
  const scheduled = changes.some(({ field, after }) => field === 'status' && after === 'scheduled')
  const back = scheduled ? 'unschedule' : opposite[action ?? '']
  return back ? [{ op: 'action', id, action: back }] : []
}

/** Amounts come in minor units beside the amount that a request takes. */
const before = (changes: ChangeSetOperation['changes']) =>
  Object.fromEntries(
    changes
      .filter(({ field }) => !field.endsWith('_minor'))
      .map(({ field, before }) => [field, before]),
  )
