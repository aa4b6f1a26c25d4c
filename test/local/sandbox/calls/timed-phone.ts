import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Clock, realClock } from '../../../../lib/clock.ts'
import { createCodec } from '../../../../local/sandbox/sip/media/codecs/create-codec.ts'
import { readRtp, writeRtp } from '../../../../local/sandbox/sip/media/rtp/rtp-packet.ts'
import { toneAt } from '../../../support/media/tones.ts'
import { answer, receive, startSipp } from '../sip/peers/sipp.ts'

/** Samples at 48 kHz of one packet: 20 ms. */
const BLOCK = 960
const PACKET_MS = 20

/** A packet that a phone has received, decoded, with the time of its arrival in milliseconds since the epoch. */
export interface HeardPacket {
  readonly at: number
  readonly samples: Int16Array
}

/**
 * Starts a phone whose packets a test times: SIPp answers the call, and this process has the media, G.711 without a
 * buffer. It sends silence from the answer on.
 */
export async function startTimedPhone(clock: Clock = realClock) {
  const codec = await createCodec('PCMU/8000')
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const heard: HeardPacket[] = []
  let peer: { address: string; port: number } | undefined
  let [sequence, sent] = [0, 0]
  /** First block of the tone. */
  let tone: { readonly hertz: number; readonly from: number; readonly startedAt: (time: number) => void } | undefined

  function send(): void {
    if (!peer) return
    const start = tone ? (sent - Math.max(tone.from, 0)) * BLOCK : 0
    const samples = tone ? toneAt(tone.hertz, BLOCK, { start }) : new Int16Array(BLOCK)
    tone?.startedAt(clock.now())
    const header = { payloadType: 0, marker: sent === 0, sequence: sequence++ & 0xffff, timestamp: sent * 160, ssrc: 7 }
    socket.send(writeRtp({ ...header, payload: codec.encode(samples) }), peer.port, peer.address)
    sent++
  }
  let begun = 0
  const ticker = setInterval(() => {
    if (begun === 0) return
    while (begun + sent * PACKET_MS <= clock.now()) send()
  }, 5)
  socket.on('message', (packet, from) => {
    const rtp = readRtp(packet)
    if (!rtp) return
    if (begun === 0) begun = clock.now()
    peer = from
    if (rtp.payloadType === 0) heard.push({ at: clock.now(), samples: codec.decode(rtp.payload) })
  })
  const { port: mediaPort } = socket.address()
  const sipp = await startSipp('udp', [
    receive('INVITE'),
    answer('200 OK', { sdp: [], mediaPort, retrans: 500 }),
    '<recv request="ACK" crlf="true"/>',
    receive('BYE', 'inside'),
    answer('200 OK', { to: 'inside' }),
  ])
  return {
    uri: `sip:bob@127.0.0.1:${sipp.port}`,
    heard,
    /** Begins a tone. Resolves to the time at which its first packet was sent. */
    startTone: (hertz: number) =>
      new Promise<number>((resolve) => {
        tone = { hertz, from: sent, startedAt: resolve }
      }),
    done: sipp.done,
    close() {
      clearInterval(ticker)
      socket.close()
      codec.close()
    },
  }
}
