import type { FaultCode } from './fault-codes.ts'
import type { FaultMember } from './members.ts'

/** One fault of a request, located by exactly one of pointer, parameter and header. */
export type Fault = {
  pointer?: string
  parameter?: string
  header?: string
  code: FaultCode
  message: string
  allowed?: readonly unknown[]
  limit?: unknown
  given?: unknown
} & { [Name in FaultMember]?: unknown }

export const fault = (
  pointer: string,
  code: FaultCode,
  message: string,
  more: Pick<Fault, 'allowed' | 'limit' | 'given'> = {},
): Fault => ({ pointer, code, message, ...more })
