/** The payload of a DTMF digit (RFC 4733, 2.3). */
export interface TelephoneEvent {
  readonly digit: string
  readonly isEnd: boolean
  /** In units of the RTP clock. */
  readonly duration: number
}

/** Digits in the order of their numbers (RFC 4733, 3.2). */
const DIGITS = '0123456789*#ABCD'
/** Loudness in dBm0, without its sign. */
const VOLUME = 10

export function writeTelephoneEvent({ digit, isEnd, duration }: TelephoneEvent): Buffer {
  const payload = Buffer.from([DIGITS.indexOf(digit), (isEnd ? 0x80 : 0) | VOLUME, 0, 0])
  payload.writeUInt16BE(Math.min(duration, 0xffff), 2)
  return payload
}

/** Reads a payload; undefined for an event that is not a digit. */
export function readTelephoneEvent(payload: Uint8Array): TelephoneEvent | undefined {
  const [number = 255, flags = 0, high = 0, low = 0] = payload
  const digit = DIGITS[number]
  if (payload.length < 4 || digit === undefined) return undefined
  return { digit, isEnd: (flags & 0x80) !== 0, duration: high * 256 + low }
}
