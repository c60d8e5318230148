import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { countOf } from '../../../ui/values/scope.ts'
import { Soft } from '../../../ui/values/text.tsx'
import type { Deployment } from '../queries.ts'
import { actionWords } from '../words.ts'
import styles from './bulk.module.css'
import { firstOf, mostChosen } from './chosen.tsx'

type BulkBarProps = {
  chosen: readonly Deployment[]
  rows: readonly Deployment[]
  onSelect: (ids: ReadonlySet<string>) => void
  onAct: (action: string) => void
}

const actions = ['check', 'retry', 'overwrite', 'adopt'] as const

/** Acts on what is chosen. */
export function BulkBar({ chosen, rows, onSelect, onAct }: BulkBarProps) {
  const blocked = useBlocked('checkDeployment')
  if (rows.length === 0) return null
  const none = chosen.length === 0 ? 'Choose deployments first.' : null
  return (
    <div className={styles.bar} role="toolbar" aria-label="Chosen deployments">
      <Soft>
        {chosen.length === 0 ? 'None chosen' : `${countOf(chosen.length, 'deployment')} chosen`}
      </Soft>
      {chosen.length < Math.min(rows.length, mostChosen) && (
        <Button small look="quiet" onClick={() => onSelect(firstOf(rows, mostChosen))}>
          Choose all shown
        </Button>
      )}
      {chosen.length > 0 && (
        <Button small look="quiet" onClick={() => onSelect(new Set())}>
          Choose none
        </Button>
      )}
      {actions.map((action) => (
        <Button key={action} small blocked={blocked ?? none} onClick={() => onAct(action)}>
          {actionWords[action]?.name}
        </Button>
      ))}
    </div>
  )
}
