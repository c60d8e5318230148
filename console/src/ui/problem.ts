import { FlightdeckError, FlightdeckTimeout } from '@flightdeckhq/sdk'
import { nameOf } from '../data/choices.ts'
import { CodeMissing, isUpdated } from '../data/code.ts'
import { words } from '../data/words.ts'

/** A failure in the words of the service, or advice if it says nothing. */
export type Trouble = {
  title: string
  detail: string
  /** To quote in a report. */
  requestId: string | null
}

/** A failure outside the service, which says itself what is wrong. */
export class PlainFailure extends Error {
  readonly title: string

  constructor(title: string, detail: string) {
    super(detail)
    this.title = title
  }
}

const sessionIsOver: ReadonlySet<string> = new Set([
  'invalid_token',
  'missing_token',
  'session_expired',
  'token_expired',
  'token_revoked',
])

export function troubleOf(error: unknown): Trouble {
  if (error instanceof FlightdeckError && sessionIsOver.has(error.code)) {
    return { title: 'You were logged out', detail: 'Log in again to go on.', requestId: null }
  }
  if (error instanceof FlightdeckError) {
    return {
      title: error.problem.title,
      detail: detailOf(error.problem),
      requestId: error.requestId || null,
    }
  }
  if (error instanceof PlainFailure) {
    return { title: error.title, detail: error.message, requestId: null }
  }
  if (error instanceof FlightdeckTimeout) {
    return {
      title: 'The service did not answer in time',
      detail: 'Try again. If it lasts, ask the operator of Flightdeck.',
      requestId: null,
    }
  }
  if (isUpdated(error)) {
    return {
      title: 'Flightdeck has been updated',
      detail:
        'Reload to continue. Most forms keep a draft; passwords, other secrets, files and bulk edits are lost.',
      requestId: null,
    }
  }
  if (error instanceof CodeMissing) {
    return {
      title: 'A part of the console could not be loaded',
      detail: 'Your network or the service is down, or was for a moment.',
      requestId: null,
    }
  }
  return {
    title: 'The service cannot be reached',
    detail: 'Your network or the service is down. The console tries again by itself.',
    requestId: null,
  }
}

type Refused = Pick<FlightdeckError['problem'], 'code' | 'detail' | 'errors'> & { rule?: unknown }

/** The detail of a problem, with the names of fields in the place of pointers. */
export function detailOf({ code, detail, errors, rule }: Refused): string {
  // The service says it for programs.
  if (code === 'change_set_required') return 'Your organization wants this as a change set.'
  if (typeof rule === 'string') return detail.replace(rule, words(rule))
  if (!detail.startsWith('/')) return detail
  const texts = errors.map(({ pointer = '', message = '' }) => faultText(pointer, message))
  const [...different] = new Set(texts)
  const more = different.length - maxTexts
  return [...different.slice(0, maxTexts), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')
}

/** More are no text to read. */
const maxTexts = 3

export function faultText(pointer: string, message: string): string {
  const field = pointer.slice(pointer.lastIndexOf('/') + 1)
  const isPlace = field === '' || field === '-' || Number.isInteger(Number(field))
  // Most go on after the name of the field; others are whole sentences.
  const isWhole = /^[A-Z]/.test(message)
  const text = withLabels(message)
  return sentence(isPlace ? text : `${nameOf(field)}${isWhole ? ':' : ''} ${text}`)
}

/** With the names that people see of fields and values in place of those of the API. */
const withLabels = (message: string): string =>
  message.replace(/\b[a-z]{1,20}(?:_[a-z]{1,20}){1,4}\b/g, (name) => `“${nameOf(name)}”`)

/** The faults of a refused request by the pointer of their field. */
export function faultsOf(error: unknown): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  if (!(error instanceof FlightdeckError)) return faults
  for (const { pointer, message } of error.errors) {
    if (pointer !== undefined && !faults.has(pointer))
      faults.set(pointer, sentence(withLabels(message ?? '')))
  }
  return faults
}

/** As people write it, where a program wrote it. */
export const sentence = (text: string): string =>
  text === '' ? text : `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
