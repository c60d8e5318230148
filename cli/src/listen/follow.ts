import { type CallOptions, type Flightdeck, other, type StreamOptions } from '@flightdeckhq/sdk'
import { reasonOf } from '../output/problem.ts'

type Listening = {
  client: Flightdeck
  url: string
  /** The value of the parameter `type`; undefined for all. */
  types: string | undefined
  /** Ends the stream. */
  signal: AbortSignal
  /** Reports the state of the connection. */
  report(line: string): void
}

/** An event as it was sent. */
export type ReceivedEvent = { id: string | null; type: string; data: string }

/** Every event from now on, with reconnects. */
export async function* eventsFrom(listening: Listening): AsyncGenerator<ReceivedEvent> {
  const { client, url, types, signal, report } = listening
  const options: StreamOptions & CallOptions = {
    type: types?.split(',').map((type) => other(type.trim())),
    signal,
    onOpen: () => report(`Connected to ${url}.`),
    onLost: ({ error, waitMs }) =>
      report(`${lossOf(error)}. Trying again within ${Math.ceil(waitMs / 1000)} s.`),
  }
  try {
    yield* client.events.stream(options).texts()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const lossOf = (error: unknown): string =>
  error instanceof Error && error.name === 'StreamEnded'
    ? 'The service has ended the stream'
    : `The connection is lost: ${reasonOf(error)}`
