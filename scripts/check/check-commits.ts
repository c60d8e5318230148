/** Fails when a commit after the first that was held to them breaks the rules of CONTRIBUTING. */
import { run } from '../run.ts'
import { commitFaults, commitsIn, logFormat } from './commits.ts'

/** The newest commit before these rules were checked. */
const base = '885f2dd5a875'

const { ok: isKnown } = await run('git', ['merge-base', '--is-ancestor', base, 'HEAD'])
// A shallow clone has only some of the history.
if (isKnown) await checkCommits()
else console.log(`${base} is not in this history: no commits are checked`)

async function checkCommits(): Promise<void> {
  const args = ['log', '--no-merges', '--name-only', `--format=${logFormat}`, `${base}..HEAD`]
  const { ok, output } = await run('git', args)
  const findings = ok ? commitsIn(output).flatMap(commitFaults) : [output]
  findings.forEach((finding) => {
    console.error(finding)
  })
  process.exitCode = findings.length === 0 ? 0 : 1
}
