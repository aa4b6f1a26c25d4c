import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import type { Picture } from '../../local/sandbox/media/composing/picture.ts'
import { paletteIdentityOf } from '../../local/sandbox/media/pattern/palette.ts'
import { captureFrom, launchChromium } from '../support/browsers/chromium.ts'
import { type DemoRun, runDemo } from '../support/demo.ts'
import { beepOnsets } from '../support/media/beeps.ts'
import { findCells } from '../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../support/media/decode.ts'
import type { Program } from '../support/program.ts'

/** A person opens the link of the demo in a browser, and is recorded with the three generated participants. */
describe('demo --join', () => {
  /** The person beeps in the tone of a place that no generated participant has. */
  const PLACE = 7
  let ffmpegPath: string
  let directory: string
  let demo: DemoRun

  beforeAll(async () => {
    ffmpegPath = await findFfmpeg()
    directory = await mkdtemp(join(tmpdir(), 'showrunner-person-'))
    const [video, audio] = [join(directory, 'red.y4m'), join(directory, 'beeps.wav')]
    const beep = `aevalsrc=0.6*sin(2*PI*${paletteIdentityOf(PLACE).tone}*t)*lt(mod(t\\,1)\\,0.2):s=48000:d=4`
    await runFfmpeg(ffmpegPath, ['-f', 'lavfi', '-i', 'color=red:s=320x240:r=30:d=1', '-pix_fmt', 'yuv420p', video])
    await runFfmpeg(ffmpegPath, ['-f', 'lavfi', '-i', beep, '-ac', '2', audio])
    const browser = await launchChromium(captureFrom({ video, audio }))
    const visit = async (link: string) => {
      const page = await (await browser.newContext()).newPage()
      await page.goto(link)
      await page.getByLabel('Your name').fill('Barbara')
      await page.getByRole('button', { name: 'Join', exact: true }).click()
      await page.getByRole('heading', { name: 'The show is over' }).waitFor()
    }
    try {
      const attend = async ({ says }: Pick<Program, 'says'>) => visit((await says(/http:\S+\/#\S+/))[0])
      demo = await runDemo({}, attend, ['--join'])
    } finally {
      await browser.close()
    }
  })
  afterAll(async () => {
    await demo?.remove()
    await rm(directory, { recursive: true, force: true })
  })

  it('succeeds, once the person and then the generated participants have joined', () => {
    expect(demo.code).toBe(0)
    expect(demo.outcome.status).toBe('succeeded')
    expect(demo.outcome.recordings.map(({ status }) => status)).toEqual(['uploaded', 'uploaded'])
    const [person, ...others] = demo.record.streams.map(({ start }) => start)
    expect(others).toHaveLength(3)
    expect(Math.min(...others)).toBeGreaterThan(person as number)
  })

  it('records the picture of the person from start to end, and the audio', async () => {
    const { file } = demo.recording('program')
    const pictures = await decodePictures(ffmpegPath, file, { width: 640, height: 360 })
    const seen = pictures.map((picture) => ({ isRed: redShare(picture) > 0.1, places: [...findCells(picture).keys()] }))
    expect(seen.length / 30).toBeGreaterThan(40)
    // A busy browser sends its first picture late, and pauses: after 5 s without a picture the stream is black.
    expect(seen.filter(({ isRed }) => isRed).length).toBeGreaterThan(0.5 * seen.length)
    expect(seen.slice(-10 * 30).some(({ isRed }) => isRed)).toBe(true)
    expect([...new Set(seen.flatMap(({ places }) => places))].toSorted()).toEqual([1, 2, 3])
    expect(seen.some(({ isRed, places }) => isRed && places.length === 3)).toBe(true)
    const beeps = beepOnsets(await decodeAudio(ffmpegPath, file), PLACE)
    expect(beeps.length).toBeGreaterThan(5) // browsers take a repeated tone for noise, and suppress it in part
  })
})

/** Returns the share of a picture that is red: that has much of the red difference, and little of the blue one. */
function redShare({ planes: [, u, v] }: Picture): number {
  let red = 0
  for (let at = 0; at < v.data.length; at++) if ((v.data[at] as number) > 200 && (u.data[at] as number) < 128) red++
  return red / v.data.length
}
