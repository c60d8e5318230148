import { IconDots, IconPencil } from '@tabler/icons-react'
import { useSetSearch } from '../../data/search.ts'
import type { Operation } from '../../rights.ts'
import { useBlocked } from '../../session.tsx'
import { Button, IconButton } from '../button.tsx'
import { Menu, type MenuItem } from '../layers/menu.tsx'

type EditProps = { needs: Operation; look?: 'plain' | 'primary' }

/** Opens the form of the object on this screen, by the address. */
export function EditButton({ needs, look = 'plain' }: EditProps) {
  const setSearch = useSetSearch()
  return (
    <Button
      look={look}
      icon={<IconPencil aria-hidden />}
      blocked={useBlocked(needs)}
      onClick={() => setSearch({ open: 'edit' })}
    >
      Edit
    </Button>
  )
}

/** Acts on the object on this screen that are rare, or end it. */
export const MoreMenu = ({ items }: { items: readonly MenuItem[] }) => (
  <Menu
    trigger={<IconButton look="plain" name="More" icon={<IconDots aria-hidden />} />}
    items={items}
  />
)
