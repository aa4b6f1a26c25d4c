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
/** Packets of one tone. */
const TONE_PACKETS = 12
/** Samples at 48 kHz of one tone: 240 ms. */
export const TONE_SAMPLES = BLOCK * TONE_PACKETS
/**
 * Tones in hertz, which repeat after 6 s. They are 100 Hz apart, so that 10 ms tell them apart, and odd multiples of 25 Hz:
 * a block of 20 ms that is left out, or inserted, reverses the phase.
 */
const tones = Array.from({ length: 25 }, (_, place) => 625 + 100 * ((place * 11) % 25))

/** A packet that a phone has received, decoded, with the time of its arrival in milliseconds since the epoch. */
export interface HeardPacket {
  readonly at: number
  readonly samples: Int16Array
}

/** A tone that a phone has sent, with the time of its first packet in milliseconds since the epoch. */
export interface SentTone {
  readonly at: number
  readonly hertz: number
}

/**
 * Starts a phone whose packets a test times: SIPp answers the call, and this process has the media, G.711 without a
 * buffer. It sends one tone after the other from the answer on.
 */
export async function startTimedPhone(clock: Clock = realClock) {
  const codec = await createCodec('PCMU/8000')
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const heard: HeardPacket[] = []
  const sent: SentTone[] = []
  let peer: { address: string; port: number } | undefined
  let packets = 0

  function send(): void {
    if (!peer) return
    const place = packets % TONE_PACKETS
    const hertz = tones[Math.floor(packets / TONE_PACKETS) % tones.length] as number
    if (place === 0) sent.push({ at: clock.now(), hertz })
    const header = {
      payloadType: 0,
      marker: packets === 0,
      sequence: packets & 0xffff,
      timestamp: packets * 160,
      ssrc: 7,
    }
    const payload = codec.encode(toneAt(hertz, BLOCK, { start: place * BLOCK }))
    socket.send(writeRtp({ ...header, payload }), peer.port, peer.address)
    packets++
  }
  let begun = 0
  const ticker = setInterval(() => {
    if (begun === 0) return
    while (begun + packets * PACKET_MS <= clock.now()) send()
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
    sent,
    done: sipp.done,
    close() {
      clearInterval(ticker)
      socket.close()
      codec.close()
    },
  }
}
