/** Bytes that a message may have. A peer that sends more without an end is disconnected. */
const MAX_MESSAGE = 65_535
const END_OF_HEADERS = '\r\n\r\n'

/**
 * Divides the bytes of a connection into messages by their Content-Length. Line breaks between messages, which keep a
 * connection alive (RFC 5626), are skipped.
 * @param onBroken called once when the end of a message cannot be found
 */
export function createStreamSplitter(onMessage: (data: Buffer) => void, onBroken: () => void): (data: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0)
  let isBroken = false
  const fail = () => {
    isBroken = true
    onBroken()
  }
  return (data) => {
    if (isBroken) return
    pending = Buffer.concat([pending, data])
    for (;;) {
      let start = 0
      while (pending[start] === 0x0d || pending[start] === 0x0a) start++
      pending = pending.subarray(start)
      const end = pending.indexOf(END_OF_HEADERS)
      if (end < 0) return pending.length > MAX_MESSAGE ? fail() : undefined
      const lengths = [...pending.toString('latin1', 0, end).matchAll(/^(?:content-length|l)[ \t]*:(.*)$/gim)]
      const length = lengths[0]?.[1]?.trim() ?? '0'
      const size = end + END_OF_HEADERS.length + Number(length)
      const isUnclear = lengths.length > 1 || !/^\d{1,9}$/.test(length)
      if (isUnclear) onMessage(pending.subarray(0, end + END_OF_HEADERS.length))
      if (isUnclear || size > MAX_MESSAGE) return fail()
      if (pending.length < size) return
      onMessage(pending.subarray(0, size))
      pending = pending.subarray(size)
      if (isBroken) return
    }
  }
}
