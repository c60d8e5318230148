import { IconDots } from '@tabler/icons-react'
import { useBlocked } from '../../../../session.tsx'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Menu } from '../../../../ui/layers/menu.tsx'
import { actionWords } from '../../acting/action-words.ts'
import type { BulkKind } from '../bulk/dialog.tsx'
import { mostAtOnce } from '../bulk/most.ts'

const shown = ['pause', 'resume'] as const
const more = ['launch', 'complete', 'archive', 'unarchive'] as const

type ActionsProps = { count: number; onBulk: (kind: BulkKind) => void }

/** Actions on all chosen rows at once; each begins with a trial. */
export default function SelectionActions({ count, onBulk }: ActionsProps) {
  const byRole = useBlocked('bulkCampaigns')
  const blocked = byRole ?? (count > mostAtOnce ? `Up to ${mostAtOnce} at once.` : null)
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
