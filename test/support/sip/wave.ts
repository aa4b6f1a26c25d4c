/** Reads 16 bit PCM; of two channels it returns the first. */
export function readWave(file: Buffer): { samples: Int16Array; rate: number } {
  const channels = file.readUInt16LE(22)
  const data = file.indexOf('data', 12, 'latin1') + 8
  const length = Math.floor((file.length - data) / 2 / channels)
  const samples = Int16Array.from({ length }, (_, index) => file.readInt16LE(data + 2 * channels * index))
  return { samples, rate: file.readUInt32LE(24) }
}

/** Writes 16 bit PCM with one channel. */
export function writeWave(samples: Int16Array, rate: number): Buffer {
  const bytes = samples.byteLength
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + bytes, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20) // PCM
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(2 * rate, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(bytes, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, bytes)])
}
