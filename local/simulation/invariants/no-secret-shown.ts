import type { Evidence } from './evidence.ts'

/** What lets anybody in without being known beforehand: tokens, and addresses that are signed. */
const LETS_IN: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a token', /\beyJ[\w-]{8,}\.[\w-]{8,}/],
  ['a client token', /\bT1==[\w+/=-]{16,}/],
  ['a signed address', /X-Amz-Signature=|[?&]signature=/i],
]

/** Invariant 6: no secret is in an execution's input, output or history, in a log line, in an event, or in the bucket. */
export function noSecretShown(evidence: Evidence): string[] {
  const { executions, objects, output, trace, events, callbacks, secrets } = evidence
  const places: [name: string, text: string][] = [
    ...executions.map(({ machine, name, history }): [string, string] => [
      `the history of ${machine} ${name}`,
      JSON.stringify(history),
    ]),
    ...[...objects].map(([key, { text }]): [string, string] => [`the object ${key}`, `${key}\n${text}`]),
    ['the log', output.join('\n')],
    ['the trace', trace.join('\n')],
    ...events.map((event): [string, string] => [`the event ${event['detail-type']}`, JSON.stringify(event)]),
    ...callbacks.map(({ url, body }): [string, string] => [`a callback to ${url}`, body]),
  ]
  return places.flatMap(([place, text]) => [
    ...secrets.filter(({ value }) => isShown(value, text)).map(({ name }) => `${place} shows ${name}`),
    ...LETS_IN.filter(([, pattern]) => pattern.test(text)).map(([name]) => `${place} shows ${name}`),
  ])
}

/** As it is, inside of JSON, or encoded. */
function isShown(value: string, text: string): boolean {
  if (value.length < 8) return false
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
  ]
  return forms.some((form) => text.includes(form))
}
