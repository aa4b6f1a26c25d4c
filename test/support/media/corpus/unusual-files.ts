import type { ArrivingFile } from './arriving-file.ts'
import { aac, audioAlone, h264, picture, tone, x264 } from './clip-maker.ts'
import { damaged, undecodable } from './damage.ts'

const withoutAudio = ['poster', 'faststart', 'hls', 'renditions', 'thumbnails'] as const
const withoutVideo = ['faststart', 'hls', 'audio'] as const

/** Files that can be published, in whole or in part. */
export function unusualFiles(): ArrivingFile[] {
  const complete = { status: 'complete' } as const
  return [
    {
      name: 'audio alone',
      make: audioAlone,
      expect: { ...complete, formats: withoutVideo },
    },
    {
      name: 'picture alone',
      make: ({ clip }) => clip('picture.mp4', ...picture(), ...h264),
      expect: { ...complete, formats: withoutAudio },
    },
    {
      name: 'a picture whose sides are not whole blocks',
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
      expect: { ...complete, formats: withoutAudio },
    },
    {
      name: 'a picture that lies on its side',
      make: ({ clip }) => clip('rotated.mp4', ...picture(), ...h264, '-metadata:s:v', 'rotate=90'),
      expect: { ...complete, formats: withoutAudio },
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
      make: async ({ clip, store }) => {
        const [one, other] = [
          await clip('one.h264', ...picture(), ...h264, '-bsf:v', 'dump_extra'),
          await clip('other.h264', ...picture('320x180'), ...h264, '-bsf:v', 'dump_extra'),
        ]
        const both = await store('both.h264', Buffer.concat([one, other]))
        return clip('both.mp4', '-framerate', '10', '-i', both, '-c', 'copy')
      },
      expect: { ...complete, formats: withoutAudio },
    },
    {
      name: 'timestamps that jump by an hour',
      make: async ({ clip, variable }) => {
        const jump = "setpts='PTS+if(gte(N,5),3600/TB,0)'"
        return clip('jump.mp4', ...picture(), '-vf', jump, ...(await variable()), ...h264)
      },
      expect: { ...complete, formats: withoutAudio },
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
      expect: { ...complete, formats: withoutAudio },
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
        formats: ['poster', 'faststart', 'hls', 'thumbnails', 'audio'],
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
        formats: ['poster', 'faststart', 'hls', 'renditions', 'audio'],
      },
    },
    {
      name: 'twelve hours',
      make: ({ clip }) => clip('twelve-hours.mp4', ...picture('64x64', 43_200, '1/10'), ...x264(), '-g', '30'),
      expect: { ...complete, formats: ['poster', 'faststart', 'hls', 'thumbnails'] },
    },
  ]
}
