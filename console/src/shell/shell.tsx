import { IconCommand, IconMenu2, IconPlugConnectedX } from '@tabler/icons-react'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useIsSandbox, useOrganizationClock } from '../data/organization.ts'
import { useSetSearch } from '../data/search.ts'
import { setPreferences, usePreferences } from '../data/stored/preferences.ts'
import { words } from '../data/words.ts'
import { useTray } from '../features/change-sets/tray.ts'
import { useConnection, useLive } from '../live.ts'
import { logOut, useMay, useSession } from '../session.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/layers/menu.tsx'
import { sayTrouble, Toasts } from '../ui/layers/toast.tsx'
import { lazily, lazyDialog, lazyPart } from '../ui/lazily.tsx'
import { Logo } from '../ui/logo.tsx'
import { printScreen } from '../ui/printing/printing.ts'
import { useShortcuts } from '../ui/shortcuts.ts'
import { Status } from '../ui/values/status.tsx'
import { useKeptClient } from './client/kept-client.ts'
import { keepFocus } from './focus.ts'
import { help, inbox } from './navigation.ts'
import styles from './shell.module.css'
import { useScreens } from './use-screens.ts'

const Palette = lazyDialog(() => import('./palette.tsx'))
/** The frame does without them. */
const unsaid = () => null
const PrintHead = lazily(() => import('./print-head.tsx'), unsaid)
const Bell = lazily(() => import('./bell.tsx'), unsaid)
const TooltipLayer = lazily(() => import('../ui/layers/tooltip-layer.tsx'), unsaid)
const ClientBar = lazyPart(() => import('./client/bar.tsx'))
const ClientSwitch = lazyPart(() => import('./client/switch.tsx'))
const TrayBar = lazyPart(() => import('../features/change-sets/tray/tray-bar.tsx'))
const Keys = lazyDialog(() => import('./keys.tsx'))

/** The frame of all screens. */
export function Shell() {
  useLive()
  const hasEdits = useTray().edits.length > 0
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  const navigate = useNavigate()
  const screens = useScreens().flatMap((group) => group.screens)
  const only = useKeptClient()
  const setSearch = useSetSearch()
  useShortcuts({
    [inbox.keys]: () => void navigate({ to: inbox.to }),
    'g n': () => setSearch({ client_id: undefined }),
    'mod+k': () => setOpen('palette'),
    'mod+p': () => void printScreen(),
    '?': () => setOpen('keys'),
    '/': () => document.querySelector<HTMLElement>('[data-search-box]')?.focus(),
    ...Object.fromEntries(screens.map(({ keys, to }) => [keys, () => void navigate({ to })])),
  })
  useFocusOnNewScreen()
  useOrganizationClock()
  useEffect(keepFocus, [])
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <Side onPalette={() => setOpen('palette')} onKeys={() => setOpen('keys')} />
      <div className={styles.body}>
        <main id="content" className={styles.content} tabIndex={-1}>
          <ConnectionLost />
          <Suspense>
            <PrintHead />
            {only.client_id && <ClientBar id={only.client_id} />}
          </Suspense>
          <Suspense>
            <Outlet />
          </Suspense>
          <Suspense>
            <TooltipLayer />
          </Suspense>
        </main>
        <Suspense>{hasEdits && <TrayBar />}</Suspense>
      </div>
      <Suspense>
        {open === 'palette' && <Palette onClose={() => setOpen(null)} />}
        {open === 'keys' && <Keys onClose={() => setOpen(null)} />}
      </Suspense>
      <Toasts />
    </div>
  )
}

type SideProps = { onPalette: () => void; onKeys: () => void }

