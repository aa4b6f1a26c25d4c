import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveParent } from '../subprocess.ts'

/** The answer to every following request. */
export interface BareAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface BareReady {
  readonly url: string
}

let headers: BareAnswer['headers'] = {}
let body = Buffer.alloc(0)

/** The minimal server on node:http. */
const server = createServer((_, response) => {
  response.writeHead(200, { ...headers, 'content-length': body.byteLength })
  response.end(body)
})

server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  serveParent({ url } satisfies BareReady, (answer: BareAnswer) => {
    headers = answer.headers
    body = Buffer.from(answer.body)
    return {}
  })
})
