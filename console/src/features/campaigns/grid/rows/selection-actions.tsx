import { IconDots } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useBlocked } from '../../../../session.tsx'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Menu } from '../../../../ui/layers/menu.tsx'
import { actionWords } from '../../acting/action-words.ts'
import type { BulkKind } from '../bulk/dialog.tsx'
import { mostAtOnce } from '../bulk/most.ts'
import type { GridRow } from '../columns/column.ts'
import { actionsFor } from './actions-for.ts'

type ActionsProps = {
  ids: ReadonlySet<string>
  rows: readonly GridRow[]
  onBulk: (kind: BulkKind) => void
}

/** Actions on all chosen rows at once; each begins with a trial. */
export default function SelectionActions({ ids, rows, onBulk }: ActionsProps) {
  const byRole = useBlocked('bulkCampaigns')
  const blocked = byRole ?? (ids.size > mostAtOnce ? `Up to ${mostAtOnce} at once.` : null)
  const { shown, more } = useMemo(() => actionsFor(ids, rows), [ids, rows])
  return (
    <>
      {shown.map((action) => (
        <Button key={action} small blocked={blocked} onClick={() => onBulk(action)}>
          {actionWords[action].verb}…
        </Button>
      ))}
      <Button small blocked={blocked} onClick={() => onBulk('budget')}>
        Budget…
      </Button>
      <Button small blocked={blocked} onClick={() => onBulk('labels')}>
        Labels…
      </Button>
      <Menu
        trigger={
          <IconButton small name="More for those selected" icon={<IconDots aria-hidden />} />
        }
        items={more.map((action) => ({
          name: `${actionWords[action].verb}…`,
          blocked,
          run: () => onBulk(action),
        }))}
      />
    </>
  )
}
