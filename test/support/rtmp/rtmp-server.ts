import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { type AmfValue, decodeAmf, encodeAmf } from '../../../local/sandbox/media/rtmp/amf.ts'
import {
  createChunkReader,
  messageTypes,
  type RtmpMessage,
  writeMessage,
} from '../../../local/sandbox/media/rtmp/chunks.ts'
import type { Certificate } from '../certificates.ts'
import { writeFlv } from './flv-file.ts'

/** What a test's server does other than take whatever is published. */
export interface Manners {
  /** Takes the connection and never says a word. */
  readonly isSilent?: boolean
  /** Speaks something else. */
  readonly isForeign?: boolean
  readonly refuses?: 'connect' | 'createStream' | 'publish'
  /** Reads nothing more once it has accepted a stream. */
  readonly stopsReading?: boolean
  /** Speaks TLS. */
  readonly certificate?: Certificate
}

export interface Publication {
  readonly app: string
  readonly streamName: string
  /** Audio, pictures and metadata in the order received; times in ms. */
  readonly media: RtmpMessage[]
  /** The publisher has said that it is over. */
  isOver: boolean
  /** All of it as an FLV file. */
  flv(): Buffer
}

export interface RtmpServer {
  readonly url: string
  readonly publications: readonly Publication[]
  /** Everything but commands and media that publishers have sent. */
  readonly controls: readonly RtmpMessage[]
  readonly commands: readonly string[]
  /** How many connections there are. */
  connections(): number
  /** Drops all connections. */
  drop(): void
  close(): Promise<void>
}

/** An RTMP server on 127.0.0.1 that keeps what is published to it. */
export async function startRtmpServer(manners: Manners = {}): Promise<RtmpServer> {
  const publications: Publication[] = []
  const controls: RtmpMessage[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (manners.isSilent) socket.resume()
    else if (manners.isForeign) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    else converse(socket, manners, { publications, controls, commands })
  }
  const { certificate } = manners
  const server: Server = certificate ? createSecureServer(certificate, serve) : createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `${certificate ? 'rtmps' : 'rtmp'}://127.0.0.1:${(server.address() as AddressInfo).port}/live`,
    publications,
    controls,
    commands,
    connections: () => sockets.size,
    drop,
    async close() {
      drop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const HANDSHAKE = 1536
/** Longer messages than these come in pieces, and every few of them must be acknowledged. */
const CHUNK_SIZE = 60
const WINDOW = 400

function converse(
  socket: Socket,
  { refuses, stopsReading }: Manners,
  seen: { publications: Publication[]; controls: RtmpMessage[]; commands: string[] },
): void {
  const readChunks = createChunkReader(16 * 1024 * 1024)
  let greeting: Buffer | undefined = Buffer.of()
  let hasGreeted = false
  let app = ''
  let publication: Publication | undefined

  const send = (type: number, body: Buffer, stream = 0) => {
    for (const piece of writeMessage({ type, stream, time: 0, body }, CHUNK_SIZE)) socket.write(piece)
  }
  const sendNumber = (type: number, value: number, ...more: readonly number[]) => {
    const body = Buffer.alloc(4)
    body.writeUInt32BE(value)
    send(type, Buffer.concat([body, Buffer.from(more)]))
  }
  const command = (...values: readonly AmfValue[]) => send(messageTypes.command, encodeAmf(...values))
  const answer = (call: AmfValue, isRefused: boolean, ...values: readonly AmfValue[]) =>
    command(isRefused ? '_error' : '_result', call, ...values)
  const status = (level: string, code: string) =>
    send(messageTypes.command, encodeAmf('onStatus', 0, null, { level, code }), 1)

  function greet(data: Buffer): Buffer | undefined {
    greeting = Buffer.concat([greeting ?? Buffer.of(), data])
    if (greeting.length < 1 + HANDSHAKE) return undefined
    if (!hasGreeted)
      socket.write(Buffer.concat([Buffer.of(3), Buffer.alloc(HANDSHAKE, 7), greeting.subarray(1, 1 + HANDSHAKE)]))
    hasGreeted = true
    if (greeting.length < 1 + 2 * HANDSHAKE) return undefined
    const echo = greeting.subarray(1 + HANDSHAKE, 1 + 2 * HANDSHAKE)
    if (!echo.every((byte) => byte === 7)) throw new Error('The publisher did not echo the handshake.')
    const rest = greeting.subarray(1 + 2 * HANDSHAKE)
    greeting = undefined
    sendNumber(messageTypes.setChunkSize, CHUNK_SIZE)
    sendNumber(messageTypes.windowAcknowledgementSize, WINDOW)
    sendNumber(messageTypes.setPeerBandwidth, 2_500_000, 2)
    send(messageTypes.userControl, Buffer.of(0, 6, 1, 2, 3, 4)) // a ping
    return rest
  }

  function obey([name, call, object, value]: readonly AmfValue[]): void {
    seen.commands.push(String(name))
    if (name === 'connect') {
      app = String((object as { app: AmfValue }).app)
      const code = refuses === 'connect' ? 'NetConnection.Connect.Rejected' : 'NetConnection.Connect.Success'
      const description = 'x'.repeat(CHUNK_SIZE) // so that the answer takes several chunks
      answer(call, refuses === 'connect', { fmsVer: 'test/1' }, { code, description, objectEncoding: 0 })
    } else if (name === 'releaseStream' || name === 'FCPublish') answer(call, true, null, { level: 'error' })
    else if (name === 'createStream') answer(call, refuses === 'createStream', null, 1)
    else if (name === 'publish') publish(String(value))
    else if (name === 'deleteStream' && publication) publication.isOver = true
  }

  function publish(streamName: string): void {
    if (refuses === 'publish') {
      status('error', 'NetStream.Publish.BadName')
      return
    }
    const media: RtmpMessage[] = []
    publication = { app, streamName, media, isOver: false, flv: () => writeFlv(media) }
    seen.publications.push(publication)
    status('status', 'NetStream.Publish.Start')
    if (stopsReading) socket.pause()
  }

  socket.on('data', (data: Buffer) => {
    const chunks = greeting ? greet(data) : data
    if (!chunks) return
    for (const message of readChunks(chunks)) {
      if (message.type === messageTypes.command) obey(decodeAmf(message.body))
      else if (message.type === 8 || message.type === 9 || message.type === 18) publication?.media.push(message)
      else seen.controls.push(message)
    }
  })
  socket.on('end', () => socket.end())
}
