import { IconBookmark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useScreenState } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu, type MenuItem } from '../../ui/layers/menu.tsx'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { lazyDialog } from '../../ui/lazily.tsx'
import { copyText } from '../../ui/values/text.tsx'
import { useGoTo, useNamedView } from './opening.ts'
import { viewsQuery } from './queries.ts'
import { isSame, searchOf, type View, type Viewed, viewOf } from './state.ts'

const SaveView = lazyDialog(() => import('./save-view.tsx'))

type ViewsProps = {
  resource: Viewed
  /** The list without a view: `All campaigns`. */
  whole: string
}

/** Saved views of a list. A view opens as an address, which one may change and save again. */
export default function Views({ resource, whole }: ViewsProps) {
  const [search] = useScreenState()
  const [opened, setOpened] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const { data: views = [] } = useQuery(viewsQuery(resource))
  const goTo = useGoTo()
  const open = (view: View) => {
    setOpened(view.id)
    goTo(searchOf(view))
  }
  useNamedView(resource, ({ id }) => setOpened(id))
  const state = viewOf(search)
  const same = views.filter((view) => isSame(view, state))
  const present = same.find(({ id }) => id === opened) ?? same[0]
  const left = present ? undefined : views.find(({ id }) => id === opened)
  const items: MenuItem[] = [
    ...choicesOf(views, { present, open }),
    { name: whole, run: () => goTo({}) },
    'line',
    { name: 'Save this view…', run: () => setSaving(true) },
    ...useActions({ present, left, state }),
  ]
  return (
    <>
      <Menu
        trigger={
          <Button icon={<IconBookmark aria-hidden />}>
            {present ? shortened(present.name) : 'Views'}
          </Button>
        }
        items={items}
      />
      <Suspense fallback={null}>
        {isSaving && (
          <SaveView
            resource={resource}
            state={state}
            onClose={() => setSaving(false)}
            onDone={(view) => {
              setSaving(false)
              setOpened(view.id)
              say(view.shared ? `${view.name} is saved for all` : `${view.name} is saved for you`)
            }}
          />
        )}
      </Suspense>
    </>
  )
}

const longest = 32

/** A name that leaves room for the other buttons. */
const shortened = (name: string): string =>
  name.length > longest ? `${name.slice(0, longest - 1)}…` : name

type Choosing = { present: View | undefined; open: (view: View) => void }

/** One's own first, then those of the organization. */
function choicesOf(views: readonly View[], { present, open }: Choosing): MenuItem[] {
  const choice = (view: View): MenuItem => ({
    id: view.id,
    name: view.name,
    checked: view === present,
    run: () => open(view),
  })
  const groups = [views.filter(({ shared }) => !shared), views.filter(({ shared }) => shared)]
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group): MenuItem[] => [...group.map(choice), 'line'])
}

type Acting = {
  present: View | undefined
  /** Opened, and changed since. */
  left: View | undefined
  state: Pick<View, 'query' | 'columns'>
}

/** Actions on the view that is open. */
function useActions({ present, left, state }: Acting): MenuItem[] {
  const { user } = useSession()
  const isMine = (view: View) => view.created_by === user.id
  const mayChange = (view: View) => isMine(view) || /^(?:owner|admin)$/.test(user.role)
  const save: MenuItem[] =
    left && mayChange(left)
      ? [{ name: `Save changes to ${left.name}`, run: () => void change(left, state) }]
      : []
  if (!present) return save
  const { name, shared } = present
  const link: MenuItem[] = shared
    ? [{ name: 'Copy its link', run: () => void copyText(linkTo(present)) }]
    : []
  if (!mayChange(present)) return link
  const sharing: MenuItem[] = isMine(present)
    ? [
        {
          name: shared ? `Keep ${name} to yourself` : `Share ${name}`,
          run: () => void change(present, { shared: !shared }),
        },
      ]
    : []
  const remove = { name: `Delete ${name}`, run: () => void forget(present) }
  return [...link, ...sharing, remove]
}

const linkTo = ({ id }: View): string => `${location.origin}${location.pathname}?view=${id}`

type Changes = Partial<Pick<View, 'query' | 'columns' | 'shared'>>

async function change(view: View, changes: Changes): Promise<void> {
  try {
    const { name, shared } = await flightdeck.views.update(view.id, changes, {
      ifMatch: view.version,
    })
    if (changes.shared === undefined) say(`${name} is saved`)
    else say(shared ? `${name} is shared with the organization` : `Only you see ${name} now`)
  } catch (error) {
    sayTrouble(error)
  }
}

/** Deletes it. Undone, it is another one of the same content. */
async function forget({ id, version, ...view }: View): Promise<void> {
  const { resource, name, query, columns, shared } = view
  const again = () => flightdeck.views.create({ resource, name, query, columns, shared })
  try {
    await flightdeck.views.delete(id, { ifMatch: version })
    say(`The view ${name} is deleted`, {
      action: { name: 'Undo', run: () => void again().then(() => {}, sayTrouble) },
    })
  } catch (error) {
    sayTrouble(error)
  }
}
