import { describe, expect, it } from 'vitest'
import { mixAudio } from '../../../../lib/media/composite/mix-audio.ts'
import { planComposite } from '../../../../lib/media/composite/plan-composite.ts'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { openIndividualArchive } from '../../../../lib/media/individual/individual-archive.ts'
import { inMemory, lavfi, useClips } from '../clips.ts'
import { packArchive, webm } from '../individual/archives.ts'

const clips = useClips()

/** Measures the amplitude of a mix of so many equal voices, 1 at most; old encoders clip pure tones above a half. */
async function heightOf(voices: number, height: number) {
  const tone = lavfi(`aevalsrc='${height}*sin(2*PI*440*t)':s=48000:d=1`)
  const path = await clips.make(`voice-${voices}.webm`, ...tone, ...webm)
  const streams = Array.from({ length: voices }, (_, n) => ({ streamId: `voice-${n}`, path, start: 0, stop: 1 }))
  const archive = await openIndividualArchive(inMemory(await packArchive(streams)))
  const plan = planComposite(archive, { width: 320, height: 180 })
  const mixed = await Array.fromAsync(mixAudio(archive, plan, clips))
  const decoding = ['-f', 'mp4', '-i', 'pipe:0', '-f', 's16le', 'pipe:1']
  const raw = await runFfmpeg(clips.ffmpegPath, decoding, mixed)
  const middle = new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length)).subarray(12_000, 36_000)
  const mean = middle.reduce((sum, sample) => sum + Math.abs(sample), 0) / middle.length
  return ((mean / 32_768) * Math.PI) / 2
}

describe('mixAudio', () => {
  it('keeps the loudness of each voice, also with several processes', async () => {
    expect(await heightOf(1, 0.02)).toBeCloseTo(0.02, 3)
    expect(await heightOf(3, 0.02)).toBeCloseTo(0.06, 3)
    expect(await heightOf(20, 0.02)).toBeCloseTo(0.4, 2)
  })

  it('limits a mix that would be too loud, and yields nothing without voices', async () => {
    const height = await heightOf(40, 0.1)
    expect(height).toBeGreaterThan(0.4)
    expect(height).toBeLessThan(1)
    const silent = mixAudio({} as never, { voices: [], frames: 30 }, clips)
    expect(await Array.fromAsync(silent)).toEqual([])
  })
})
