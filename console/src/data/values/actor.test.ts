import { expect, test } from 'vitest'
import { actorText, byActor } from './actor.ts'

test.each([
  [{ type: 'user', name: 'Ada Lovelace' }, 'Ada Lovelace', 'by Ada Lovelace'],
  [{ type: 'user', name: null }, 'User', 'by User'],
  [{ type: 'api_key', name: null }, 'API key', 'by API key'],
  [{ type: 'cli', name: 'root' }, 'The command line', 'by the command line'],
  [{ type: 'system', name: 'proxy checks' }, 'Flightdeck', 'by Flightdeck'],
])('%o in words', (actor, text, within) => {
  expect([actorText(actor), byActor(actor)]).toEqual([text, within])
})
