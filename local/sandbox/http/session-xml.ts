/** Returns true where createSession answers in its deprecated form: only `Accept: application/json` selects JSON. */
export const prefersXml = (accept: string | undefined) => !accept?.includes('application/json')

/** Writes the deprecated answer of createSession. Its values need no escaping, since no client chooses them. */
export function sessionsAsXml(answer: unknown): Response {
  const sessions = (answer as readonly Record<string, string>[]).map((session) => {
    const fields = Object.entries(session).map(([name, value]) => `<${name}>${value}</${name}>`)
    return `<Session>${fields.join('')}</Session>`
  })
  const document = `<?xml version="1.0" encoding="UTF-8"?><sessions>${sessions.join('')}</sessions>`
  return new Response(document, { headers: { 'content-type': 'application/xml' } })
}
