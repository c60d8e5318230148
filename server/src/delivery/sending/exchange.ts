import type { Connection } from '../../egress/connections.ts'
import { addChunk, addHead, type ReceivedResponse } from './answer.ts'
import { type Failure, failureOf, noConnection } from './failure.ts'

export type Post = {
  path: string
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array
  isTls: boolean
}

/** `isConnected`: the request may have reached the receiver. */
export type ExchangeResult = { failure: Failure | null; isConnected: boolean }

type ExchangeRun = {
  answer: ReceivedResponse
  /** The time limit for connecting to this address. */
  connectMs: number
  /** The time limit for connecting to any address, for the failure's text. */
  connectTimeoutMs: number
}

/**
 * Sends one request over one connection and writes the answer into `answer` as it arrives. No failure
 * if the answer is complete, or read up to the limit, whatever its status. The connection is given
 * back or dropped.
 */
export function exchange(
  connection: Connection,
  { isTls, ...post }: Post,
  { answer, connectMs, connectTimeoutMs }: ExchangeRun,
): Promise<ExchangeResult> {
  return new Promise((resolve) => {
    let isConnected = false
    const end = (failure: Failure | null) => {
      clearTimeout(waiting)
      resolve({ failure, isConnected })
    }
    const breakOff = (failure: Failure | null) => {
      end(failure)
      connection.drop()
    }
    const waiting = setTimeout(() => breakOff(noConnection(connectTimeoutMs)), connectMs)

    connection.client.dispatch(
      { ...post, method: 'POST' },
      {
        onRequestStart() {
          isConnected = true
          clearTimeout(waiting)
        },
        onResponseStart: (_, status, headers) => addHead(answer, status, headers),
        onResponseData(_, chunk) {
          if (!addChunk(answer, chunk)) breakOff(null)
        },
        onResponseEnd() {
          end(null)
          connection.giveBack()
        },
        onResponseError(_, error) {
          breakOff(failureOf(error, { isConnected, isTls, connectTimeoutMs }))
        },
      },
    )
  })
}
