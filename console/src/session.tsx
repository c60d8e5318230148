import { FlightdeckError } from '@flightdeckhq/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, Suspense, useContext, useEffect, useState } from 'react'
import { cache } from './data/cache.ts'
import { forgetDrafts } from './data/drafts.ts'
import { flightdeck, onRefusal, type Schema, sessionClient, watchAnswers } from './flightdeck.ts'
import { type Operation, rolesOf } from './rights.ts'

export type Session = {
  id: string | null
  user: Schema<'UserSummary'>
  organization: Schema<'OrganizationSummary'>
  single_sign_on: boolean
  /** The organization requires a second factor, and this person has none. */
  must_set_up_factor: boolean
}

export type Login = { email: string; password: string }

/** The service says in the page whether the browser has sent a session. */
let mayHaveSession = !document.querySelector('meta[name=flightdeck-session][content=none]')

const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Session | null> => {
    if (!mayHaveSession) {
      // Only of the page as it came: from then on there may be a login.
      mayHaveSession = true
      return null
    }
    try {
      const { user, session_id: id, ...others } = await flightdeck.auth.me()
      return user && { id, user, ...others }
    } catch (error) {
      if (error instanceof FlightdeckError && error.status === 401) return null
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Asked before anything is drawn: the answer comes while the screen's code loads. */
export const askWhoIsLoggedIn = () => cache.prefetchQuery(meQuery)

const lastUserKey = 'flightdeck user'

/** Opens a session: the browser keeps its token where no script can read it. */
export async function logIn(login: Login): Promise<void> {
  await sessionClient.request('POST', '/console/session', { body: login })
  await begin()
}

/** Reads who is logged in now. */
export async function begin(): Promise<void> {
  const session = await flightdeck.auth.me()
  const id = session.user?.id ?? ''
  // Another person must not find what was read or typed before.
  if (localStorage.getItem(lastUserKey) !== id) forgetDrafts()
  localStorage.setItem(lastUserKey, id)
  const before = cache.getQueryData<Session | null>(meQuery.queryKey)
  if (before && before.user.id !== id) cache.clear()
  await cache.fetchQuery({ ...meQuery, staleTime: 0 })
}

export async function logOut(): Promise<void> {
  await sessionClient.request('DELETE', '/console/session')
  cache.clear()
  location.assign('/console')
}

const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Only screens behind the login may ask for the session')
  return session
}

/** Whether the role of who is logged in may do it; the API's document says so. */
export function useMay(operation: Operation): boolean {
  return rolesOf(operation).includes(useSession().user.role)
}

/** The reason why the operation is not allowed, for the control; null if it is. */
export function useBlocked(operation: Operation): string | null {
  const { role } = useSession().user
  const roles = rolesOf(operation)
  return roles.includes(role) ? null : `Your role is ${role}; this needs ${listed(roles)}.`
}

const listed = (names: readonly string[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(names)

/** A wrong password is refused the same way, and ends nothing. */
async function endIfRefused(response: Response): Promise<void> {
  const { code } = await response.json().catch(() => ({}))
  if (code !== 'invalid_credentials') cache.setQueryData(meQuery.queryKey, null)
}

type GateProps = {
  /**
   * `ended` is the session that has just ended: its screen stays, with all that was typed. With `onDone`
   * it is too old for a request, which waits for whether there is a new one.
   */
  login: (ended: Session | null, onDone?: (isDone: boolean) => void) => ReactNode
  failed: (error: unknown) => ReactNode
  /** Until the service has answered. */
  pending: ReactNode
  /** For who has to set a second factor up first. */
  setUp: ReactNode
  children: ReactNode
}

/** Screens for those who are logged in, else the login. */
export function SessionGate({ login, failed, pending, setUp, children }: GateProps) {
  const { data, error, isPending } = useQuery(meQuery)
  const [known, setKnown] = useState<Session | null>(null)
  const [asking, setAsking] = useState<((isDone: boolean) => void) | null>(null)
  useEffect(() => {
    if (data) setKnown(data)
  }, [data])
  useEffect(() => {
    onRefusal(
      async ({ code }) =>
        code === 'recent_login_required' && new Promise((done) => setAsking(() => done)),
    )
    return watchAnswers((response) => {
      const isMe = /\/(?:auth\/me|console\/session)$/.test(response.url)
      if (response.status === 401 && !isMe) void endIfRefused(response.clone())
    })
  }, [])
  if (isPending) return pending
  if (error && !known) return failed(error)
  const session = data ?? known
  if (!session) return login(null)
  return (
    <SessionContext value={session}>
      {session.must_set_up_factor ? setUp : children}
      <Suspense>
        {asking &&
          login(session, (isDone) => {
            setAsking(null)
            asking(isDone)
          })}
        {!data && login(session)}
      </Suspense>
    </SessionContext>
  )
}
