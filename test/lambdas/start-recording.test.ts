import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isCall, losingAnswers, openWorld, refusing, START_TIME, type World } from '../support/world.ts'
import { openShow, run, runAnyhow } from './run.ts'

let world: World
let show: Awaited<ReturnType<typeof openShow>>
beforeEach(async () => {
  world = openWorld()
  show = await openShow(world)
  await world.platform.join(show.sessionId)
})
afterEach(() => world.close())

const input = () => {
  const { showId, sessionId } = show
  return { showId, sessionId, recording: show.show.recordings[0] as (typeof show.show.recordings)[number] }
}
const start = () => run(world, 'startRecording', input())
const archives = async () => (await world.platform.call('listArchives', { sessionId: show.sessionId })).body.items

describe('startRecording', () => {
  it('starts an archive and lets out no more than its task says', async () => {
    expect(await start()).toEqual({
      name: 'program',
      tag: 'a-show/program/1',
      archiveId: expect.any(String),
      createdAt: START_TIME,
      status: 'started',
    })
  })

  it('adopts the archive when it is repeated, and when an answer was lost', async () => {
    world.interceptors.platform = losingAnswers(isCall('POST', /\/archive$/))
    const first = await start()
    expect(await start()).toEqual(first)
    expect(await archives()).toHaveLength(1)
  })

  it('lets no link to the file out when it adopts one that is available', async () => {
    const { archiveId } = await start()
    world.interceptors.platform = async (_request, pass) => {
      const page = (await (await pass()).json()) as { items: object[] }
      const links = { status: 'available', url: 'https://files.example.com/?signature=1' }
      return Response.json({ ...page, items: page.items.map((item) => ({ ...item, ...links })) })
    }
    const adopted = await start()
    expect(adopted).toMatchObject({ archiveId, status: 'available' })
    expect(JSON.stringify(adopted)).not.toMatch('signature')
  })

  it('fails for a repetition while the platform is unavailable', async () => {
    world.interceptors.platform = refusing(isCall('POST', /\/archive$/), 503)
    await expect(start()).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
  })

  it('names what is wrong with its input', async () => {
    await expect(
      runAnyhow(world, 'startRecording', { ...input(), recording: { name: 'a b', resolution: '1x1' } }),
    ).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(/^startRecording cannot work with its input\. recording\.name: .*recording\.res/),
    })
  })
})
