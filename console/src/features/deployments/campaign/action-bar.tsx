import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSetSearch } from '../../../data/search.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { say, sayTrouble } from '../../../ui/layers/toast.tsx'
import { MoreMenu } from '../../../ui/objects/object-actions.tsx'
import { act, proposeAdoption } from '../act.ts'
import { type Deployment, rereadDeployments } from '../queries.ts'
import { actionWords, blockedBy } from '../words.ts'
import styles from './section.module.css'

type BarProps = { deployment: Deployment }

/** Actions that no mistake can harm: they are taken without asking. */
const atOnce = ['check', 'retry']

/** Actions that may be asked for now, and the rarer ones in a menu. */
export function ActionBar({ deployment }: BarProps) {
  const setSearch = useSetSearch()
  const mayChange = useBlocked('putDeployment')
  const mayDetach = useBlocked('detachDeployment')
  const { available_actions, state, error } = deployment
  const shown = available_actions.filter(({ action }) => action !== 'remove')
  const remove = available_actions.find(({ action }) => action === 'remove')
  const isEnding = state === 'removing' || state === 'removed'
  return (
    <div className={styles.actions}>
      {shown.map((each) =>
        atOnce.includes(each.action) && error?.code !== 'gone' ? (
          <AtOnce key={each.action} {...each} deployment={deployment} />
        ) : (
          <Button
            key={each.action}
            blocked={blockedBy(each)}
            onClick={() => setSearch({ open: each.action })}
          >
            {actionWords[each.action]?.name ?? each.action}
          </Button>
        ),
      )}
      {shown.some(({ action }) => action === 'adopt') && <Propose deployment={deployment} />}
      <MoreMenu
        items={[
          {
            name: 'How it is deployed…',
            blocked: mayChange ?? (isEnding ? 'It is being ended: detach it.' : null),
            run: () => setSearch({ open: 'terms' }),
          },
          'line',
          {
            name: 'Detach…',
            blocked: mayDetach,
            run: () => setSearch({ open: 'detach' }),
          },
          {
            name: 'Remove…',
            danger: true,
            blocked: remove ? blockedBy(remove) : `Not possible while it is ${state}.`,
            run: () => setSearch({ open: 'remove' }),
          },
        ]}
      />
    </div>
  )
}

type AtOnceProps = BarProps & Deployment['available_actions'][number]

function AtOnce({ deployment, ...available }: AtOnceProps) {
  const [isBusy, setBusy] = useState(false)
  const { action } = available
  const words = actionWords[action]
  const press = async () => {
    setBusy(true)
    try {
      await act(action, deployment)
      say(words?.asked ?? action)
      await rereadDeployments()
    } catch (error) {
      sayTrouble(error)
    }
    setBusy(false)
  }
  return (
    <Button blocked={blockedBy(available)} busy={isBusy} onClick={() => void press()}>
      {words?.name ?? action}
    </Button>
  )
}

/** The same as adopting, for review. */
function Propose({ deployment }: BarProps) {
  const blocked = useBlocked('proposeChangeSet')
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    try {
      const id = await proposeAdoption(deployment)
      say('Proposed as a change set', { detail: 'Nothing has changed yet.' })
      await navigate({ to: '/change-sets/$id', params: { id } })
    } catch (error) {
      sayTrouble(error)
      setBusy(false)
    }
  }
  const unseen = deployment.observed ? null : 'Nothing was seen in the network yet.'
  return (
    <Button blocked={blocked ?? unseen} busy={isBusy} onClick={() => void press()}>
      Propose
    </Button>
  )
}