function Side({ onPalette, onKeys }: SideProps) {
  const { organization } = useSession()
  const [isOpen, setOpen] = useState(false)
  const mayClients = useMay('listClients')
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen closes it.
  useEffect(() => setOpen(false), [path])
  return (
    <header className={styles.side} data-open={isOpen || undefined}>
      <div className={styles.brand}>
        <Link to="/" className={styles.home}>
          <Logo size={24} />
          <span className={styles.organization}>{organization.name}</span>
        </Link>
        <Suspense fallback={<span className={styles.bell} />}>
          <Bell />
        </Suspense>
        <SandboxBadge />
        <span className={styles.toggle}>
          <IconButton
            name={isOpen ? 'Close the menu' : 'Open the menu'}
            aria-expanded={isOpen}
            icon={<IconMenu2 aria-hidden />}
            onClick={() => setOpen(!isOpen)}
          />
        </span>
      </div>
      <div className={styles.drawer}>
        <Button
          className={styles.palette ?? ''}
          icon={<IconCommand aria-hidden />}
          onClick={onPalette}
        >
          <span className={styles.paletteName}>Find or do…</span>
          <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
        </Button>
        {mayClients && (
          <Suspense fallback={<div className={styles.palette} />}>
            <ClientSwitch />
          </Suspense>
        )}
        <Screens path={path} />
        <Account onKeys={onKeys} />
      </div>
    </header>
  )
}

const Screens = ({ path }: { path: string }) => (
  <nav aria-label="Screens" className={styles.nav}>
    {useScreens().map(({ title, screens }) => (
      <div key={title} className={styles.group}>
        <h2 className={styles.groupTitle}>{title}</h2>
        {screens.map(({ to, also, name, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            className={styles.link}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
            {...(also && path.endsWith(also) && { 'aria-current': 'page' })}
          >
            <Icon aria-hidden />
            {name}
          </Link>
        ))}
      </div>
    ))}
  </nav>
)

/** So that no one takes a sandbox for the real thing. */
const SandboxBadge = () =>
  useIsSandbox() ? (
    <Link to="/sandbox" className={styles.badge}>
      <Status tone="info">Sandbox</Status>
    </Link>
  ) : null

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

const themes = { system: 'As the system has it', light: 'Light', dark: 'Dark' } as const

function Account({ onKeys }: { onKeys: () => void }) {
  const { user } = useSession()
  const navigate = useNavigate()
  const { theme, density } = usePreferences()
  const items = [
    { name: 'Account and sessions', run: () => void navigate({ to: '/account' }) },
    { name: 'Keyboard', keys: '?', run: onKeys },
    'line' as const,
    ...(['system', 'light', 'dark'] as const).map((each) => ({
      name: themes[each],
      checked: theme === each,
      run: () => setPreferences({ theme: each }),
    })),
    {
      name: density === 'compact' ? 'More space' : 'Less space',
      run: () => setPreferences({ density: density === 'compact' ? 'comfortable' : 'compact' }),
    },
    'line' as const,
    { name: 'API reference', run: () => void window.open('/docs', '_blank', 'noopener') },
    ...help.map(({ to, name }) => ({ name, run: () => void navigate({ to }) })),
    { name: 'Log out', run: () => void logOut().catch(sayTrouble) },
  ]
  return (
    <Menu
      trigger={
        <button type="button" className={styles.account}>
          <span className={styles.user}>{user.name}</span>
          <span className={styles.role}>{words(user.role)}</span>
        </button>
      }
      items={items}
    />
  )
}

function ConnectionLost() {
  const connection = useConnection()
  return (
    <div role="status" className={styles.connection}>
      {connection === 'lost' && (
        <span className={styles.lost}>
          <IconPlugConnectedX aria-hidden size={16} />
          <Status tone="warn">Not connected</Status>
          What you see may be out of date. Trying again…
        </span>
      )}
    </div>
  )
}

/** Screen readers hear the new screen's title; the keyboard goes on from there. */
function useFocusOnNewScreen(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    requestAnimationFrame(() => {
      if (document.activeElement && document.activeElement !== document.body) {
        if (document.querySelector('main')?.contains(document.activeElement)) return
      }
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    })
  }, [path])
}
