import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { givenByParent, serveParent } from '../subprocess.ts'
import { answerRequest } from './answer-request.ts'

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
const SAMPLES = 160
/** One phone speaks for 100 ms in each half second. */
const [EVERY, LONG] = [25, 5]
/** Most important bits of µ-law: 0x80 is the loudest sample, 0xff is silence. */
const LOUD = 0x40

const silence = Buffer.alloc(SAMPLES, 0xff)
const sound = Buffer.from(Array.from({ length: SAMPLES }, (_, index) => (index % 8 < 4 ? 0x90 : 0x10)))

interface Phone {
  readonly socket: Socket
  readonly port: number
  target: number
  isHearing: boolean
  received: number
}

const { phones: count } = givenByParent<PhonesOptions>()
const phones = await Promise.all(Array.from({ length: count }, open))
let latencies: number[] = []
let spokenAt = 0
let sent = 0

async function open(): Promise<Phone> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 }).bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const phone: Phone = { socket, port: socket.address().port, target: 0, isHearing: false, received: 0 }
  socket.on('message', (packet) => {
    phone.received++
    const isLoud = packet.subarray(12).some((byte) => (byte & 0x7f) < LOUD)
    if (isLoud && !phone.isHearing && phone !== phones[0]) latencies.push(performance.now() - spokenAt)
    phone.isHearing = isLoud
  })
  return phone
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
  const isSpeaking = index % EVERY < LONG
  if (index % EVERY === 0) spokenAt = performance.now()
  for (const [place, { socket, target }] of phones.entries()) {
    if (target === 0) continue
    const header = Buffer.alloc(12)
    header.writeUInt16BE(0x8000)
    header.writeUInt16BE(index & 0xffff, 2)
    header.writeUInt32BE((index * SAMPLES) >>> 0, 4)
    header.writeUInt32BE(place + 1, 8)
    socket.send([header, place === 0 && isSpeaking ? sound : silence], target, '127.0.0.1')
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
