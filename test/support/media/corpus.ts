import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runFfmpeg } from '../../../lib/media/ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../../../lib/media/ffmpeg/ffmpeg-build.ts'
import type { Format } from '../../../lib/show/document/publishing.ts'
import { packZip } from '../../lib/media/zip/packed.ts'

/** A file as it may arrive, and what comes of it. */
export interface Odd {
  readonly name: string
  /** How the platform names it; `composed` unless said otherwise. */
  readonly mode?: 'individual'
  readonly make: (kitchen: Kitchen) => Promise<Uint8Array>
  readonly expect: {
    readonly status: 'complete' | 'failed'
    /** What the manifest says, beside that the platform does not know the archive; nothing where that is all. */
    readonly message?: RegExp
    /** What is made of it; everything where that is not said. */
    readonly formats?: readonly Format[]
  }
}

/** Makes clips, each once. */
export interface Kitchen {
  clip(name: string, ...args: readonly string[]): Promise<Buffer>
  /** The options by which frames keep uneven times. */
  variable(): Promise<string[]>
  /** Where a clip lies. */
  path(name: string): string
}

export function openKitchen(ffmpegPath: string, directory: string): Kitchen {
  const made = new Map<string, Promise<Buffer>>()
  const path = (name: string) => join(directory, name)
  const make = async (name: string, args: readonly string[]) => {
    await runFfmpeg(ffmpegPath, [...args, path(name)])
    return readFile(path(name))
  }
  return {
    path,
    variable: async () => [(await readFfmpegBuild(ffmpegPath)).frameTiming, 'vfr'],
    clip(name, ...args) {
      const clip = made.get(name) ?? make(name, args)
      made.set(name, clip)
      return clip
    },
  }
}

const lavfi = (graph: string) => ['-f', 'lavfi', '-i', graph]
const picture = (size = '160x120', seconds = 1, rate = '10') =>
  lavfi(`testsrc=size=${size}:rate=${rate}:duration=${seconds}`)
const tone = (seconds = 1) => lavfi(`sine=frequency=440:sample_rate=48000:duration=${seconds}`)
const x264 = (format = 'yuv420p') => ['-c:v', 'libx264', '-preset', 'ultrafast', '-threads', '1', '-pix_fmt', format]
const h264 = [...x264(), '-g', '10']
const aac = ['-c:a', 'aac', '-b:a', '64k']

/** A second of picture and audio as the platform records it, its index at the end. */
export const plain = ({ clip }: Kitchen) => clip('plain.mp4', ...picture(), ...tone(), ...h264, ...aac)

/** Five seconds of which the third and fourth cannot be decoded, neither picture nor audio. */
export async function damaged({ clip }: Kitchen): Promise<Buffer> {
  const file = Buffer.from(await clip('five.mp4', ...picture('160x120', 5), ...tone(5), ...h264, ...aac))
  const { start, end } = boxIn(file, 'mdat')
  noise(file, Math.round(start + 0.38 * (end - start)), Math.round(start + 0.72 * (end - start)))
  return file
}

/** The same second with noise in the place of nearly all of it. */
export const undecodable = (kitchen: Kitchen) =>
  patched(kitchen, (file) => noise(file, boxIn(file, 'mdat').start + 1_000, boxIn(file, 'mdat').end))

/** A second of nothing but audio. */
export const audioAlone = ({ clip }: Kitchen) => clip('audio.mp4', ...tone(), ...aac)

const silent = ['poster', 'faststart', 'hls', 'renditions', 'thumbnails', 'chapters'] as const
const pictureless = ['faststart', 'hls', 'audio', 'chapters'] as const

/** Files as they should not be, or as one would not expect them. */
export const corpus: readonly Odd[] = [
  { name: 'one like all others', make: plain, expect: { status: 'complete' } },
  ...brokenFiles(),
  ...strangeFiles(),
  ...zips(),
]

