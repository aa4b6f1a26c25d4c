import { once } from 'node:events'
import { connect } from 'node:net'

/** The result of a load: answers per second, and the milliseconds of each. */
export interface LoadResult {
  readonly rate: number
  readonly latencies: readonly number[]
}

/** Returns the bytes of a request. */
export function requestBytes(url: URL, headers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries({ host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

/**
 * Sends every request once over kept-alive connections, each of which waits for its answer before it sends again.
 *
 * It writes to sockets and only searches for the end of an answer, so that it costs little compared with the server.
 * @throws Error when an answer is not a 200 or has no content-length
 */
export async function load(origin: URL, requests: readonly Buffer[], connections: number): Promise<LoadResult> {
  const queue = requests.values()
  const latencies: number[] = []
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, () => sendAll(origin, queue, latencies)))
  return { rate: (latencies.length / (performance.now() - start)) * 1000, latencies }
}

async function sendAll(origin: URL, queue: Iterator<Buffer>, latencies: number[]): Promise<void> {
  const socket = connect(Number(origin.port), origin.hostname)
  socket.setNoDelay(true)
  await once(socket, 'connect')
  const over = Promise.withResolvers<void>()
  let sentAt = 0
  let left = 0
  const sendNext = () => {
    const { value, done } = queue.next()
    if (done) return over.resolve()
    sentAt = performance.now()
    socket.write(value)
  }
  socket.on('data', (bytes) => {
    try {
      left = (left === 0 ? lengthOf(bytes) : left) - bytes.byteLength
    } catch (problem) {
      return over.reject(problem)
    }
    if (left > 0) return
    latencies.push(performance.now() - sentAt)
    sendNext()
  })
  socket.on('error', over.reject)
  socket.on('close', () => over.reject(new Error('The server closed a connection of the bench.')))
  try {
    sendNext()
    await over.promise
  } finally {
    socket.destroy()
  }
}

/** Returns the length of an answer from its first chunk, which has all its headers. */
function lengthOf(bytes: Buffer): number {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.toString('latin1', 0, end)
  const length = /^content-length: *(\d+)/im.exec(head)?.[1]
  if (end < 0 || !head.startsWith('HTTP/1.1 200 ') || length === undefined)
    throw new Error(`The bench cannot read an answer that begins with ${head.slice(0, 40)}.`)
  return end + 4 + Number(length)
}
