import { readFileSync } from 'node:fs'
import { request } from 'node:http'

/** One request as an SDK sends it, with placeholders such as `{session}` for ids, tokens and lengths. */
export interface RecordedRequest {
  readonly name: string
  /** The status that the SDK is answered. */
  readonly status: number
  /** The placeholder that later requests have for the `id` of the answer. */
  readonly keeps?: string | undefined
  readonly method: string
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string
}

/** Reads the requests of one SDK: `### <name> <status> [<placeholder>=id]`, then the request as it is sent. */
export function readRecordedRequests(sdk: string): RecordedRequest[] {
  const text = readFileSync(new URL(`${sdk}.http`, import.meta.url), 'utf8')
  return text
    .split(/^### /m)
    .slice(1)
    .map((entry) => {
      const [title = '', ...rest] = entry.trimEnd().split('\n')
      const [, name = '', status, keeps] = /^(.*) (\d{3})(?: (\w+)=id)?$/.exec(title) ?? []
      const end = rest.includes('') ? rest.indexOf('') : rest.length
      const [line = '', ...headers] = rest.slice(0, end)
      const [method = '', path = ''] = line.split(' ')
      const fields = headers.flatMap((header) => [
        header.slice(0, header.indexOf(':')),
        header.slice(header.indexOf(':') + 2),
      ])
      return {
        name,
        status: Number(status),
        keeps,
        method,
        path,
        headers: fields,
        body: rest.slice(end + 1).join('\n'),
      }
    })
}

/** Sends a request with exactly its headers and the bytes of its body. */
export function sendRecorded(
  url: string,
  { method, path, headers, body }: RecordedRequest,
  values: Readonly<Record<string, string>>,
): Promise<{ status: number; text: string }> {
  const { host, hostname, port } = new URL(url)
  const fill = (text: string, more: Readonly<Record<string, string>> = {}) =>
    text.replace(/\{(\w+)\}/g, (whole, name) => more[name] ?? values[name] ?? whole)
  const bytes = fill(body)
  const given = headers.map((part) => fill(part, { host, length: String(Buffer.byteLength(bytes)) }))
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path: fill(path), headers: given, setHost: false, agent: false }
    const sent = request(options, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, text })
    })
    sent.on('error', reject)
    sent.end(bytes)
  })
}
