import type { FastifyReply } from 'fastify'
import { type ProblemCode, problemKinds } from '../../problems/codes.ts'
import { documentOf } from '../../problems/document.ts'
import type { Fault } from '../../problems/fault.ts'
import { fieldFaults } from '../../problems/fault-codes.ts'
import { membersOf } from '../../problems/members.ts'
import type { Problem } from '../../problems/problem.ts'
import { requestIds } from '../../values/core-ids.ts'
import { exampleId } from '../../values/ids.ts'
import { type Html, html, prose } from '../../values/markup/html.ts'
import { hasKey, keysOf } from '../../values/objects.ts'
import { page, pageHeaders } from './page.ts'

const codes = keysOf(problemKinds)

type FieldFault = keyof typeof fieldFaults

/** Describes a code, as data and as a page; undefined for an unknown code. */
export function aboutCode(text: string): { facts: unknown; page: () => string } | undefined {
  if (hasKey(problemKinds, text))
    return { facts: problemFacts(text), page: () => problemPage(text) }
  if (hasKey(fieldFaults, text)) return { facts: faultFacts(text), page: () => faultPage(text) }
  return undefined
}

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
  field_faults: Object.keys(fieldFaults).map((code) => ({ type: `/problems/${code}`, code })),
})

const faultFacts = (code: FieldFault) => ({
  type: `/problems/${code}`,
  code,
  ...fieldFaults[code],
})

/** `/problems/<code>` as data. */
function problemFacts(code: ProblemCode) {
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
  const members = Object.entries(membersOf(code)).map(([name, schema]) => [name, firstOf(schema)])
  const problem = {
    code,
    message: problemKinds[code].cause,
    members: Object.fromEntries(members),
    faults: fault ? [fault] : [],
  }
  return documentOf(problem, {
    instance: '/api/v1/campaigns',
    requestId: exampleId(requestIds),
  })
}

const firstOf = ({ examples: [first] = [] }: { examples?: readonly unknown[] }) => first

export const problemIndexPage = (): string =>
  page(
    'Problems · Flightdeck',
    html`<h1>Problems</h1>
<p class="lead">Every error is a problem document (RFC 9457). Its <code>code</code> is stable; its texts may change.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>
${codes.map(rowOf)}</tbody></table>
<h2>Faults of one field</h2>
<p>Items of <code>errors</code> name the field by <code>pointer</code>, <code>parameter</code> or <code>header</code>.</p>
<table><thead><tr><th>Code</th><th>Cause</th></tr></thead><tbody>
${Object.entries(fieldFaults).map(faultRow)}</tbody></table>`,
  )

const faultRow = ([code, { cause }]: [string, { cause: string }]): Html =>
  html`<tr><td><a href="/problems/${code}">${code}</a></td><td>${prose(cause)}</td></tr>\n`

function faultPage(code: FieldFault): string {
  const { cause, fix } = fieldFaults[code]
  return page(
    `${code} · Flightdeck`,
    html`<h1><code>${code}</code></h1>
<p class="lead">A fault of one field: an item of <code>errors</code>.</p>
<dl>
<dt>Cause</dt><dd>${prose(cause)}</dd>
<dt>What to do</dt><dd>${prose(fix)}</dd>
</dl>
<p><a href="/problems">All problems</a></p>`,
  )
}

function rowOf(code: ProblemCode): Html {
  const { status, title } = problemKinds[code]
  return html`<tr><td><a href="/problems/${code}">${code}</a></td><td>${status}</td><td>${title}</td></tr>\n`
}

function problemPage(code: ProblemCode): string {
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

/** For a person whose browser went to a path that does not exist. */
export const sendProblemPage = (reply: FastifyReply, { status, code, message }: Problem): void => {
  const { title } = problemKinds[code]
  const content = html`<h1>${title}</h1>
<p class="lead">${message}</p>
<p><a href="/">Start page</a> · <a href="/docs">API reference</a></p>`
  reply
    .code(status)
    .headers({ ...pageHeaders, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(page(`${title} · Flightdeck`, content))
}
