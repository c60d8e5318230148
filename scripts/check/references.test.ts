import { expect, test } from 'vitest'
import { brokenReferences, foreignCommands, unknownVersions } from './references.ts'

const repository = {
  files: ['README.md', 'docs/guides/start.md', 'server/src/app.ts'],
  fromHere: (target: string) => target.replace(/^\.\//, ''),
}

test('an existing file is found, with or without its directories', () => {
  const text =
    'See `server/src/app.ts`, `app.ts`, `server/src/`, [start](docs/guides/start.md#one).'
  expect(brokenReferences(text, repository)).toEqual([])
})

test('missing files, directories and link targets are reported', () => {
  const text = 'See `server/src/gone.ts`, `docs/old/`, [here](./gone.md), `lost.sql`.'
  const expected = ['./gone.md', 'server/src/gone.ts', 'docs/old/', 'lost.sql']
  expect(brokenReferences(text, repository)).toEqual(expected)
})

test('text that only resembles a path is ignored', () => {
  const text = '`application/json`, `/campaigns/:id`, `*.test.ts`, [site](https://example.com/a.md)'
  expect(brokenReferences(`${text}\n\`\`\`\n\`gone.ts\`\n\`\`\`\n`, repository)).toEqual([])
})

test.each([
  'npx flightdeck',
  'npx\n  flightdeck',
  'npx --yes flightdeck',
  'npm exec -- flightdeck',
])('%j fetches the package of others', (command) => {
  expect(foreignCommands(`Run \`${command} demo\`.`)).toEqual([command.replace('\n ', '')])
})

test.each(['./flightdeck demo', 'npx vitest', 'npx flightdeckhq', 'Never run `npx flightdeck`'])(
  '%j fetches nothing of others',
  (text) => {
    expect(foreignCommands(text)).toEqual([])
  },
)

test('only released versions are named', () => {
  const text =
    'git checkout v0.2.0; flightdeck:0.1.0; /opt/flightdeck-0.3.0; Version 0.1.0; Node 26.1.0'
  expect(unknownVersions(text, ['0.1.0'])).toEqual(['0.2.0', '0.3.0'])
})
