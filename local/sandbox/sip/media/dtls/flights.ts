/** Bytes of the header of a record, and the places of its epoch, its number and its length (RFC 6347, 4.1). */
const HEADER = 13
const EPOCH = 3
const NUMBER = 5
const NUMBER_BYTES = 6
const LENGTH = 11
/** Bytes of a datagram, so that the network does not fragment it. */
const MAX_DATAGRAM = 1_200
/** Milliseconds between repetitions of a flight that the other side asks for. */
const MIN_INTERVAL = 200

/** Sends the records of a handshake in flights: the messages that answer those of the other side. */
export interface FlightSender {
  /** Records of one turn of the event loop are one flight. */
  send(records: Buffer): void
  /** Sends the last flight again: the other side has repeated what it answers. */
  repeat(): void
}

/**
 * Creates the sender of one handshake. A flight is sent in as few datagrams as possible: a ChangeCipherSpec that overtakes the
 * messages before it is dropped. Plain records that are repeated get new numbers (RFC 6347, 4.2.4): the other side drops a
 * number that it has seen.
 * @param send sends a datagram
 */
export function createFlightSender(send: (datagram: Buffer) => void): FlightSender {
  let last = -1
  let waiting: Buffer[] = []
  let flight: readonly Buffer[] = []
  let sentAt = 0

  function flush(): void {
    flight = waiting
    waiting = []
    sentAt = Date.now()
    sendTogether(flight.map(numbered))
  }
  function sendTogether(records: readonly Buffer[]): void {
    let datagram: Buffer[] = []
    let size = 0
    for (const record of records) {
      if (size > 0 && size + record.length > MAX_DATAGRAM) {
        send(Buffer.concat(datagram))
        datagram = []
        size = 0
      }
      datagram.push(record)
      size += record.length
    }
    if (size > 0) send(Buffer.concat(datagram))
  }
  /** Returns a copy of a plain record with a number that was not used before. */
  function numbered(record: Buffer): Buffer {
    if (record.readUInt16BE(EPOCH) !== 0) return record // its number is authenticated
    const copy = Buffer.from(record)
    last = Math.max(last + 1, record.readUIntBE(NUMBER, NUMBER_BYTES))
    copy.writeUIntBE(last, NUMBER, NUMBER_BYTES)
    return copy
  }

  return {
    send(records) {
      if (waiting.length === 0) queueMicrotask(flush)
      for (let start = 0; start < records.length; ) {
        const end = start + HEADER + records.readUInt16BE(start + LENGTH)
        waiting.push(records.subarray(start, end))
        start = end
      }
    },
    repeat() {
      if (waiting.length > 0 || Date.now() - sentAt < MIN_INTERVAL) return
      sentAt = Date.now()
      sendTogether(flight.map(numbered))
    },
  }
}
