import { FRAMES_PER_SECOND, SAMPLES_PER_SECOND } from '../../local/sandbox/media/timebase.ts'

/** Cells of the frame that both draw: four by four. */
export const FRAME = { width: 1280, height: 720 } as const
const SIDE = 4
export const SOURCES = SIDE * SIDE

/** The encoding of the sandbox’s archives. */
const ENCODING = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '21', '-pix_fmt', 'yuv420p', '-bf', '0', '-g', '60'],
  ...['-threads:v', '1', '-c:a', 'aac', '-b:a', '96k'],
]

/** Returns the arguments with which ffmpeg draws 16 files into one frame, mixes their audio and encodes both. */
export function xstackArguments(paths: readonly string[], seconds: number, path: string): string[] {
  const cell = { width: FRAME.width / SIDE, height: FRAME.height / SIDE }
  const size = `${cell.width}:${cell.height}`
  const fitted = `scale=${size}:force_original_aspect_ratio=decrease,pad=${size}:(ow-iw)/2:(oh-ih)/2`
  const cells = paths.map((_, index) => `[${index}:v]fps=${FRAMES_PER_SECOND},${fitted}[v${index}]`)
  const places = paths.map((_, index) => `${(index % SIDE) * cell.width}_${Math.floor(index / SIDE) * cell.height}`)
  const drawn = paths.map((_, index) => `[v${index}]`).join('')
  const heard = paths.map((_, index) => `[${index}:a]`).join('')
  const graph = [
    ...cells,
    `${drawn}xstack=inputs=${paths.length}:layout=${places.join('|')}[v]`,
    `${heard}amix=inputs=${paths.length},aresample=${SAMPLES_PER_SECOND},aformat=channel_layouts=mono[a]`,
  ]
  const inputs = paths.flatMap((one) => ['-i', one])
  const maps = ['-filter_complex', graph.join(';'), '-map', '[v]', '-map', '[a]', '-t', String(seconds)]
  return [...inputs, ...maps, ...ENCODING, path]
}
