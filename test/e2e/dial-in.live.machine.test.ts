import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { decodeAudio } from '../support/media/decode.ts'
import { peakOf } from '../support/media/tones.ts'
import { startProgram } from '../support/program.ts'
import { startLocal } from '../support/ready-program.ts'
import { startBaresip } from '../support/sip/baresip.ts'

/** Samples of a tenth of a second. */
const TENTH = 4_800

it('a show rings a phone, plays its tones, records it, hangs up and reports it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-dial-in-'))
  const directory = join(folder, 'local')
  const local = await startLocal(directory)
  onTestFinished(async () => {
    await local.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const phone = await startBaresip({ codec: 'opus', answers: false })
  onTestFinished(phone.close)
  const file = join(folder, 'show.json')
  const show = {
    version: 1.1,
    name: 'Press conference',
    duration: 4,
    dialIns: [{ name: 'press', uri: phone.uri, tones: '4711#' }],
    recordings: [{ name: 'program' }],
    publish: { formats: ['poster'] },
  }
  await writeFile(file, JSON.stringify(show))
  const run = startProgram(['run', file, '--participants', '1', '--json', '--directory', directory])
  await phone.until('CALL_INCOMING')
  await phone.run('accept')
  const { code, stdout } = await run.ended
  await phone.until('CALL_CLOSED')
  expect([code, phone.digits()]).toEqual([0, '4711#'])

  // biome-ignore lint/suspicious/noExplicitAny: answers of several routes, of which a few fields are read
  const get = async (path: string): Promise<any> => {
    const headers = { authorization: `Bearer ${local.ready.token}` }
    return (await fetch(`${local.ready.apiUrl}${path}`, { headers })).json()
  }
  const { dialIns, timeline, result } = await get(`/shows/${JSON.parse(stdout).showId}`)
  expect(result.status).toBe('succeeded')
  expect(dialIns).toMatchObject([{ name: 'press', status: 'ended', tones: 'played' }])
  const ofPhone = (timeline as { what: string }[]).flatMap(({ what }) => (what.startsWith('dialIn.') ? [what] : []))
  expect(ofPhone).toEqual(['dialIn.started', 'dialIn.tonesPlayed', 'dialIn.ended'])

  const { items } = await get('/recordings')
  const recording = join(folder, 'recording.mp4')
  await writeFile(recording, Buffer.from(await (await fetch(items[0].source.url)).arrayBuffer()))
  const audio = await decodeAudio(await findFfmpeg(), recording)
  const heard = Array.from({ length: Math.floor(audio.length / TENTH) }, (_, index) =>
    peakOf(audio.subarray(index * TENTH, (index + 1) * TENTH), 440),
  )
  expect(heard.filter((peak) => peak > 2_000).length).toBeGreaterThan(5)
})
