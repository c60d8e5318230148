import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type RouteComponent,
  useRouterState,
} from '@tanstack/react-router'
import { Suspense } from 'react'
import { parseSearch, type Search, stringifySearch } from './data/search.ts'
import LoginPage from './features/login/login.tsx'
import type { AgainProps } from './features/login/login-again.tsx'
import { SessionGate } from './session.tsx'
import { Connecting, ServiceAway } from './shell/failures.tsx'
import { Shell } from './shell/shell.tsx'
import { lazily, lazyPart } from './ui/lazily.tsx'
import { ScreenFailed, ScreenMissing } from './ui/objects/failed.tsx'

type Next = (search: Search) => Search

/** The client that screens are narrowed to stays, unless a link names another or none. */
const keepClient = ({ search, next }: { search: Search; next: Next }): Search => {
  const result = next(search)
  const { client_id } = search
  return client_id === undefined || 'client_id' in result ? result : { ...result, client_id }
}

const root = createRootRoute({
  validateSearch: (search): Search => search as Search,
  search: { middlewares: [keepClient] },
  component: Root,
  notFoundComponent: ScreenMissing,
})

const LoginAgain = lazyPart<AgainProps>(() => import('./features/login/login-again.tsx'))

const SetUp = lazyPart(() => import('./features/account/set-up.tsx'))

const withSession = () => (
  <SessionGate
    login={(session, onDone) =>
      session ? <LoginAgain session={session} onDone={onDone} /> : <LoginPage />
    }
    failed={(error) => <ServiceAway error={error} />}
    pending={<Connecting />}
    setUp={
      <Suspense>
        <SetUp />
      </Suspense>
    }
  >
    <Shell />
  </SessionGate>
)

/** Screens that need no session. */
const open = /\/(?:join|forgotten|reset|logged-in)$/

function Root() {
  const shown = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname ?? '' })
  return open.test(shown) ? (
    <Suspense fallback={<Connecting />}>
      <Outlet />
    </Suspense>
  ) : (
    withSession()
  )
}

type Module = { default: RouteComponent }

/** A screen: its code is loaded when it is first opened. */
const screen = <const Path extends string>(path: Path, load: () => Promise<Module>) =>
  createRoute({ getParentRoute: () => root, path, component: lazily(load, ScreenFailed) })

const screens = [
  screen('/', () => import('./features/deck/deck.tsx')),
  screen('/account', () => import('./features/account/account.tsx')),
  screen('/api-keys', () => import('./features/api-keys/list.tsx')),
  screen('/api-keys/$id', () => import('./features/api-keys/api-key.tsx')),
  screen('/approvals', () => import('./features/campaigns/review/approvals.tsx')),
  screen('/audit-log', () => import('./features/audit-log/list.tsx')),
  screen('/audit-log/verify', () => import('./features/audit-log/verify.tsx')),
  screen('/campaigns', () => import('./features/campaigns/grid/campaigns.tsx')),
  screen('/campaigns/$id', () => import('./features/campaigns/page/campaign.tsx')),
  screen('/campaigns/new', () => import('./features/campaigns/form/new.tsx')),
  screen('/change-sets', () => import('./features/change-sets/list.tsx')),
  screen('/change-sets/$id', () => import('./features/change-sets/page/change-set.tsx')),
  screen('/clients', () => import('./features/clients/list.tsx')),
  screen('/clients/$id', () => import('./features/clients/client.tsx')),
  screen('/currencies', () => import('./features/reference/currencies.tsx')),
  screen('/deliveries', () => import('./features/webhook-endpoints/deliveries.tsx')),
  screen('/device', () => import('./features/device/device.tsx')),
  screen('/deployments', () => import('./features/deployments/list.tsx')),
  screen('/errors', () => import('./features/reference/errors.tsx')),
  screen('/event-types', () => import('./features/events/types.tsx')),
  screen('/events', () => import('./features/events/list.tsx')),
  screen('/events/$id', () => import('./features/events/event.tsx')),
  screen('/forgotten', () => import('./features/login/forgotten.tsx')),
  screen('/guardrails', () => import('./features/guardrails/guardrails.tsx')),
  screen('/inbox', () => import('./features/notifications/inbox.tsx')),
  screen('/join', () => import('./features/login/join.tsx')),
  screen('/logged-in', () => import('./features/login/logged-in.tsx')),
  screen('/members', () => import('./features/members/list.tsx')),
  screen('/members/$id', () => import('./features/members/member.tsx')),
  screen('/members/invitations', () => import('./features/invitations/list.tsx')),
  screen('/organization', () => import('./features/organization/organization.tsx')),
  screen(
    '/organization/notification-channels',
    () => import('./features/notification-channels/list.tsx'),
  ),
  screen(
    '/organization/notification-channels/$id',
    () => import('./features/notification-channels/channel.tsx'),
  ),
  screen(
    '/organization/single-sign-on',
    () => import('./features/organization/sso/single-sign-on.tsx'),
  ),
  screen('/pacing', () => import('./features/pacing/list.tsx')),
  screen('/pacing/clients', () => import('./features/clients/pacing-list.tsx')),
  screen('/profiles', () => import('./features/profiles/list.tsx')),
  screen('/profiles/$id', () => import('./features/profiles/profile.tsx')),
  screen('/proxies', () => import('./features/proxies/list.tsx')),
  screen('/proxies/$id', () => import('./features/proxies/proxy.tsx')),
  screen('/reports', () => import('./features/reports/list.tsx')),
  screen('/reports/$id', () => import('./features/reports/report.tsx')),
  screen('/reset', () => import('./features/login/reset.tsx')),
  screen('/results', () => import('./features/results/list.tsx')),
  screen('/results/import', () => import('./features/results/import/screen.tsx')),
  screen('/sandbox', () => import('./features/sandbox/sandbox.tsx')),
  screen('/templates', () => import('./features/templates/list.tsx')),
  screen('/templates/$id', () => import('./features/templates/template.tsx')),
  screen('/webhook-endpoints', () => import('./features/webhook-endpoints/list.tsx')),
  screen('/webhook-endpoints/$id', () => import('./features/webhook-endpoints/endpoint.tsx')),
  screen(
    '/webhook-endpoints/$id/deliveries/$deliveryId',
    () => import('./features/webhook-endpoints/delivery.tsx'),
  ),
]

export const router = createRouter({
  routeTree: root.addChildren(screens),
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadDelay: 40,
  defaultPendingMs: 150,
  defaultErrorComponent: ({ error, reset }) => <ScreenFailed error={error} retry={reset} />,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
