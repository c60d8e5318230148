/** Fails when openapi.json breaks a client of the committed one. `api-diff.ts [commit]` */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from '../run.ts'
import { breakingChanges } from './breaking-changes.ts'

const [commit = 'HEAD'] = process.argv.slice(2)
const committed = await run('git', ['show', `${commit}:openapi.json`])
if (committed.ok) {
  const after = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'))
  const changes = breakingChanges(JSON.parse(committed.output), after)
  changes.forEach((change) => {
    console.error(change)
  })
  process.exitCode = changes.length === 0 ? 0 : 1
}
