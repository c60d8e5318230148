import { FlightdeckError } from '@flightdeckhq/sdk'
import { FileFaults } from '../faults.ts'
import { clean } from './clean.ts'

/** What went wrong, as lines for a person. */
export function linesOf(error: unknown): string[] {
  if (error instanceof FlightdeckError) return linesOfProblem(error).map(clean)
  if (error instanceof FileFaults) return error.lines.map(clean)
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n').map(clean)
}

/** The client and `fetch` put the actual error into the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.message
}

function linesOfProblem(error: FlightdeckError): string[] {
  const { problem, code, status, errors, requestId, retryAfterSeconds } = error
  if (code === 'unknown') return [`The service answers ${status}: ${problem.detail}`]
  return [
    `${problem.detail} (${code})`,
    ...(isTold(error) ? [] : errors.map((fault) => `  ${placeOf(fault)} ${fault.message}`)),
    ...(retryAfterSeconds === null ? [] : [`Try again in ${retryAfterSeconds} s.`]),
    `What to do: flightdeck explain ${code}`,
    ...(requestId ? [`Request: ${requestId}`] : []),
  ]
}

/** Whether the detail says already what the only fault is. */
const isTold = ({ problem, errors: [first, ...others] }: FlightdeckError) =>
  first !== undefined && others.length === 0 && problem.detail.endsWith(`: ${first.message}`)

/** Where in the request a fault is. */
function placeOf(fault: object): string {
  const { pointer, parameter } = fault as { pointer?: string; parameter?: string }
  return pointer || (parameter ? `?${parameter}` : '(body)')
}
