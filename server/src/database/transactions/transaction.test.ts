import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/machines/fresh-database.ts'
import { type ConstraintCheck, type Database, openDatabase, type Transaction } from '../database.ts'

let fresh: FreshDatabase
let database: Database

beforeAll(async () => {
  fresh = await freshDatabase()
  await fresh.query('create table words (word text primary key)')
  database = openDatabase(fresh.address)
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})
beforeEach(() => fresh.query('delete from words'))

const add = (tx: Transaction, word: string) =>
  tx.send({ sql: 'insert into words (word) values ($1)', parameters: [word] })

async function wordsIn({ query }: Pick<Transaction, 'query'>): Promise<string[]> {
  const sql = 'select word from words order by word'
  return (await query<{ word: string }>({ sql, parameters: [] })).map(({ word }) => word)
}

const stored = () => wordsIn(database.reader)

class Fault extends Error {}

const failing = (
  tx: Transaction,
  checked: ConstraintCheck,
  part: (tx: Transaction) => Promise<void>,
) =>
  expect(
    tx.attempt(async (tx) => {
      await part(tx)
      throw new Fault()
    }, checked),
  ).rejects.toThrow(Fault)

describe.each<ConstraintCheck>(['now', 'at the commit'])('savepoints checked %s', (checked) => {
  test('are rolled back individually when they throw', async () => {
    await database.transaction(async (tx) => {
      add(tx, 'before')
      await failing(tx, checked, async (tx) => add(tx, 'failed'))
      await tx.attempt(async (tx) => add(tx, 'fine'), checked)
      await failing(tx, checked, async (tx) => add(tx, 'failed too'))
      add(tx, 'after')
    })
    expect(await stored()).toEqual(['after', 'before', 'fine'])
  })

  test('see earlier writes and their own', async () => {
    await database.transaction(async (tx) => {
      add(tx, 'a')
      await failing(tx, checked, async (tx) => {
        add(tx, 'b')
        expect(await wordsIn(tx)).toEqual(['a', 'b'])
        add(tx, 'c')
      })
      expect(await wordsIn(tx)).toEqual(['a'])
      const seen = await tx.attempt(async (tx) => {
        add(tx, 'd')
        return wordsIn(tx)
      }, checked)
      expect(seen).toEqual(['a', 'd'])
    })
    expect(await stored()).toEqual(['a', 'd'])
  })

  test('can be nested', async () => {
    await database.transaction(async (tx) => {
      await tx.attempt(async (tx) => {
        add(tx, 'outer')
        await failing(tx, checked, async (tx) => {
          add(tx, 'inner')
          expect(await wordsIn(tx)).toEqual(['inner', 'outer'])
        })
        await tx.attempt(async (tx) => add(tx, 'second'), checked)
      }, checked)
      await failing(tx, checked, async (tx) => {
        await tx.attempt(async (tx) => add(tx, 'lost'), checked)
      })
    })
    expect(await stored()).toEqual(['outer', 'second'])
  })

  test('leave nothing when the transaction fails or is a dry run', async () => {
    const whole = async (tx: Transaction) => {
      await tx.attempt(async (tx) => add(tx, 'a'), checked)
      throw new Fault()
    }
    await expect(database.transaction(whole)).rejects.toThrow(Fault)
    await database.dryRun((tx) => tx.attempt(async (tx) => add(tx, 'a'), checked))
    expect(await stored()).toEqual([])
  })

  test('count as sent only when they succeed', async () => {
    await database.transaction(async (tx) => {
      await failing(tx, checked, async (tx) => {
        add(tx, 'a')
        await wordsIn(tx)
      })
      expect(tx.hasSent()).toBe(false)
      await tx.attempt(async (tx) => add(tx, 'b'), checked)
      expect(tx.hasSent()).toBe(true)
    })
  })

  test('ignore further statements after a failure', async () => {
    let late = () => {}
    await database.transaction(async (tx) => {
      await failing(tx, checked, async (tx) => {
        late = () => add(tx, 'late')
      })
      late()
      await tx.attempt(async (tx) => add(tx, 'fine'), checked)
    })
    expect(await stored()).toEqual(['fine'])
  })
})

const taken = { constraint: 'words_pkey' }

test('checked immediately, a savepoint that the database refuses fails alone', async () => {
  await database.transaction(async (tx) => {
    await tx.attempt(async (tx) => add(tx, 'a'), 'now')
    const again = tx.attempt(async (tx) => add(tx, 'a'), 'now')
    await expect(again).rejects.toMatchObject(taken)
    await tx.attempt(async (tx) => add(tx, 'b'), 'now')
  })
  expect(await stored()).toEqual(['a', 'b'])
})

test('checked at the commit, it fails the whole transaction', async () => {
  const work = database.transaction(async (tx) => {
    await tx.attempt(async (tx) => add(tx, 'a'), 'at the commit')
    await tx.attempt(async (tx) => add(tx, 'a'), 'at the commit')
  })
  await expect(work).rejects.toMatchObject(taken)
  expect(await stored()).toEqual([])
})

