import { randomBytes } from 'node:crypto'
import type { RtmpAddress } from './address.ts'
import { type AmfObject, type AmfValue, decodeAmf, encodeAmf } from './amf.ts'
import { createChunkReader, messageTypes, type RtmpMessage, writeMessage } from './chunks.ts'
import type { FlvTag } from './flv.ts'
import { RtmpError } from './rtmp-error.ts'

const VERSION = 3
const HANDSHAKE_BYTES = 1536
const SERVER_HANDSHAKE_BYTES = 1 + 2 * HANDSHAKE_BYTES
/** Bytes per chunk: few headers per key frame, and short waits for audio. */
const CHUNK_SIZE = 4096
const PING = 6
const PONG = 7

/** Transaction numbers of the commands, which their answers repeat. */
const calls = { connect: 1, releaseStream: 2, announce: 3, createStream: 4, publish: 5, withdraw: 6, deleteStream: 7 }

/**
 * Creates the protocol between a publisher and a server, without the socket (Adobe's RTMP specification 1.0, sections 5
 * and 7).
 */
export function createConversation(parts: {
  address: RtmpAddress
  streamName: string
  send: (bytes: Buffer) => void
  /** Called when the server accepts the stream. */
  onAccepted: () => void
}) {
  const { address, streamName, send, onAccepted } = parts
  const readChunks = createChunkReader()
  let greeting: Buffer | undefined = Buffer.of()
  let stream = 0
  let receivedBytes = 0
  let acknowledgedBytes = 0
  let window = Number.POSITIVE_INFINITY

  const sendMessage = (message: RtmpMessage, chunkSize = CHUNK_SIZE) =>
    send(Buffer.concat(writeMessage(message, chunkSize)))
  const sendControl = (type: number, value: number) => {
    const body = Buffer.alloc(4)
    body.writeUInt32BE(value % 2 ** 32)
    sendMessage({ type, stream: 0, time: 0, body })
  }
  const sendCommand = (name: string, call: number, ...values: readonly AmfValue[]) => {
    const to = name === 'publish' ? stream : 0
    sendMessage({ type: messageTypes.command, stream: to, time: 0, body: encodeAmf(name, call, ...values) })
  }

  /** Collects the server's handshake and answers it. Returns the bytes after it, or undefined while it is incomplete. */
  function shakeHands(data: Buffer): Buffer | undefined {
    greeting = Buffer.concat([greeting ?? Buffer.of(), data])
    if (greeting.length > 0 && greeting[0] !== VERSION) throw new RtmpError('The server does not use RTMP version 3.')
    if (greeting.length < SERVER_HANDSHAKE_BYTES) return undefined
    send(greeting.subarray(1, 1 + HANDSHAKE_BYTES))
    const rest = greeting.subarray(SERVER_HANDSHAKE_BYTES)
    greeting = undefined
    sendControl(messageTypes.setChunkSize, CHUNK_SIZE)
    const { app, url } = address
    sendCommand('connect', calls.connect, { app, type: 'nonprivate', flashVer: 'FMLE/3.0 (Showrunner)', tcUrl: url })
    return rest
  }

  function acknowledge(bytes: number): void {
    receivedBytes += bytes
    if (receivedBytes - acknowledgedBytes < window) return
    acknowledgedBytes = receivedBytes
    sendControl(messageTypes.acknowledgement, receivedBytes)
  }

  function answerCall(call: AmfValue, result: AmfValue): void {
    if (call === calls.connect) {
      sendCommand('releaseStream', calls.releaseStream, null, streamName)
      sendCommand('FCPublish', calls.announce, null, streamName)
      sendCommand('createStream', calls.createStream, null)
    } else if (call === calls.createStream) {
      if (typeof result !== 'number') throw new RtmpError('The server answered createStream without a number.')
      stream = result
      sendCommand('publish', calls.publish, null, streamName, 'live')
    }
  }

  function handleStatus(status: AmfValue): void {
    const { level, code } = isObject(status) ? status : {}
    if (code === 'NetStream.Publish.Start') onAccepted()
    else if (level === 'error' || code === 'NetStream.Unpublish.Success')
      throw new RtmpError('The server refused or ended the stream.')
  }

  function handle({ type, body }: RtmpMessage): void {
    if (type === messageTypes.command) {
      const [name, call, , value] = decodeAmf(body)
      if (name === '_result') answerCall(call, value)
      else if (name === '_error' && call !== calls.releaseStream && call !== calls.announce)
        throw new RtmpError('The server refused the connection or the stream.') // the two others are optional, and unknown to some servers
      else if (name === 'onStatus') handleStatus(value)
      else if (name === 'close') throw new RtmpError('The server closed the stream.')
    } else if (type === messageTypes.windowAcknowledgementSize && body.length >= 4) {
      window = body.readUInt32BE(0)
    } else if (type === messageTypes.setPeerBandwidth && body.length >= 4) {
      sendControl(messageTypes.windowAcknowledgementSize, body.readUInt32BE(0))
    } else if (type === messageTypes.userControl && body.length >= 6 && body.readUInt16BE(0) === PING) {
      const pong = Buffer.concat([Buffer.of(0, PONG), body.subarray(2, 6)])
      sendMessage({ type: messageTypes.userControl, stream: 0, time: 0, body: pong })
    }
  }

  return {
    /** Sends the first part of the handshake. */
    begin(): void {
      const time = Buffer.alloc(8) // time 0, and zeros for the simple handshake
      send(Buffer.concat([Buffer.of(VERSION), time, randomBytes(HANDSHAKE_BYTES - time.length)]))
    },
    /** @throws {@link RtmpError} when the server refuses or ends the stream, or violates the protocol */
    receive(data: Buffer): void {
      const chunks = greeting ? shakeHands(data) : data
      if (!chunks || chunks.length === 0) return
      acknowledge(chunks.length)
      for (const message of readChunks(chunks)) handle(message)
    },
    /** Sends pictures, audio or metadata; only after the server has accepted the stream. `time` is in ms. */
    sendMedia({ type, body }: FlvTag, time: number): void {
      const whole = type === messageTypes.data ? Buffer.concat([encodeAmf('@setDataFrame'), body]) : body
      sendMessage({ type, stream, time, body: whole })
    },
    leave(): void {
      sendCommand('FCUnpublish', calls.withdraw, null, streamName)
      sendCommand('deleteStream', calls.deleteStream, null, stream)
    },
  }
}

const isObject = (value: AmfValue): value is AmfObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
