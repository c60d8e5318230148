import { singleFlight } from '../../concurrency/single-flight.ts'
import type { Context, Services } from '../../kernel/context.ts'
import { conflict, retryLater } from '../../problems/problem.ts'
import { type Feed, type Follower, feedOf } from './feed.ts'

type StreamSlot = { feed: Feed; leave: () => void }

/**
 * All open streams of the process, served by one timer and one query per second. Commits wake
 * streams at once; events missed by signals show in the organizations' heads.
 */
export type Hub = {
  /** Reserves a slot for a stream; throws if none is free. */
  join(organizationId: string, follower: Follower): StreamSlot
}

const hubs = new WeakMap<Services, Hub>()

export function hubOf({ services, wholeReader }: Pick<Context, 'services' | 'wholeReader'>): Hub {
  // The streams of all organizations share it.
  const hub = hubs.get(services) ?? openHub({ services, reader: wholeReader })
  hubs.set(services, hub)
  return hub
}

/** A tenth of the streams at a time, to spread the work. */
const sweepsPerSecond = 10

type HubContext = Pick<Context, 'services' | 'reader'>

function openHub(parts: HubContext): Hub {
  const {
    config,
    observability: { counters: meters, readiness },
  } = parts.services
  const feeds = new Map<string, Feed>()
  const turns = Array.from({ length: sweepsPerSecond }, () => new Set<Follower>())
  let joined = 0
  let open = 0
  let stop = () => {}

  function leave(organizationId: string, feed: Feed, follower: Follower): void {
    if (!feed.followers.delete(follower)) return
    for (const turn of turns) turn.delete(follower)
    if (feed.followers.size === 0) feeds.delete(organizationId)
    open -= 1
    meters.eventStreams -= 1
    if (open === 0) stop()
  }

  readiness.stopping.addEventListener('abort', () => {
    for (const turn of turns) for (const follower of turn) follower.end('shutting_down')
  })

  return {
    join(organizationId, follower) {
      if (readiness.draining) throw retryLater('shutting_down')
      if (open >= config.eventStreams.process) throw retryLater('overloaded')
      const feed = feeds.get(organizationId) ?? feedOf(parts, organizationId)
      checkStreamLimit(feed, config.eventStreams.organization)
      feeds.set(organizationId, feed)
      feed.followers.add(follower)
      turns[joined % sweepsPerSecond]?.add(follower)
      joined += 1
      open += 1
      meters.eventStreams += 1
      if (open === 1) stop = start(parts, { feeds, turns })
      return { feed, leave: () => leave(organizationId, feed, follower) }
    },
  }
}

function checkStreamLimit({ followers }: Feed, limit: number): void {
  if (followers.size < limit) return
  throw conflict('limit_exceeded', `The organization already has ${limit} open event streams.`, {
    resource: 'event_streams',
    limit,
  })
}

type Streams = { feeds: ReadonlyMap<string, Feed>; turns: readonly ReadonlySet<Follower>[] }

/** Runs while there are streams; returns a function that stops it. */
function start({ services, reader }: HubContext, { feeds, turns }: Streams): () => void {
  const unlisten = services.signals.subscribe(
    ({ organizationId }) => feeds.get(organizationId)?.wake(),
    () => void lookForNews(),
  )
  let turn = 0

  /** A failure is ignored: the next second tries again. */
  const lookForNews = singleFlight(async (): Promise<void> => {
    const parameters = [[...feeds.keys()]]
    const heads = await reader.query<EventHead>({ sql: headsSql, parameters }).catch(() => [])
    for (const head of heads) feeds.get(head.organization_id)?.seeNewest(head.event_sequence)
  })

  const timer = setInterval(() => {
    turn = (turn + 1) % sweepsPerSecond
    for (const follower of turns[turn] ?? []) follower.look()
    if (turn === 0) void lookForNews()
  }, 1000 / sweepsPerSecond)
  return () => {
    clearInterval(timer)
    unlisten()
  }
}

type EventHead = { organization_id: string; event_sequence: number }

/** The only query across organizations; each feed receives only its own head. */
const headsSql = `
  select organization_id, event_sequence from organization_heads where organization_id = any($1)`
