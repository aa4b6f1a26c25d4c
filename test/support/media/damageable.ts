import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runFfmpeg } from '../../../lib/media/ffmpeg/ffmpeg.ts'
import { aac, h264, lavfi, tone } from '../../lib/media/clips.ts'
import { webm } from '../../lib/media/individual/archives.ts'

const picture = lavfi('testsrc=size=160x120:rate=10:duration=3')

/** Makes the small files that are damaged: MP4s of every layout, and the parts of an archive of single streams. */
export async function makeDamageable(ffmpegPath: string, directory: string): Promise<void> {
  const make = (name: string, ...args: string[]) => runFfmpeg(ffmpegPath, [...args, join(directory, name)])
  const both = [...picture, ...tone(3), ...h264, ...aac]
  await make('end.mp4', ...both)
  await make('front.mp4', ...both, '-movflags', '+faststart')
  await make('fragments.mp4', ...both, '-movflags', '+frag_keyframe+empty_moov+default_base_moof')
  await make(
    'reordered.mp4',
    ...picture,
    ...tone(3),
    '-c:v',
    'libx264',
    '-bf',
    '3',
    '-g',
    '20',
    '-pix_fmt',
    'yuv420p',
    ...aac,
  )
  await make('audio.mp4', ...tone(3), ...aac)
  await make('one.webm', ...picture, ...tone(3), ...webm)
  await make('two.webm', ...lavfi('testsrc=size=120x160:rate=10:duration=2'), ...tone(2), ...webm)
  const stream = async (name: string, start: number, stop: number) => ({
    ...{ connectionData: '', filename: `${name}.webm`, size: (await readFile(join(directory, `${name}.webm`))).length },
    ...{ streamId: name, videoType: 'camera', startTimeOffset: start, stopTimeOffset: stop },
  })
  const files = [await stream('one', 0, 3000), await stream('two', 1000, 3000)]
  const manifest = { id: 'archive', name: 'talk', sessionId: '1_x', createdAt: 1_700_000_000_000, files }
  await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest))
}
