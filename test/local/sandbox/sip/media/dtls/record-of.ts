/** Creates a record: a message of a handshake with a type, its number, and its content. */
export function recordOf(
  number: number,
  message: number,
  { epoch = 0, content = Buffer.alloc(40, message) } = {},
): Buffer {
  const header = Buffer.alloc(25)
  header.writeUInt8(22, 0)
  header.writeUInt16BE(epoch, 3)
  header.writeUIntBE(number, 5, 6)
  header.writeUInt16BE(12 + content.length, 11)
  header.writeUInt8(message, 13)
  return Buffer.concat([header, content])
}
