import { type ProblemCode, problemKinds } from '../../problems/codes.ts'
import { documentOf } from '../../problems/document.ts'
import { type Fault, Problem } from '../../problems/problem.ts'
import { exampleId } from '../../values/ids.ts'
import { type Html, html, prose } from './html.ts'
import { page } from './page.ts'

const codes = Object.keys(problemKinds) as ProblemCode[]

export const isProblemCode = (text: string): text is ProblemCode =>
  Object.hasOwn(problemKinds, text)

const retryTexts = {
  transient: 'The same request can succeed later.',
  correctable: 'A corrected request can succeed.',
  terminal: 'Repeating the request does not help.',
} as const

/** `/problems` as data. */
export const problemIndex = () => ({
  data: codes.map((code) => {
    const { status, title, retry } = problemKinds[code]
    return { type: `/problems/${code}`, code, status, title, retry }
  }),
})

/** `/problems/<code>` as data. */
export function problemFacts(code: ProblemCode) {
  const { status, title, retry, cause, fix } = problemKinds[code]
  return {
    type: `/problems/${code}`,
    code,
    status,
    title,
    retry,
    cause,
    fix,
    example: exampleOf(code),
  }
}

/** Example members and faults that a code adds to the standard members. */
const members: Partial<Record<ProblemCode, Record<string, unknown>>> = {
  insufficient_role: { required_roles: ['owner', 'admin'] },
  method_not_allowed: { allowed_methods: ['GET', 'HEAD', 'POST'] },
  invalid_state_transition: {
    current_status: 'draft',
    action: 'resume',
    allowed_actions: ['launch', 'archive'],
  },
  resource_in_use: { references: [{ type: 'campaign', id: exampleId('campaign') }] },
  launch_blocked: { blocked_by: ['profile_not_active'] },
  version_mismatch: { current_version: 4 },
}

const faults: Partial<Record<ProblemCode, Fault>> = {
  validation_failed: { pointer: '/daily_budget', code: 'required', message: 'is required' },
  unknown_parameter: {
    parameter: 'stauts',
    code: 'unknown_parameter',
    message: 'is not a parameter of this endpoint; did you mean "status"?',
  },
  invalid_header: {
    header: 'If-Match',
    code: 'invalid_format',
    message: 'must be an ETag such as "3", in quotes',
  },
}

function exampleOf(code: ProblemCode) {
  const fault = faults[code]
  const problem = new Problem(code, problemKinds[code].cause, {
    members: members[code] ?? {},
    faults: fault ? [fault] : [],
  })
  return documentOf(problem, {
    instance: '/api/v1/campaigns',
    requestId: exampleId('request'),
  })
}

export const problemIndexPage = (): string =>
  page(
    'Problems · Flightdeck',
    html`<h1>Problems</h1>
<p class="lead">Every error is a problem document (RFC 9457). Its <code>code</code> is stable; its texts may change.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>
${codes.map(rowOf)}</tbody></table>`,
  )

function rowOf(code: ProblemCode): Html {
  const { status, title } = problemKinds[code]
  return html`<tr><td><a href="/problems/${code}">${code}</a></td><td>${status}</td><td>${title}</td></tr>\n`
}

export function problemPage(code: ProblemCode): string {
  const { status, title, retry, cause, fix } = problemKinds[code]
  return page(
    `${code} · Flightdeck`,
    html`<h1>${title}</h1>
<p class="lead"><code>${code}</code> comes with status ${status}.</p>
<dl>
<dt>Cause</dt><dd>${prose(cause)}</dd>
<dt>What to do</dt><dd>${prose(fix)}</dd>
<dt>Retry</dt><dd>${retryTexts[retry]} (<code>${retry}</code>)</dd>
</dl>
<h2>Example</h2>
<pre><code>${JSON.stringify(exampleOf(code), null, 2)}</code></pre>
<p><a href="/problems">All problems</a></p>`,
  )
}
