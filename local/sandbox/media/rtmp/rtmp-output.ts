import type { Clock } from '../../../../lib/clock.ts'
import type { RtmpLink, RtmpTarget } from '../media.ts'
import { readRtmpUrl } from './address.ts'
import { createConversation } from './conversation.ts'
import { type FlvTag, isKeyFrame, isSetup } from './flv.ts'
import { RtmpError } from './rtmp-error.ts'
import { openSocket } from './socket.ts'

/** One server that a broadcast is sent to. */
export interface RtmpOutput {
  /** Sends what comes next, as soon as the server takes it; before that it is left out. */
  push(tag: FlvTag): void
  /** Something of ours broke. */
  fail(): void
  /** Ends the stream properly, within two seconds. */
  stop(): Promise<void>
  /** Ends it at once. */
  close(): void
}

export interface RtmpOptions {
  readonly clock: Clock
  /** Certificates in PEM that may sign those of rtmps servers, besides the ones Node trusts. */
  readonly authorities?: readonly string[] | undefined
}

/** From the first packet to the accepted stream, by the clock. */
const MAX_START_MS = 10_000
/** Sent but not taken by the server's side: about ten seconds of a large picture. One that is further behind is given up. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024
/** How long the server may take to read the rest once the stream is over; in real time, since nobody steps a clock for it. */
const MAX_END_MS = 2_000

/**
 * Connects to a server and tells when it takes the stream and is sent it, and when that has come to nothing or to an end.
 * An output that has ended is not taken up again. `setup` gives what has been sent first so far: headers and metadata.
 */
export function startRtmpOutput(
  { serverUrl, streamName }: RtmpTarget,
  setup: () => readonly FlvTag[],
  onChange: (link: RtmpLink) => void,
  { clock, authorities = [] }: RtmpOptions,
): RtmpOutput {
  const address = readRtmpUrl(serverUrl)
  if (!address) throw new RtmpError('The URL is not one of an RTMP server.')
  let isAccepted = false
  let isOver = false
  /** The time of the first frame that was sent, by which all others go; undefined until then. */
  let start: number | undefined

  const end = (link?: 'offline' | 'error') => {
    if (isOver) return
    isOver = true
    timeout.cancel()
    socket.destroy()
    if (link) onChange(link)
  }
  /** Whatever goes wrong here ends here: the server's failings as offline, ours as error. */
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
  const socket = openSocket(address, authorities, () => guarded(conversation.begin))
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
    push(tag) {
      if (isAccepted) guarded(() => send(tag))
    },
    fail: () => end('error'),
    close: () => end(),
    async stop() {
      if (isOver || !isAccepted) return end()
      isOver = true
      conversation.leave()
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      socket.resume().end()
      const longest = setTimeout(() => socket.destroy(), MAX_END_MS)
      await closed.finally(() => clearTimeout(longest))
    },
  }
}
