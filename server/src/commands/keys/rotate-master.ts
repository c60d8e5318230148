import { readSecretFile } from '../../config/secret-files.ts'
import { newMasterKey } from '../../crypto/cipher.ts'
import { findMasterKey, replaceMasterKey } from '../../crypto/master-key-file.ts'
import {
  activation,
  announceKey,
  changeUnderWay,
  isStillUsed,
  type KeyChange,
  OtherChange,
  type Resealed,
  removal,
  resealAll,
  sendAll,
} from '../../crypto/rotation.ts'
import type { Statement } from '../../database/driver/protocol.ts'
import { allSealed } from '../../features/index.ts'
import { audited } from '../../kernel/change.ts'
import type { Services } from '../../kernel/context.ts'
import { errorMessage } from '../../values/errors.ts'
import { actInFirst, administer } from '../administer.ts'
import { action, CommandError, type Given, UsageError } from '../command.ts'
import { facts } from '../table.ts'
import { allProcesses, startedWith } from './live-processes.ts'

type Result = Resealed & { from: number; to: number; finished: boolean; key_file: string | null }

export const keysRotateMaster = action({
  run: (given) =>
    administer('keys rotate-master', (services) =>
      given.flag('finish') ? finish(services, given) : rotate(services, given),
    ),
  show: (result) => (result.finished ? shownEnd(result) : shownStart(result)),
})

async function rotate(services: Services, given: Given): Promise<Result> {
  const { database, config } = services
  const change = await begun(services, given)
  await allProcesses(database, 'know the new key', ({ known_keys }) =>
    known_keys.includes(change.to),
  )
  if (!change.isActive) await record(services, 'master_key.rotated', activation(change.to))
  const resealed = await resealUnder(services, change)
  const key_file = config.masterKey === null ? config.dataDir : null
  if (key_file) await replaceMasterKey(key_file, knownKey(services, change.to))
  return { ...change, ...resealed, finished: false, key_file }
}

/** The change under way, or a new one. */
async function begun(services: Services, given: Given): Promise<KeyChange> {
  const {
    database,
    crypto: { keyring },
  } = services
  const known = await changeUnderWay(database)
  const newKey = await newKeyFor(services, given, known)
  if (newKey !== null) await announceKey(database, keyring, newKey).catch(rethrow)
  await keyring.refresh()
  const change = await changeUnderWay(database)
  if (!change) throw new CommandError('Another command has finished a change of the master key.')
  return change
}

function rethrow(error: unknown): never {
  if (!(error instanceof OtherChange)) throw error
  throw new CommandError(
    'A change to another master key is under way. Run this without --new-key-file to go on with it.',
  )
}

/** Null to go on with the one that was announced. */
async function newKeyFor(
  { config }: Services,
  { option }: Given,
  known: KeyChange | undefined,
): Promise<string | null> {
  const file = option('new-key-file')
  if (file !== undefined) return readNewKey(file)
  if (known) return null
  if (config.masterKey === null) return newMasterKey()
  throw new UsageError(
    'FLIGHTDECK_MASTER_KEY sets the master key. Give the file of the new one with --new-key-file; `openssl rand -base64 32` makes one.',
  )
}

function readNewKey(path: string): string {
  const key = readKeyFile(path)
  if (Buffer.from(key, 'base64').length === 32) return key
  throw new UsageError('--new-key-file: the file must have 32 bytes in base64.')
}

function readKeyFile(path: string): string {
  try {
    return readSecretFile(path)
  } catch (error) {
    throw new UsageError(`--new-key-file: ${errorMessage(error)}.`)
  }
}

const knownKey = ({ crypto: { keyring } }: Services, id: number): string => {
  const key = keyring.keyOf(id)
  if (key === undefined) throw new Error(`master key ${id} is not known`)
  return key
}

/** Once all processes seal under the new key, so that nothing is left behind. */
async function resealUnder(services: Services, { from, to }: KeyChange): Promise<Resealed> {
  const {
    database,
    crypto: { keyring },
  } = services
  await keyring.refresh()
  await allProcesses(database, 'use the new key', ({ sealing_key }) => sealing_key === to)
  return resealAll({ database, keyring, tables: allSealed() }, from)
}

async function finish(services: Services, { flag }: Given): Promise<Result> {
  const { database } = services
  const change = await changeUnderWay(database)
  if (!change) throw new CommandError('No change of the master key is under way.')
  if (!change.isActive)
    throw new CommandError('Run keys rotate-master again first: it was interrupted.')
  await checkOwnKey(services, change)
  if (!flag('at-once')) await checkOthers(services, change)
  const resealed = await resealUnder(services, change)
  await record(services, 'master_key.retired', removal(change.from)).catch((error: unknown) => {
    if (!isStillUsed(error)) throw error
    throw new CommandError('Something was sealed under the old key just now. Run this again.')
  })
  return { ...change, ...resealed, finished: true, key_file: null }
}

async function checkOwnKey(services: Services, { to }: KeyChange): Promise<void> {
  const own = Buffer.from(await findMasterKey(services.config), 'base64')
  if (own.equals(Buffer.from(knownKey(services, to), 'base64'))) return
  throw new CommandError(
    'This shell has the old master key. Put the new one in its place everywhere before the old one is forgotten.',
  )
}

async function checkOthers(services: Services, change: KeyChange): Promise<void> {
  const {
    database,
    crypto: { cipher },
  } = services
  const old = await startedWith(database, { cipher, masterKey: knownKey(services, change.from) })
  if (old.length > 0) {
    throw new CommandError(
      `Started with the old master key: ${old.join(', ')}. Start them again with the new one first, or add --at-once.`,
    )
  }
  if (change.isOneDayOld) return
  throw new CommandError(
    'The new key has been in use for less than a day: cursors, and repeats of requests with an Idempotency-Key, from before would be refused. Wait, or add --at-once.',
  )
}

/** Sends the statements with an audit record in the oldest organization, as for `keys rotate`. */
async function record(
  services: Services,
  action: string,
  statements: readonly Statement[],
): Promise<void> {
  const ctx = await actInFirst(services)
  const id = String(statements[0]?.parameters[0])
  const entry = () => ({ action, resource: { type: 'master_key', id, name: null } })
  if (!ctx) return sendAll(services.database, statements)
  await audited(ctx, entry, async ({ tx }) => {
    for (const statement of statements) tx.send(statement)
  })
}

const shownRows = ({ rows, damaged }: Resealed) => ({
  'Sealed anew':
    Object.entries(rows)
      .filter(([, count]) => count > 0)
      .map(([table, count]) => `${table}: ${count}`)
      .join(', ') || null,
  ...(damaged.length > 0 && { 'Opened by no key': damaged.join(', ') }),
})

const shownStart = (result: Result): string =>
  [
    facts({
      ...shownRows(result),
      ...(result.key_file && { 'New key': `${result.key_file}/master.key` }),
    }),
    '',
    'Both keys work now. Give the new one to every process and command, start the processes again,',
    'and after a day: flightdeck keys rotate-master --finish',
  ].join('\n')

const shownEnd = (result: Result): string =>
  [
    facts(shownRows(result)),
    '',
    'Only the new master key works from now on. Keep the old one with the backups made under it.',
  ].join('\n')
