/** Bytes of the header of a record (RFC 6347, 4.1), and of that of a message of the handshake in it (4.2.2). */
const RECORD_HEADER = 13
const MESSAGE_HEADER = 12
const HANDSHAKE = 22

/**
 * Creates a function that removes repeated messages of a handshake from a datagram: the library would begin the answer
 * to them again, with other keys. It repeats its own messages by time.
 */
export function createRepetitionFilter(): (datagram: Buffer) => Buffer {
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
    for (let start = 0; start + RECORD_HEADER <= datagram.length; ) {
      const end = start + RECORD_HEADER + datagram.readUInt16BE(start + 11)
      const record = datagram.subarray(start, end)
      if (end > datagram.length || !isRepeated(record)) kept.push(record)
      start = end
    }
    return Buffer.concat(kept)
  }
}
