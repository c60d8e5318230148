import { IconBookmark } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { parseSearch, useScreenState } from '../../../../data/search.ts'
import { useSession } from '../../../../session.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Menu, type MenuItem } from '../../../../ui/layers/menu.tsx'
import { say } from '../../../../ui/layers/toast.tsx'
import { lazyDialog } from '../../../../ui/lazily.tsx'
import { type SavedView, useSavedViews, viewOf } from './saved-views.ts'

const SaveView = lazyDialog(() => import('./save-view.tsx'))

/** Views that were saved: each is an address, which one may also send to others. */
export function Views() {
  const { organization } = useSession()
  const [search] = useScreenState()
  const navigate = useNavigate()
  const { views, save, remove } = useSavedViews(organization.id)
  const [isSaving, setSaving] = useState(false)
  const address = viewOf(search)
  const present = views.find((view) => view.search === address)
  const open = ({ search: text }: SavedView) =>
    void navigate({ to: '/campaigns', search: parseSearch(text) })
  const forget = (view: SavedView) => {
    remove(view.name)
    say(`The view ${view.name} is removed`, { action: { name: 'Undo', run: () => save(view) } })
  }
  const items: MenuItem[] = [
    ...views.map((view) => ({
      name: view.name,
      checked: view === present,
      run: () => open(view),
    })),
    ...(views.length > 0 ? (['line'] as const) : []),
    { name: 'All campaigns', run: () => void navigate({ to: '/campaigns', search: {} }) },
    { name: 'Save this view…', run: () => setSaving(true) },
    ...(present ? [{ name: `Remove ${present.name}`, run: () => forget(present) }] : []),
  ]
  return (
    <>
      <Menu
        trigger={
          <Button icon={<IconBookmark aria-hidden />}>{present ? present.name : 'Views'}</Button>
        }
        items={items}
      />
      <Suspense>
        {isSaving && (
          <SaveView
            known={views.map(({ name }) => name)}
            onClose={() => setSaving(false)}
            onSave={(name) => {
              save({ name, search: address })
              setSaving(false)
              say(`The view ${name} is saved in this browser`)
            }}
          />
        )}
      </Suspense>
    </>
  )
}
