import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createShowApi, type ShowApi } from '../../../../bin/shows/show-api.ts'
import type { ShowDocument } from '../../../../lib/client/documents.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { joinSession, type Participant } from '../../../../local/sandbox/participants/client.ts'
import { type ConsoleInChromium, openConsole } from '../../../support/browsers/console-page.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { decodeAudio } from '../../../support/media/decode.ts'
import { stopAndDownload } from '../../../support/only-recording.ts'

const SHOW = {
  version: 1.1,
  name: 'Panel',
  duration: 1_200,
  recordings: [{ name: 'program' }],
} satisfies ShowDocument

/** Participants in the order of publishing, each with a tone of its own. */
const NAMES = ['Ada', 'Grace']

/** Seconds that are recorded before and after the click, at least. */
const RECORDED = 4

/** Mutes one of two streams in the console of `npm start`, and hears it in the published recording. */
describe('Mute, in Chromium', () => {
  let opened: ConsoleInChromium
  let api: ShowApi
  let showId: string
  const participants: Participant[] = []

  beforeAll(async () => {
    opened = await openConsole()
    api = createShowApi(opened.local.ready)
  })
  afterAll(async () => {
    for (const participant of participants) await participant.leave()
    await opened?.close()
  })

  it('silences one stream in the recording from the click on, and no other', async () => {
    showId = (await api.shows.start(SHOW)).showId
    await expect.poll(async () => (await api.shows.get(showId)).sessionId).toBeDefined()
    for (const name of NAMES) {
      const { sessionId, token } = await api.tokens.create(showId, { role: 'publisher', data: name })
      const participant = await joinSession({ url: opened.local.ready.sandboxUrl, sessionId, token })
      participants.push(participant)
      await participant.publish({ name })
    }
    const { page } = opened
    const tile = (name: string) =>
      page.getByRole('group', { name: 'Streams of Panel' }).getByRole('listitem').filter({ hasText: name })
    await tile('Grace').getByText('In the program').waitFor()
    const started = await recordingStart()
    const recorded = () => (Date.now() - started) / 1000
    await expect.poll(() => recorded() > RECORDED).toBe(true)
    const from = recorded()
    await page.getByRole('button', { name: 'Mute Ada', exact: true }).click()
    await page.getByText(/^Ada was muted at/).waitFor()
    const to = recorded()
    await tile('Ada')
      .getByText(/ · muted at \d\d:\d\d:\d\d$/)
      .waitFor()
    await expect.poll(() => recorded() > to + RECORDED).toBe(true)
    const { file } = await stopAndDownload(api, showId, opened.directory)

    const audio = await decodeAudio(await findFfmpeg(), file)
    const [ada = [], grace = []] = NAMES.map((_, place) => beepOnsets(audio, place))
    expect(ada.filter((at) => at < from).length).toBeGreaterThan(RECORDED - 3)
    expect(ada.filter((at) => at > to)).toEqual([])
    expect(grace.filter((at) => at > to).length).toBeGreaterThan(RECORDED - 2)
    expect(opened.complaints).toEqual([])
  })

  /** Resolves with the start of the recording, in milliseconds since the epoch. */
  async function recordingStart(): Promise<number> {
    const createdAt = async () => (await api.shows.get(showId)).recordings[0]?.createdAt
    await expect.poll(createdAt).toBeDefined()
    return Date.parse((await createdAt()) ?? '')
  }
})
