import type { Evidence } from '../evidence.ts'

const HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
  vary: 'origin',
}
const TYPE = /^application\/(problem\+)?json\b/
/** The answer that a page polls, to which only pages of the same origin have access. */
const POLLED = /^\/watch\/show\/[^/]+\/state/

/**
 * Checks the headers of answers: their type is what the header says, they are only fetched over TLS, and caches keep answers to pages
 * of other origins apart (docs/deploy.md). API Gateway itself answers with a message, and without these.
 */
export function protectedAnswers({ visits }: Pick<Evidence, 'visits'>): string[] {
  return visits.flatMap(({ method, address, headers, answer, isAtRest }) => {
    const isOwn = TYPE.test(headers['content-type'] ?? '') && !answer.startsWith('{"message"')
    if (!isAtRest || !isOwn || address.startsWith('http') || POLLED.test(address)) return []
    return Object.entries(HEADERS)
      .filter(([name, value]) => !headers[name]?.toLowerCase().includes(value))
      .map(([name]) => `${method} ${address.slice(0, 80)} is answered with ${name}: ${headers[name]}`)
  })
}
