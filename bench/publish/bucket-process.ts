import type { AddressInfo, Socket } from 'node:net'
import { type Http2Bindings, type HttpBindings, serve } from '@hono/node-server'
import { realClock } from '../../lib/clock.ts'
import { sendResponse } from '../../local/cloud/large-response.ts'
import { createS3 } from '../../local/cloud/s3/s3.ts'
import { givenByParent, serveParent } from '../subprocess.ts'

export interface BucketOptions {
  readonly directory: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface BucketReady {
  readonly url: string
}

/** Traffic of the bucket since the previous question. */
export interface Traffic {
  /** Bytes on the wire, including heads of requests and answers. */
  readonly sent: number
  readonly received: number
  /** Requests by S3’s price classes: GET and HEAD, and all others. */
  readonly reads: number
  readonly writes: number
  /** Seconds in which at least one range was being copied inside the bucket. */
  readonly copying: number
}

const { directory, bucket, accessKeyId, secretAccessKey } = givenByParent<BucketOptions>()
const s3 = createS3({
  directory,
  clock: realClock,
  secretOf: (id) => (id === accessKeyId ? secretAccessKey : undefined),
})
s3.createBucket(bucket)

const open = new Set<Socket>()
const closed = { sent: 0, received: 0 }
let counts = { reads: 0, writes: 0, copying: 0 }
let copies = 0
let copyingSince = 0

async function fetch(request: Request): Promise<Response> {
  if (request.method === 'GET' || request.method === 'HEAD') counts.reads += 1
  else counts.writes += 1
  if (!request.headers.has('x-amz-copy-source')) return s3.fetch(request)
  if (copies === 0) copyingSince = performance.now()
  copies += 1
  try {
    return await s3.fetch(request)
  } finally {
    copies -= 1
    if (copies === 0) counts.copying += (performance.now() - copyingSince) / 1000
  }
}

const server = serve(
  {
    fetch: async (request: Request, bindings: HttpBindings | Http2Bindings) =>
      sendResponse(await fetch(request), bindings),
    port: 0,
    hostname: '127.0.0.1',
    overrideGlobalObjects: false,
  },
  (address: AddressInfo) => {
    serveParent({ url: `http://127.0.0.1:${address.port}` } satisfies BucketReady, take)
  },
)
server.on('connection', (socket: Socket) => {
  open.add(socket)
  socket.once('close', () => {
    open.delete(socket)
    closed.sent += socket.bytesWritten
    closed.received += socket.bytesRead
  })
})

let before = { sent: 0, received: 0 }

function take(): Traffic {
  const sockets = [...open]
  const sent = sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, closed.sent)
  const received = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, closed.received)
  const traffic = { ...counts, sent: sent - before.sent, received: received - before.received }
  before = { sent, received }
  counts = { reads: 0, writes: 0, copying: 0 }
  return traffic
}