function brokenFiles(): Odd[] {
  const failed = (message: RegExp) => ({ status: 'failed', message }) as const
  return [
    {
      name: 'zero bytes',
      make: async () => Buffer.alloc(0),
      expect: failed(/^The file is empty: it has zero bytes\.$/),
    },
    {
      name: 'a text',
      make: async () => Buffer.from('This is no film, whatever its name says.\n'.repeat(100)),
      expect: failed(/^The file is not an MP4: it does not begin with an ftyp box\.$/),
    },
    {
      name: 'an index that was never written',
      make: async (kitchen) => withoutIndex(await plain(kitchen)),
      expect: failed(/^The file has no moov box: it was never finished, or its end is missing\.$/),
    },
    {
      name: 'an end that is missing',
      make: async (kitchen) => (await plain(kitchen)).subarray(0, 4_000),
      expect: failed(/^The file is cut off: its mdat box ends at byte \d+, the file at byte 4000\.$/),
    },
    {
      name: 'media that are cut off behind their index',
      make: async ({ clip }) => {
        const whole = await clip('front.mp4', ...picture(), ...tone(), ...h264, ...aac, '-movflags', 'faststart')
        return whole.subarray(0, whole.length - 3_000)
      },
      expect: failed(/^The file is cut off: its mdat box ends at byte \d+, the file at byte \d+\.$/),
    },
    {
      name: 'an mdat that was shortened and closed again',
      make: async ({ clip }) => {
        const whole = await clip('front.mp4', ...picture(), ...tone(), ...h264, ...aac, '-movflags', 'faststart')
        const cut = Buffer.from(whole.subarray(0, whole.length - 3_000))
        const { start } = boxIn(cut, 'mdat')
        cut.writeUInt32BE(cut.length - start, start)
        return cut
      },
      expect: failed(/^The file is cut off: its index places (video|audio) beyond the end of the file\.$/),
    },
    {
      name: 'an index that claims more than the file has',
      make: (kitchen) => patched(kitchen, (file) => file.writeUInt32BE(0xfffffff0, boxIn(file, 'moov').start)),
      expect: failed(/^The file is cut off: its moov box ends at byte \d+, the file at byte \d+\.$/),
    },
    {
      name: 'a huge index',
      make: async (kitchen) => {
        const file = await plain(kitchen)
        const { start, end } = boxIn(file, 'moov')
        const padding = writeBox('free', Buffer.alloc(65 * 2 ** 20))
        const moov = writeBox('moov', Buffer.concat([file.subarray(start + 8, end), padding]))
        return Buffer.concat([file.subarray(0, start), moov])
      },
      expect: failed(/^The MP4 is damaged: its moov box claims \d+ bytes, more than any recording needs\.$/),
    },
    {
      name: 'four billion frames, as the index says',
      make: (kitchen) => patched(kitchen, (file) => file.writeUInt32BE(0xffffffff, boxIn(file, 'stsz').start + 16)),
      expect: failed(/^The MP4 is damaged: its index has 4294967295 /),
    },
    {
      name: 'a run of four billion frames, as the index says',
      make: (kitchen) => patched(kitchen, (file) => file.writeUInt32BE(0xffffffff, boxIn(file, 'stts').start + 16)),
      expect: failed(/^The MP4 is damaged: its index claims 4294967295 packets of a track\.$/),
    },
    {
      name: 'an index of noise',
      make: (kitchen) => patched(kitchen, (file) => noise(file, boxIn(file, 'moov').start + 8, file.length)),
      expect: failed(/^The MP4 is damaged: /),
    },
    {
      name: 'no track at all',
      make: (kitchen) =>
        patched(kitchen, (file) =>
          file
            .fill('free', boxIn(file, 'trak').start + 4, boxIn(file, 'trak').start + 8)
            .fill('free', boxIn(file, 'trak').start + 4, boxIn(file, 'trak').start + 8),
        ),
      expect: failed(/^The MP4 holds no video and no audio\.$/),
    },
  ]
}

