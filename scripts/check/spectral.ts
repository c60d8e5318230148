/** Lints the OpenAPI document with Spectral's rules for OpenAPI, of any severity. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import core from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { root } from '../run.ts'

const spectral = new core.Spectral()
spectral.setRuleset(new core.Ruleset(rulesets.oas))
const document = await readFile(join(root, 'openapi.json'), 'utf8')
const findings = (await spectral.run(document))
  .map(({ path, code, message }) => ({ place: `/${path.join('/')}`, code, message }))
  .filter((finding) => !isFalse(finding))
for (const { place, code, message } of findings) console.error(`${place} ${code}: ${message}`)
process.exitCode = findings.length === 0 ? 0 : 1

/** An object with properties named `schema` and `example` is taken for a media type. */
function isFalse({ place, code }: { place: string; code: string | number }): boolean {
  return code === 'oas3-valid-media-example' && place.endsWith('/properties/example')
}
