import type { Fault } from './fault.ts'

/** The statuses by which a target refuses. */
export type RefusalKind = '400' | '403' | '404' | '409' | '429' | '500'

const refusals: ReadonlySet<string> = new Set(['400', '403', '404', '409', '429', '500'])
export const isRefusal = (kind: string): kind is RefusalKind => refusals.has(kind)

/** What a connection that is lost looks like to its caller, a socket's or fetch's. */
export function lostConnection(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  return Object.assign(new TypeError('fetch failed', { cause }), { code: 'ECONNRESET' })
}

/** How the platform, Showrunner's API and an event app refuse. */
export function refuseAsJson(kind: RefusalKind, { seconds }: Fault): Response {
  const status = Number(kind)
  const headers = kind === '429' && seconds !== undefined ? { 'retry-after': String(seconds) } : {}
  return Response.json({ code: status, message: 'The simulation has ordered this.' }, { status, headers })
}

/** What is not the answer, under the status of what was; undefined where there is nothing to spoil. */
export async function spoil(answer: Response, { form = 'truncated' }: Fault): Promise<Response | undefined> {
  if (!answer.ok || answer.body === null) return undefined
  const text = await answer.clone().text()
  const spoilt = form === 'mistyped' ? mistype(text) : text.slice(0, Math.floor(text.length / 2))
  if (text.length < 2 || spoilt === undefined) return undefined
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  for (const name of [...headers.keys()]) if (/checksum|content-md5/.test(name)) headers.delete(name)
  return new Response(spoilt, { status: answer.status, headers })
}

/** The same document with every text a number and every number a text; undefined for what is no JSON. */
function mistype(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: unknown) => {
      if (typeof value === 'number') return `${value}`
      return typeof value === 'string' ? value.length : value
    })
  } catch {
    return undefined
  }
}
