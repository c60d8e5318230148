import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { preferences } from '../../../data/stored/preferences.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { CampaignStatus } from '../../../ui/values/object-status.tsx'
import { Labels } from '../../../ui/values/text.tsx'
import { Delivery } from '../page/delivery.tsx'
import { campaignQuery } from '../queries.ts'
import { Terms } from '../terms.tsx'
import styles from './peek.module.css'

type PeekProps = {
  id: string
  /** To the next or the previous row. */
  onStep: (by: 1 | -1) => void
  onClose: () => void
}

/** A look at a campaign beside the list; `j` and `k` go on to its neighbours. */
export default function Peek({ id, onStep, onClose }: PeekProps) {
  const { data, error, isPending } = useQuery(campaignQuery(id))
  usePeekKeys({ onStep, onClose })
  return (
    <Dialog
      kind="drawer"
      title={data?.name ?? 'Campaign'}
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => onStep(-1)}>Previous</Button>
          <Button onClick={() => onStep(1)}>Next</Button>
          <LinkButton look="primary" to="/campaigns/$id" params={{ id }}>
            Open
          </LinkButton>
        </>
      }
    >
      {isPending && <Skeleton rows={8} />}
      {error && <ProblemNotice error={error} />}
      {data && (
        <div className={styles.peek}>
          <div className={styles.marks}>
            <CampaignStatus status={data.status} />
            <Labels labels={data.labels} />
          </div>
          <Delivery campaign={data} />
          <Terms campaign={data} />
          {data.notes && <p className={styles.notes}>{data.notes}</p>}
        </div>
      )}
    </Dialog>
  )
}

function usePeekKeys(props: Omit<PeekProps, 'id'>): void {
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    const end = new AbortController()
    const onKey = (event: KeyboardEvent) => {
      const { onStep, onClose } = latest.current
      const next = () => onStep(1)
      const previous = () => onStep(-1)
      const isButton = event.target instanceof Element && event.target.matches('button')
      const keys: Readonly<Record<string, () => void>> = {
        ...(preferences().singleKeys === 'on' && { j: next, k: previous }),
        ...(!isButton && { ' ': onClose }),
        ArrowDown: next,
        ArrowUp: previous,
      }
      const run = keys[event.key]
      if (!run || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey, { signal: end.signal })
    return () => end.abort()
  }, [])
}
