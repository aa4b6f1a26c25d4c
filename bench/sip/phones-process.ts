import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { givenByParent, serveParent } from '../subprocess.ts'
import { answerRequest } from './answer-request.ts'
import { findSound, HALF_PERIODS, isLoud, SAMPLES, silentPayload, soundPayload } from './sounds.ts'

export interface PhonesOptions {
  readonly phones: number
}

export interface PhonesReady {
  /** Port at which user `n` of SIP is phone `n`. */
  readonly sipPort: number
  /** Ports of the phones' audio. */
  readonly ports: readonly number[]
}

/** Names the ports to which the phones send, or measures. */
export type PhonesQuestion = { readonly sendTo: readonly number[] } | { readonly seconds: number }

export interface PhonesReport {
  /** Milliseconds from when a phone sent a sound until another received it. */
  readonly latencies: readonly number[]
  /** Packets that each phone received in a second. */
  readonly packets: number
}

const PACKET_MS = 20
/** One phone makes a sound of 100 ms in each half second. */
const [EVERY, LONG] = [25, 5]

const silence = silentPayload()
const sounds = HALF_PERIODS.map(soundPayload)
/** When each sound was made last. A sound differs from the three before it, so it may take two seconds. */
const madeAt = HALF_PERIODS.map(() => Number.NaN)

interface Phone {
  readonly socket: Socket
  readonly port: number
  target: number
  /** When the sound that it is hearing began. */
  beganAt: number | undefined
  /** When the sound was made that it has heard last. */
  heard: number
  received: number
}

const { phones: count } = givenByParent<PhonesOptions>()
const phones = await Promise.all(Array.from({ length: count }, open))
let latencies: number[] = []
let sent = 0

async function open(): Promise<Phone> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 }).bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const phone: Phone = { socket, port: socket.address().port, target: 0, beganAt: undefined, heard: 0, received: 0 }
  socket.on('message', (packet) => {
    phone.received++
    if (phone !== phones[0]) hear(phone, packet.subarray(12))
  })
  return phone
}

/** Notes the latency of a sound once it is known which one it is. A sound that was interrupted counts once. */
function hear(phone: Phone, payload: Uint8Array): void {
  if (!isLoud(payload)) {
    phone.beganAt = undefined
    return
  }
  phone.beganAt ??= performance.now()
  const which = findSound(payload)
  const made = which === undefined ? Number.NaN : (madeAt[which] as number)
  if (Number.isNaN(made) || phone.heard === made) return
  phone.heard = made
  latencies.push(phone.beganAt - made)
}

const signalling = createSocket('udp4').bind(0, '127.0.0.1')
await once(signalling, 'listening')
signalling.on('message', (message, { port }) => {
  const { reply, user, target } = answerRequest(message.toString(), (index) => phones[index]?.port ?? 0)
  const phone = phones[user]
  if (phone && target !== undefined) phone.target = target
  if (reply) signalling.send(reply, port, '127.0.0.1')
})

const since = performance.now()
setInterval(() => {
  while (since + sent * PACKET_MS <= performance.now()) sendPackets(sent++)
}, 2)

function sendPackets(index: number): void {
  const which = Math.floor(index / EVERY) % sounds.length
  if (index % EVERY === 0) madeAt[which] = performance.now()
  const made = index % EVERY < LONG ? (sounds[which] as Buffer) : silence
  for (const [place, { socket, target }] of phones.entries()) {
    if (target === 0) continue
    const header = Buffer.alloc(12)
    header.writeUInt16BE(0x8000)
    header.writeUInt16BE(index & 0xffff, 2)
    header.writeUInt32BE((index * SAMPLES) >>> 0, 4)
    header.writeUInt32BE(place + 1, 8)
    socket.send([header, place === 0 ? made : silence], target, '127.0.0.1')
  }
}

const sipPort = signalling.address().port
serveParent(
  { sipPort, ports: phones.map(({ port }) => port) } satisfies PhonesReady,
  async (question: PhonesQuestion) => {
    if ('sendTo' in question) {
      for (const [index, phone] of phones.entries()) phone.target = question.sendTo[index] ?? 0
      return {}
    }
    latencies = []
    const before = phones.reduce((sum, { received }) => sum + received, 0)
    await new Promise((resolve) => setTimeout(resolve, question.seconds * 1000))
    const received = phones.reduce((sum, phone) => sum + phone.received, 0) - before
    return { latencies, packets: received / question.seconds / count } satisfies PhonesReport
  },
)
