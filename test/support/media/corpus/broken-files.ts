import type { ArrivingFile } from './arriving-file.ts'
import { aac, h264, picture, plain, tone } from './clip-maker.ts'
import { boxIn, noise, patched, writeBox } from './damage.ts'

/** Files that cannot be published. */
export function brokenFiles(): ArrivingFile[] {
  const failed = (message: RegExp) => ({ status: 'failed', message }) as const
  return [
    {
      name: 'zero bytes',
      make: async () => Buffer.alloc(0),
      expect: failed(/^The file is empty: it has zero bytes\.$/),
    },
    {
      name: 'a text',
      make: async () => Buffer.from('This file is text, although its name ends with mp4.\n'.repeat(100)),
      expect: failed(/^The file is not an MP4: it does not begin with an ftyp box\.$/),
    },
    {
      name: 'an index that was never written',
      make: async (maker) => withoutIndex(await plain(maker)),
      expect: failed(/^The file has no moov box: it was never finished, or its end is missing\.$/),
    },
    {
      name: 'an end that is missing',
      make: async (maker) => (await plain(maker)).subarray(0, 4_000),
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
      make: (maker) => patched(maker, (file) => file.writeUInt32BE(0xfffffff0, boxIn(file, 'moov').start)),
      expect: failed(/^The file is cut off: its moov box ends at byte \d+, the file at byte \d+\.$/),
    },
    {
      name: 'a huge index',
      make: async (maker) => {
        const file = await plain(maker)
        const { start, end } = boxIn(file, 'moov')
        const padding = writeBox('free', Buffer.alloc(65 * 2 ** 20))
        const moov = writeBox('moov', Buffer.concat([file.subarray(start + 8, end), padding]))
        return Buffer.concat([file.subarray(0, start), moov])
      },
      expect: failed(/^The MP4 is damaged: its moov box claims \d+ bytes, more than any recording needs\.$/),
    },
    {
      name: 'four billion frames, as the index says',
      make: (maker) => patched(maker, (file) => file.writeUInt32BE(0xffffffff, boxIn(file, 'stsz').start + 16)),
      expect: failed(/^The MP4 is damaged: its index has 4294967295 /),
    },
    {
      name: 'a run of four billion frames, as the index says',
      make: (maker) => patched(maker, (file) => file.writeUInt32BE(0xffffffff, boxIn(file, 'stts').start + 16)),
      expect: failed(/^The MP4 is damaged: its index claims 4294967295 packets of a track\.$/),
    },
    {
      name: 'an index of noise',
      make: (maker) => patched(maker, (file) => noise(file, boxIn(file, 'moov').start + 8, file.length)),
      expect: failed(/^The MP4 is damaged: /),
    },
    {
      name: 'no track at all',
      make: (maker) =>
        patched(maker, (file) =>
          file
            .fill('free', boxIn(file, 'trak').start + 4, boxIn(file, 'trak').start + 8)
            .fill('free', boxIn(file, 'trak').start + 4, boxIn(file, 'trak').start + 8),
        ),
      expect: failed(/^The MP4 holds no video and no audio\.$/),
    },
  ]
}

const withoutIndex = (file: Buffer) => file.subarray(0, boxIn(file, 'moov').start)
