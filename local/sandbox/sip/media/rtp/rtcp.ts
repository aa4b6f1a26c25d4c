/** Report of a receiver on the packets of one source (RFC 3550, 6.4.1). */
export interface ReceptionReport {
  readonly ssrc: number
  /** Part of the packets since the report before that were lost, 0 to 1. */
  readonly fractionLost: number
  readonly lost: number
  /** Highest sequence number, with its cycles in the upper 16 bits. */
  readonly highest: number
  /** In units of the RTP clock. */
  readonly jitter: number
  /** Middle 32 bits of the time in the last sender report, and the delay since then in 1/65536 s; both 0 without one. */
  readonly lastReport: number
  readonly delay: number
}

/** Report of a sender on itself. */
export interface SenderInfo {
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly timestamp: number
  readonly packets: number
  readonly bytes: number
}

/** Report of one member of a call. */
export interface Report {
  readonly ssrc: number
  /** Absent for one that sends nothing. */
  readonly sender?: SenderInfo | undefined
  readonly receptions: readonly ReceptionReport[]
}

const SENDER_REPORT = 200
const RECEIVER_REPORT = 201
const DESCRIPTION = 202
const GOODBYE = 203
const CNAME = 1
const VERSION_2 = 0x80
const RECEPTION_BYTES = 24
/** Seconds from 1900, where the time of RTCP begins, to 1970 (RFC 3550, 4). */
const NTP_EPOCH = 2_208_988_800

/** Writes a compound packet: a report, the canonical name and, at the end of a call, a BYE. */
export function writeRtcp({ ssrc, sender, receptions }: Report, name: string, isOver = false): Buffer {
  const body = Buffer.alloc((sender ? 24 : 4) + receptions.length * RECEPTION_BYTES)
  body.writeUInt32BE(ssrc, 0)
  if (sender) {
    const [seconds, fraction] = ntpOf(sender.time)
    for (const [place, word] of [seconds, fraction, sender.timestamp, sender.packets, sender.bytes].entries())
      body.writeUInt32BE(word % 2 ** 32, 4 + 4 * place)
  }
  for (const [place, report] of receptions.entries())
    writeReception(report, body.subarray((sender ? 24 : 4) + place * RECEPTION_BYTES))
  const text = Buffer.from(name).subarray(0, 255)
  const item = Buffer.concat([Buffer.from([CNAME, text.length]), text])
  const description = Buffer.alloc(4 + (Math.floor(item.length / 4) + 1) * 4) // ends with at least one zero
  description.writeUInt32BE(ssrc, 0)
  description.set(item, 4)
  return Buffer.concat([
    part(sender ? SENDER_REPORT : RECEIVER_REPORT, receptions.length, body),
    part(DESCRIPTION, 1, description),
    ...(isOver ? [part(GOODBYE, 1, body.subarray(0, 4))] : []),
  ])
}

/** Reads the reports of a compound packet. What is damaged, and all after it, is left out. */
export function readRtcp(packet: Buffer): Report[] {
  const reports: Report[] = []
  for (let start = 0; start + 8 <= packet.length; ) {
    const end = start + 4 * (packet.readUInt16BE(start + 2) + 1)
    if (packet.readUInt8(start) >> 6 !== 2 || end > packet.length) break
    const report = readReport(packet.subarray(start, end))
    if (report) reports.push(report)
    start = end
  }
  return reports
}

/** Returns the middle 32 bits of a time, by which a report refers to another. */
export function middleOf(time: number): number {
  const [seconds, fraction] = ntpOf(time)
  return (seconds % 2 ** 16) * 2 ** 16 + Math.floor(fraction / 2 ** 16)
}

function readReport(part: Buffer): Report | undefined {
  const type = part.readUInt8(1)
  if (type !== SENDER_REPORT && type !== RECEIVER_REPORT) return undefined
  const start = type === SENDER_REPORT ? 28 : 8
  const count = part.readUInt8(0) & 0x1f
  if (part.length < start + count * RECEPTION_BYTES) return undefined
  const sender = type === SENDER_REPORT ? readSender(part) : undefined
  const receptions = Array.from({ length: count }, (_, index) => readReception(part, start + index * RECEPTION_BYTES))
  return { ssrc: part.readUInt32BE(4), sender, receptions }
}

const readSender = (part: Buffer): SenderInfo => ({
  time: (part.readUInt32BE(8) - NTP_EPOCH + part.readUInt32BE(12) / 2 ** 32) * 1000,
  timestamp: part.readUInt32BE(16),
  packets: part.readUInt32BE(20),
  bytes: part.readUInt32BE(24),
})

const readReception = (part: Buffer, start: number): ReceptionReport => ({
  ssrc: part.readUInt32BE(start),
  fractionLost: part.readUInt8(start + 4) / 256,
  lost: part.readIntBE(start + 5, 3),
  highest: part.readUInt32BE(start + 8),
  jitter: part.readUInt32BE(start + 12),
  lastReport: part.readUInt32BE(start + 16),
  delay: part.readUInt32BE(start + 20),
})

function writeReception(report: ReceptionReport, into: Buffer): void {
  into.writeUInt32BE(report.ssrc, 0)
  into.writeUInt8(Math.min(255, Math.floor(report.fractionLost * 256)), 4)
  into.writeIntBE(Math.max(-0x80_0000, Math.min(0x7f_ffff, report.lost)), 5, 3)
  for (const [place, word] of [report.highest, report.jitter, report.lastReport, report.delay].entries())
    into.writeUInt32BE(Math.floor(word) % 2 ** 32, 8 + 4 * place)
}

function part(type: number, count: number, body: Buffer): Buffer {
  const header = Buffer.from([VERSION_2 | count, type, 0, 0])
  header.writeUInt16BE(body.length / 4, 2)
  return Buffer.concat([header, body])
}

function ntpOf(time: number): [seconds: number, fraction: number] {
  const seconds = Math.floor(time / 1000)
  return [seconds + NTP_EPOCH, Math.floor(((time - seconds * 1000) / 1000) * 2 ** 32)]
}
