import { aac, type ClipMaker, h264, picture, plain, tone } from './clip-maker.ts'

/** Makes five seconds of which the third and fourth cannot be decoded, neither video nor audio. */
export async function damaged({ clip }: ClipMaker): Promise<Buffer> {
  const file = Buffer.from(await clip('five.mp4', ...picture('160x120', 5), ...tone(5), ...h264, ...aac))
  const { start, end } = boxIn(file, 'mdat')
  noise(file, Math.round(start + 0.38 * (end - start)), Math.round(start + 0.72 * (end - start)))
  return file
}

/** Makes a second of video and audio, nearly all of which is noise. */
export const undecodable = (maker: ClipMaker) =>
  patched(maker, (file) => noise(file, boxIn(file, 'mdat').start + 1_000, boxIn(file, 'mdat').end))

/** Makes the plain clip with a change. */
export async function patched(maker: ClipMaker, change: (file: Buffer) => unknown): Promise<Buffer> {
  const file = Buffer.from(await plain(maker))
  change(file)
  return file
}

/** Returns the first box of a type, found by its name. */
export function boxIn(file: Buffer, type: string): { start: number; end: number } {
  const start = file.indexOf(type, 0, 'latin1') - 4
  if (start < 0) throw new Error(`The clip has no ${type} box.`)
  return { start, end: start + file.readUInt32BE(start) }
}

export function writeBox(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** Overwrites bytes with noise, which is the same each time. */
export function noise(file: Buffer, start: number, end: number): void {
  for (let at = start, state = 1; at < end; at++) {
    state = (state * 48_271) % 0x7fffffff
    file[at] = state & 255
  }
}
