const GET_BROADCAST = /\/broadcast\/[0-9a-f-]+$/

interface Asked {
  readonly method: string
  readonly url: string
}

/** Returns true for an answer that describes a broadcast that was stopped, which some deployments do not know any more. */
export function isForgotten(
  { method, url }: Asked,
  { status, text }: { readonly status: number; readonly text: string },
) {
  if (method !== 'GET' || status !== 200 || !GET_BROADCAST.test(new URL(url).pathname)) return false
  return (JSON.parse(text) as { readonly status?: string }).status === 'stopped'
}

/** The platform's answer about a broadcast that it does not know. */
export const unknownBroadcast = { status: 404, text: JSON.stringify({ code: 404, message: 'Broadcast not found' }) }
