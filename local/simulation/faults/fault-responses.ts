import type { InjectedFault } from './fault.ts'

/** The statuses with which a target refuses. */
export const refusalKinds = ['400', '403', '404', '409', '429', '500'] as const
export type RefusalKind = (typeof refusalKinds)[number]

export const isRefusal = (kind: string): kind is RefusalKind => refusalKinds.some((one) => one === kind)

/** Returns the error of a lost connection, as a socket and `fetch` report it. */
export function lostConnection(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  return Object.assign(new TypeError('fetch failed', { cause }), { code: 'ECONNRESET' })
}

/** Message of a refusal that a fault has put in the place of an answer. */
export const ORDERED = 'The simulation has ordered this.'

/** Returns a refusal as the platform, Showrunner’s API and event apps send it. */
export function refuseAsJson(kind: RefusalKind, { seconds }: InjectedFault): Response {
  const status = Number(kind)
  const headers = kind === '429' && seconds !== undefined ? { 'retry-after': String(seconds) } : {}
  return Response.json({ code: status, message: ORDERED }, { status, headers })
}

/** Returns an answer with a corrupt body, or undefined if there is no body to corrupt. */
export async function corrupt(answer: Response, { form = 'truncated' }: InjectedFault): Promise<Response | undefined> {
  if (!answer.ok || answer.body === null) return undefined
  const text = await answer.clone().text()
  const corrupted = form === 'mistyped' ? mistype(text) : text.slice(0, Math.floor(text.length / 2))
  if (text.length < 2 || corrupted === undefined) return undefined
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  for (const name of [...headers.keys()]) if (/checksum|content-md5/.test(name)) headers.delete(name)
  return new Response(corrupted, { status: answer.status, headers })
}

/** Swaps the types of all texts and numbers. Returns undefined for a text that is not JSON. */
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