function strangeFiles(): Odd[] {
  const complete = { status: 'complete' } as const
  return [
    {
      name: 'audio alone',
      make: audioAlone,
      expect: { ...complete, formats: pictureless },
    },
    {
      name: 'picture alone',
      make: ({ clip }) => clip('picture.mp4', ...picture(), ...h264),
      expect: { ...complete, formats: silent },
    },
    {
      name: 'a picture that is no whole number of blocks',
      make: ({ clip }) => clip('322x242.mp4', ...picture('322x242'), ...tone(), ...h264, ...aac),
      expect: complete,
    },
    {
      name: 'an odd number of rows and columns, in full colour',
      make: ({ clip }) => clip('321x241.mp4', ...picture('321x241'), ...tone(), ...x264('yuv444p'), '-g', '10', ...aac),
      expect: complete,
    },
    {
      name: 'pixels that are not square',
      make: ({ clip }) => clip('sar.mp4', ...picture(), '-vf', 'setsar=16/11', ...h264),
      expect: { ...complete, formats: silent },
    },
    {
      name: 'a picture that lies on its side',
      make: ({ clip }) => clip('rotated.mp4', ...picture(), ...h264, '-metadata:s:v', 'rotate=90'),
      expect: { ...complete, formats: silent },
    },
    {
      name: 'a variable frame rate',
      make: async ({ clip, variable }) => {
        const uneven = "setpts='(N*0.1+0.04*mod(N*7,5)/5)/TB'"
        return clip('vfr.mp4', ...picture(), ...tone(), '-vf', uneven, ...(await variable()), ...h264, ...aac)
      },
      expect: complete,
    },
    {
      name: 'another resolution midway',
      make: async ({ clip, path }) => {
        const [one, other] = [
          await clip('one.h264', ...picture(), ...h264, '-bsf:v', 'dump_extra'),
          await clip('other.h264', ...picture('320x180'), ...h264, '-bsf:v', 'dump_extra'),
        ]
        const { writeFile } = await import('node:fs/promises')
        await writeFile(path('both.h264'), Buffer.concat([one, other]))
        return clip('both.mp4', '-framerate', '10', '-i', path('both.h264'), '-c', 'copy')
      },
      expect: { ...complete, formats: silent },
    },
    {
      name: 'timestamps that jump by an hour',
      make: async ({ clip, variable }) => {
        const jump = "setpts='PTS+if(gte(N,5),3600/TB,0)'"
        return clip('jump.mp4', ...picture(), '-vf', jump, ...(await variable()), ...h264)
      },
      expect: { ...complete, formats: silent },
    },
    {
      name: 'audio that begins late and ends later',
      make: ({ clip }) => clip('late.mp4', ...picture(), '-itsoffset', '0.7', ...tone(2), ...h264, ...aac),
      expect: complete,
    },
    {
      name: 'an edit list that begins inside a group of pictures',
      make: async ({ clip, path }) => {
        await clip('long.mp4', ...picture('160x120', 2), ...tone(2), ...x264(), '-bf', '2', '-g', '10', ...aac)
        return clip('edited.mp4', '-ss', '0.55', '-i', path('long.mp4'), '-c', 'copy')
      },
      expect: complete,
    },
    {
      name: 'fragments in place of an index',
      make: ({ clip }) =>
        clip('fragments.mp4', ...picture(), ...tone(), ...h264, ...aac, '-movflags', 'frag_keyframe+empty_moov'),
      expect: complete,
    },
    {
      name: 'a single frame',
      make: ({ clip }) => clip('frame.mp4', ...picture('160x120', 0.1), ...h264),
      expect: { ...complete, formats: silent },
    },
    {
      name: 'video of another kind (MPEG-4 part 2)',
      make: ({ clip }) => clip('mpeg4.mp4', ...picture(), ...tone(), '-c:v', 'mpeg4', ...aac),
      expect: { ...complete, message: /mp4v/, formats: ['faststart', 'audio'] },
    },
    {
      name: 'video of another kind (VP9)',
      make: ({ clip }) => clip('vp9.mp4', ...picture(), ...tone(), '-c:v', 'libvpx-vp9', '-cpu-used', '8', ...aac),
      expect: { ...complete, message: /vp9/, formats: ['faststart', 'audio'] },
    },
    {
      name: 'audio of another kind (MP3)',
      make: ({ clip }) => clip('mp3.mp4', ...picture(), ...tone(), ...h264, '-c:a', 'libmp3lame'),
      expect: { ...complete, message: /mp3/, formats: ['poster', 'faststart', 'thumbnails'] },
    },
    {
      name: 'audio of another kind (Opus)',
      make: ({ clip }) => clip('opus.mp4', ...picture(), ...tone(), ...h264, '-c:a', 'libopus', '-strict', '-2'),
      expect: { ...complete, message: /opus/, formats: ['poster', 'faststart', 'thumbnails'] },
    },
    {
      name: 'frames that are noise',
      make: undecodable,
      expect: {
        ...complete,
        message:
          /^No loudness and waveform: the audio cannot be decoded \(.{1,200}\)\. No smaller sizes: the picture cannot be decoded between 0:00 and 0:01 \(Error while decoding stream #0:0: Invalid data found when processing input\)\.$/,
      },
    },
    {
      name: 'a damaged stretch in its middle',
      make: damaged,
      expect: {
        ...complete,
        message: /^No thumbnails: the picture cannot be decoded at 0:03 \(the keyframe is damaged\)\.$/,
        formats: ['poster', 'faststart', 'hls', 'renditions', 'audio', 'chapters'],
      },
    },
    {
      name: 'twelve hours',
      make: ({ clip }) => clip('twelve-hours.mp4', ...picture('64x64', 43_200, '1/10'), ...x264(), '-g', '30'),
      expect: { ...complete, formats: ['poster', 'faststart', 'hls', 'thumbnails', 'chapters'] },
    },
  ]
}

function zips(): Odd[] {
  const refused = (name: string, message: RegExp, make: () => Uint8Array): Odd => ({
    ...{ name, mode: 'individual', make: async () => make() },
    expect: { status: 'failed', message },
  })
  const bomb = { name: 'bomb.webm', bytes: Buffer.alloc(8 * 2 ** 20), isDeflated: true }
  return [
    refused('an empty zip', /^The zip is empty: it has zero bytes\.$/, () => Buffer.alloc(0)),
    refused('a text named zip', /^The zip cannot be read .*not a zip file/, () =>
      Buffer.from('No zip at all.\n'.repeat(50)),
    ),
    refused(
      'a zip that leads out of its folder',
      /^The zip cannot be read \(invalid relative path: \.\.\/\.\.\/evil\.webm\)\.$/,
      () => packZip([{ name: '../../evil.webm', bytes: 'evil' }]),
    ),
    refused('a zip bomb', /"bomb\.webm" unpacks from \d+ bytes to 8388608, as only a zip bomb does/, () =>
      packZip([bomb]),
    ),
    refused('a zip whose files share bytes', /overlaps/, () =>
      packZip([
        { name: 'a.webm', bytes: 'a' },
        { name: 'b.webm', bytes: 'b', claims: { offset: 0 } },
      ]),
    ),
    refused('a zip without a manifest', /it has 0 manifests \(\.json\), not one\.$/, () =>
      packZip([{ name: 'a.webm', bytes: 'a' }]),
    ),
  ]
}

/** The plain clip with something changed in it. */
async function patched(kitchen: Kitchen, change: (file: Buffer) => unknown): Promise<Buffer> {
  const file = Buffer.from(await plain(kitchen))
  change(file)
  return file
}

const withoutIndex = (file: Buffer) => file.subarray(0, boxIn(file, 'moov').start)

/** The first box of this type, by its name. */
function boxIn(file: Buffer, type: string): { start: number; end: number } {
  const start = file.indexOf(type, 0, 'latin1') - 4
  if (start < 0) throw new Error(`The clip has no ${type} box.`)
  return { start, end: start + file.readUInt32BE(start) }
}

function writeBox(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** Bytes that follow no rule, the same each time. */
function noise(file: Buffer, start: number, end: number): void {
  for (let at = start, state = 1; at < end; at++) {
    state = (state * 48_271) % 0x7fffffff
    file[at] = state & 255
  }
}
