/** Fails when the OpenAPI document lacks something for readers or for generators of clients. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../run.ts'
import { gapsIn } from './document-gaps.ts'

const gaps = gapsIn(JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')))
for (const gap of gaps) console.error(gap)
process.exitCode = gaps.length === 0 ? 0 : 1
