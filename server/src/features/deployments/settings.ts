import { type Fault, fault } from '../../problems/fault.ts'

const maxBytes = 8 * 1024

/** Faults of settings, which are an object of any members. */
export const settingsFaults = (settings: object | null | undefined, pointer: string): Fault[] =>
  settings && Buffer.byteLength(JSON.stringify(settings)) > maxBytes
    ? [fault(pointer, 'too_long', 'has at most 8 KiB of JSON', { limit: maxBytes })]
    : []
