import { describe, expect, test } from 'vitest'
import { isDatabaseUnavailable } from '../../database/unavailable.ts'
import { problemOf } from './problem.ts'

const codes = [
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '08006',
  '53300',
  '57P01',
  '57P05',
  '25006',
]

/** From `pg` and its pool, whose errors have no code. */
const messages = [
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]

describe('a database that is down is 503, and transient', () => {
  test.each(codes)('code %s', (code) => {
    const fault = Object.assign(new Error('some text'), { code })
    expect(problemOf(fault, {})).toMatchObject({ status: 503, code: 'unavailable' })
    expect(isDatabaseUnavailable(new AggregateError([fault]))).toBe(true)
  })

  test.each(messages)('%s', (message) => {
    expect(problemOf(new Error(message), {})).toMatchObject({
      status: 503,
      code: 'unavailable',
      headers: { 'retry-after': '1' },
    })
  })

  test('any other error is internal', () => {
    const faults = [new Error('no such thing'), Object.assign(new Error(''), { code: '42601' })]
    for (const fault of faults) expect(problemOf(fault, {}).code).toBe('internal_error')
  })
})
