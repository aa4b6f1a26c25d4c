import type { Clock } from '../../../../lib/clock.ts'
import type { RtmpLink, RtmpTarget } from '../media.ts'
import { readRtmpUrl } from './address.ts'
import { createConversation } from './conversation.ts'
import { type FlvTag, isKeyFrame, isSetup } from './flv.ts'
import { RtmpError } from './rtmp-error.ts'
import { openRtmpSocket } from './socket.ts'

export interface RtmpOptions {
  readonly clock: Clock
  /** Certificate authorities in PEM for rtmps servers, besides the ones Node trusts. */
  readonly authorities?: readonly string[] | undefined
}

/** Milliseconds by the clock from the first packet to the accepted stream. */
const MAX_START_MS = 10_000
/** Bytes that the server may have left unread: about ten seconds of a large picture. A slower server is disconnected. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024
/** Milliseconds for the server to read the rest after the end; in real time, since a stepped clock may stand still then. */
const MAX_END_MS = 2_000

/**
 * Connects to a server once. `onChange` is called when the server receives the stream, and when the output has failed. `setup`
 * returns the broadcast's headers and metadata so far.
 */
export function startRtmpOutput(
  { serverUrl, streamName }: RtmpTarget,
  setup: () => readonly FlvTag[],
  onChange: (link: RtmpLink) => void,
  { clock, authorities = [] }: RtmpOptions,
) {
  const address = readRtmpUrl(serverUrl)
  if (!address) throw new RtmpError('The URL is not that of an RTMP server.')
  let isAccepted = false
  let isOver = false
  /** Time of the first frame that was sent, from which all others count. */
  let start: number | undefined

  const end = (link?: 'offline' | 'error') => {
    if (isOver) return
    isOver = true
    timeout.cancel()
    socket.destroy()
    if (link) onChange(link)
  }
  /** Ends the output on any error: the server's errors as offline, the sandbox's as error. */
  const guarded = (act: () => void) => {
    if (isOver) return
    try {
      act()
    } catch (error) {
      end(error instanceof RtmpError ? 'offline' : 'error')
    }
  }

  const conversation = createConversation({
    address,
    streamName,
    send: (bytes) => socket.write(bytes),
    onAccepted() {
      isAccepted = true
      timeout.cancel()
    },
  })
  const timeout = clock.at(clock.now() + MAX_START_MS, () => end('offline'))
  const socket = openRtmpSocket(address, authorities, () => guarded(conversation.begin))
  socket.on('data', (data) => guarded(() => conversation.receive(data)))
  socket.on('error', () => end('offline')) // no such host, refused, reset, a certificate that is not trusted
  socket.on('close', () => end('offline'))

  function send(tag: FlvTag): void {
    if (start === undefined) {
      if (!isKeyFrame(tag)) return
      start = tag.time
      for (const header of setup()) conversation.sendMedia(header, 0)
      conversation.sendMedia(tag, 0)
      onChange('live')
    } else if (tag.time >= start || isSetup(tag)) {
      conversation.sendMedia(tag, Math.max(0, tag.time - start))
    }
    if (socket.writableLength > MAX_WAITING_BYTES) throw new RtmpError('The server reads too slowly.')
  }

  return {
    /** Sends the next tag. Tags before the server has accepted the stream are dropped. */
    push(tag: FlvTag): void {
      if (isAccepted) guarded(() => send(tag))
    },
    /** Ends the output because the engine failed. */
    fail: () => end('error'),
    /** Closes the connection at once. */
    close: () => end(),
    /** Ends the stream by the protocol, within two seconds. */
    async stop(): Promise<void> {
      if (isOver || !isAccepted) return end()
      isOver = true
      conversation.leave()
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      socket.resume().end()
      const timeout = setTimeout(() => socket.destroy(), MAX_END_MS)
      await closed.finally(() => clearTimeout(timeout))
    },
  }
}