describe('very many statements', () => {
  const many = Array.from({ length: 500 }, (_, at) => String(at).padStart(3, '0'))
  const addMany = (tx: Transaction) => {
    for (const word of many) add(tx, word)
  }

  test('are all stored', async () => {
    await database.transaction(async (tx) => addMany(tx))
    expect(await stored()).toEqual(many)
  })

  test('are all seen by each of several reads behind them', async () => {
    await database.transaction(async (tx) => {
      addMany(tx)
      expect(await Promise.all([wordsIn(tx), wordsIn(tx)])).toEqual([many, many])
    })
  })

  test.each(['000', '300', '499'])('leave nothing if one is refused: %s', async (word) => {
    const work = database.transaction(async (tx) => {
      addMany(tx)
      add(tx, word)
    })
    await expect(work).rejects.toMatchObject(taken)
    expect(await stored()).toEqual([])
  })

  test('leave nothing if the work ends while they are sent', async () => {
    const work = database.transaction(async (tx) => {
      addMany(tx)
      tx.sendNow()
      await setImmediate()
      throw new Fault()
    })
    await expect(work).rejects.toThrow(Fault)
    await database.transaction(async (tx) => add(tx, 'kept'))
    expect(await stored()).toEqual(['kept'])
  })

  test('leave nothing if their part fails while they are sent', async () => {
    await database.transaction(async (tx) => {
      await failing(tx, 'now', async (tx) => {
        addMany(tx)
        void wordsIn(tx).catch(() => {})
        await setImmediate()
      })
      add(tx, 'kept')
    })
    expect(await stored()).toEqual(['kept'])
  })
})

test('a connection lost between two statements fails that transaction alone', async () => {
  const uncaught: unknown[] = []
  const notice = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtException', notice)
  try {
    const work = database.transaction(async (tx) => {
      add(tx, 'lost')
      const sql = 'select pg_backend_pid() as pid'
      const [own] = await tx.query<{ pid: number }>({ sql, parameters: [] })
      await fresh.query('select pg_terminate_backend($1, 5000)', [own?.pid])
      await setImmediate()
      await wordsIn(tx)
    })
    await expect(work).rejects.toThrow(/terminat|not queryable/)
    await database.transaction(async (tx) => add(tx, 'kept'))
    expect(await stored()).toEqual(['kept'])
    expect(uncaught).toEqual([])
  } finally {
    process.off('uncaughtException', notice)
  }
})

const renamed = {
  sql: 'update words set word = $1 returning word',
  parameters: ['renamed'],
}
const readOnly = { code: '25006' }

describe('read-only access', () => {
  beforeEach(() => fresh.query("insert into words (word) values ('kept')"))

  test('refuses a write through the reader in PostgreSQL, and keeps the connection', async () => {
    const pid = async () =>
      (await database.reader.query<{ pid: number }>({
        sql: 'select pg_backend_pid() as pid',
        parameters: [],
      })) as unknown
    const before = new Set([JSON.stringify(await pid()), JSON.stringify(await pid())])
    await expect(database.reader.query(renamed)).rejects.toMatchObject(readOnly)
    await expect(database.reader.query(renamed)).rejects.toMatchObject(readOnly)
    await setImmediate()
    const after = new Set([JSON.stringify(await pid()), JSON.stringify(await pid())])
    expect(after).toEqual(before)
    expect(await stored()).toEqual(['kept'])
  })

  test('refuses a write sent as a read, before anything was sent', async () => {
    const work = database.transaction((tx) => tx.query(renamed))
    await expect(work).rejects.toMatchObject(readOnly)
    expect(await stored()).toEqual(['kept'])
  })

  test('includes a write that returns rows in the transaction, and rolls it back with it', async () => {
    const whole = async (tx: Transaction) => {
      expect(await tx.write(renamed)).toEqual([{ word: 'renamed' }])
      expect(tx.hasSent()).toBe(true)
      expect(await wordsIn(tx)).toEqual(['renamed'])
      throw new Fault()
    }
    await expect(database.transaction(whole)).rejects.toThrow(Fault)
    expect(await stored()).toEqual(['kept'])
    await database.dryRun((tx) => tx.write(renamed))
    expect(await stored()).toEqual(['kept'])
    await database.transaction(async (tx) => {
      await failing(tx, 'now', async (tx) => void (await tx.write(renamed)))
    })
    expect(await stored()).toEqual(['kept'])
    await database.transaction((tx) => tx.write(renamed))
    expect(await stored()).toEqual(['renamed'])
  })
})

describe('what is sent at once', () => {
  test('is committed with the rest, and not seen by reads of what is committed', async () => {
    await database.transaction(async (tx) => {
      add(tx, 'early')
      tx.sendNow()
      expect(await wordsIn({ query: tx.committed })).toEqual([])
      add(tx, 'late')
      expect(await wordsIn(tx)).toEqual(['early', 'late'])
      add(tx, 'last')
    })
    expect(await stored()).toEqual(['early', 'last', 'late'])
  })

  test('is rolled back with the rest', async () => {
    const work = database.transaction(async (tx) => {
      add(tx, 'early')
      tx.sendNow()
      await setImmediate()
      throw new Fault()
    })
    await expect(work).rejects.toThrow(Fault)
    expect(await stored()).toEqual([])
  })

  test.each(['at the commit', 'by what follows'])('fails %s for its own reason', async (place) => {
    const work = database.transaction(async (tx) => {
      add(tx, 'twice')
      add(tx, 'twice')
      tx.sendNow()
      await setImmediate()
      if (place === 'by what follows') await wordsIn(tx)
    })
    await expect(work).rejects.toMatchObject({ code: '23505' })
    expect(await stored()).toEqual([])
  })
})
