import { readFile } from 'node:fs/promises'
import { importJWK, type JWK } from 'jose'
import type { Checkpoints } from './chain.ts'
import { type FindKey, signedFor } from './checkpoint-signature.ts'
import type { AuditCheckpoint } from './schema.ts'

/** A file of saved checkpoints is unusable; the message says which one and why. */
export class InvalidCheckpoints extends Error {}

/** Turns file-system errors into readable messages. */
export const unreadable =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw error.code ? new InvalidCheckpoints(`${path} cannot be read: ${error.message}`) : error
  }

/** Files kept by an auditor: saved API responses, or their items one per line. */
export type SavedCheckpoints = { checkpoints: string; jwks: string }

/** Reads saved checkpoints, verifying each signature with the saved keys. */
export async function readSavedCheckpoints(kept: SavedCheckpoints): Promise<Checkpoints> {
  const findKey = await keysIn(kept.jwks)
  const checkpoints = await checkpointsIn(kept.checkpoints)
  const marks = new Map<number, string | null>()
  const organizations = new Set<string>()
  for (const checkpoint of checkpoints) {
    const { sequence, head_hash: hash } = checkpoint
    const organization = await signedFor(checkpoint, findKey)
    if (organization) organizations.add(organization)
    // Contradicting checkpoints: the chain was rewritten between them.
    const isContradicted = marks.has(sequence) && marks.get(sequence) !== hash
    marks.set(sequence, organization && !isContradicted ? hash : null)
  }
  if (organizations.size > 1) {
    throw new InvalidCheckpoints(
      `${kept.checkpoints} has checkpoints of more than one organization.`,
    )
  }
  return marks
}

/** The values of a file: one JSON value, or one per line. */
async function valuesIn(path: string): Promise<unknown[]> {
  const text = await readFile(path, 'utf8').catch(unreadable(path))
  const whole = parse(text)
  if (whole !== undefined) return [whole]
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line, at) => {
    const value = parse(line)
    if (value === undefined) throw new InvalidCheckpoints(`${path}: value ${at + 1} is not JSON.`)
    return value
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The members of an object; empty for a list, which has a method named `keys`. */
const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** The items of all documents under this name. */
function merged(values: unknown[], name: 'data' | 'keys'): unknown[] {
  return values.flatMap((value) => membersOf(value)[name] ?? value)
}

async function checkpointsIn(path: string): Promise<AuditCheckpoint[]> {
  const items = merged(await valuesIn(path), 'data')
  if (items.length === 0) throw new InvalidCheckpoints(`${path} contains no checkpoints.`)
  if (!items.every(isCheckpoint)) {
    throw new InvalidCheckpoints(
      `${path} contains items that are not checkpoints (GET /audit_logs/checkpoints).`,
    )
  }
  return items
}

function isCheckpoint(value: unknown): value is AuditCheckpoint {
  const { sequence, ...texts } = membersOf(value)
  const names = ['head_hash', 'signed_at', 'key_id', 'signature']
  return Number.isSafeInteger(sequence) && names.every((name) => typeof texts[name] === 'string')
}

async function keysIn(path: string): Promise<FindKey> {
  const keys = merged(await valuesIn(path), 'keys').map((key): JWK => membersOf(key))
  return async (id) => {
    const jwk = keys.find(({ kid }) => kid === id)
    if (!jwk) throw new InvalidCheckpoints(`${path} has no key ${id}, which signed a checkpoint.`)
    return importJWK(jwk, 'EdDSA').catch(() => {
      throw new InvalidCheckpoints(`The key ${id} in ${path} is damaged.`)
    })
  }
}
