/** Bytes of the header of a record (RFC 6347, 4.1), and of that of a message of the handshake in it (4.2.2). */
const RECORD_HEADER = 13
const MESSAGE_HEADER = 12
const HANDSHAKE = 22

/**
 * Creates a function that removes repeated messages of a handshake from a datagram: the library would begin the answer to
 * them again, with other keys.
 * @param onRepeated called for a datagram with a repeated message
 */
export function createRepetitionFilter(onRepeated: () => void): (datagram: Buffer) => Buffer {
  const seen = new Set<string>()

  function isRepeated(record: Buffer): boolean {
    const isPlain = record.readUInt16BE(3) === 0
    if (record[0] !== HANDSHAKE || !isPlain || record.length < RECORD_HEADER + MESSAGE_HEADER) return false
    // Its type, its number and the place of the fragment.
    const key = [0, 4, 5, 6, 7, 8].map((place) => record[RECORD_HEADER + place]).join()
    if (seen.has(key)) return true
    seen.add(key)
    return false
  }

  return (datagram) => {
    const kept: Buffer[] = []
    let hasRepeated = false
    for (let start = 0; start + RECORD_HEADER <= datagram.length; ) {
      const end = start + RECORD_HEADER + datagram.readUInt16BE(start + 11)
      const record = datagram.subarray(start, end)
      if (end <= datagram.length && isRepeated(record)) hasRepeated = true
      else kept.push(record)
      start = end
    }
    if (hasRepeated) onRepeated()
    return Buffer.concat(kept)
  }
}

/** Place of the client's random bytes in a datagram that begins with a whole ClientHello, and their number. */
const RANDOM = RECORD_HEADER + MESSAGE_HEADER + 2
const RANDOM_BYTES = 32
const CLIENT_HELLO = 1

/** Returns the random bytes of a plain ClientHello, which are those of one handshake; undefined for another datagram. */
export function clientRandomOf(datagram: Buffer): string | undefined {
  const isHello =
    datagram.length >= RANDOM + RANDOM_BYTES &&
    datagram[0] === HANDSHAKE &&
    datagram.readUInt16BE(3) === 0 &&
    datagram[RECORD_HEADER] === CLIENT_HELLO &&
    datagram.readUIntBE(RECORD_HEADER + 6, 3) === 0
  return isHello ? datagram.toString('latin1', RANDOM, RANDOM + RANDOM_BYTES) : undefined
}
