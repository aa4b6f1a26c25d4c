import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../../../bin/local/root.ts'
import type { Composer } from '../../../../../lib/platform/contract/composers.ts'
import { attempt } from '../../../../support/browsers/attempt.ts'
import { measureLateness } from '../../../../support/lateness.ts'
import { decodeAudio, decodePictures } from '../../../../support/media/decode.ts'
import { commandLineOf, killProcess, processesWith } from '../../../../support/processes.ts'
import { startSandboxProgram } from '../../../../support/ready-program.ts'
import { findTool } from '../../../../support/tools.ts'
import { eventually, openDoorsOf } from '../../webrtc/open-doors.ts'
import { openRecording } from '../../webrtc/open-recording.ts'
import { readScene } from './scene-recording.ts'
import { serveScene, serveTestPages } from './test-pages.ts'

type Session = Pick<Awaited<ReturnType<typeof openDoorsOf>>, 'call' | 'clientToken' | 'sessionId'>

/** Seconds from drawing a picture to showing it: 0.4 of every live stream, and those that the capture takes. */
const IN_TIME = 0.6

/** The folder for temporary files of this test. */
let temporary: string
beforeEach(async () => {
  const { TMPDIR } = process.env
  temporary = await mkdtemp(join(tmpdir(), 'composers-'))
  process.env.TMPDIR = temporary
  onTestFinished(async () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    await rm(temporary, { recursive: true, force: true })
  })
})

/** Returns the ids of the processes that are started with a browser's profile, and the folders of browsers. */
const browsers = () => processesWith(`--user-data-dir=${temporary}`)
const folders = async () => readdir(join(temporary, `showrunner-composers-${process.getuid?.()}`))
const profileOf = (pid: number) => /--user-data-dir=(\S+)/.exec(commandLineOf(pid))?.[1]
const profiles = () => browsers().map(profileOf)

async function compose({ call, clientToken, sessionId }: Session, url: string, more: object = {}) {
  const { body } = await call('startComposer', { sessionId, token: await clientToken(), url, ...more })
  const read = async () => (await call('getComposer', { composerId: body.id })).body as Composer
  /** Resolves with the composer in a status; rejects when it has ended in another. */
  async function reaches(status: Composer['status']): Promise<Composer> {
    const isOver = (composer: Composer) => composer.reason !== undefined
    const composer = await eventually(read, (one) => one.status === status || isOver(one))
    expect(composer).toMatchObject({ status })
    return composer
  }
  return { id: body.id as string, read, reaches }
}

/** Starts a composer of a page, again while a busy machine does not load it in time. */
async function composeStarted(session: Session, url: string) {
  const started: Awaited<ReturnType<typeof compose>>[] = []
  await attempt(async () => {
    const composer = await compose(session, url)
    await composer.reaches('started')
    started.push(composer)
  })
  return started[0] as (typeof started)[number]
}

/** The scene of `examples/everything.json` with its query, served elsewhere. */
async function sceneUrl(): Promise<string> {
  const { scenes } = JSON.parse(readFileSync(join(root, 'examples/everything.json'), 'utf8'))
  const { pathname, search } = new URL(scenes.find(({ name }: { name: string }) => name === 'titles').url)
  return (await serveScene()) + pathname + search
}

/** Expects a recording of the scene to show and sound as it is drawn: picture and audio of one time together. */
async function expectInSync({ recordFile, ffmpegPath }: Awaited<ReturnType<typeof openRecording>>): Promise<void> {
  const meter = measureLateness()
  onTestFinished(meter.stop)
  const from = Date.now()
  // Chromium reports on its audio every five seconds or so. From then on, picture and audio are aligned.
  const { path, createdAt } = await recordFile(7, undefined, '1280x720')
  const lateness = meter.between(from) / (Date.now() - from)
  const pictures = await decodePictures(ffmpegPath, path, { width: 1280, height: 720 })
  const audio = await decodeAudio(ffmpegPath, path)
  const { shown, beeps, pictureDelay, audioDelay } = readScene(pictures, audio, createdAt)
  expect(shown.length).toBeGreaterThan(pictures.length / 2)
  expect(shown).toEqual(shown.toSorted((one, other) => one.number - other.number))
  expect(beeps.length).toBeGreaterThanOrEqual(4)
  // Only a busy machine shows every picture late.
  if (pictureDelay > IN_TIME) expect(lateness).toBeGreaterThan(0.5)
  else expect(Math.abs(audioDelay)).toBeLessThanOrEqual(0.04)
}

describe('composers in Chromium', () => {
  it('publish pages as they look and sound, and fail as they do', async () => {
    const chromiumPath = await findTool('chromium', 'chromium')
    const session = await openRecording({ chromiumPath })
    const pages = await serveTestPages()
    const small = { resolution: '640x480' }
    const silent = await compose(session, `${pages.url}/silent`, small)
    const scene = await compose(session, await sceneUrl(), { properties: { name: 'Titles' } })
    const { streamId } = await scene.reaches('started')
    const { stream } = await session.moderator.event('streamCreated')
    expect(stream).toMatchObject({ id: streamId, name: 'Titles', videoType: 'custom', hasAudio: true, hasVideo: true })

    // Waits for the browsers of the first two composers, so that any further profile belongs to the next one.
    const others = await eventually(profiles, (found) => new Set(found).size === 2)
    const trials = await compose(session, `${pages.url}/trials`, { resolution: '1080x1920' })
    await trials.reaches('started')
    const [found] = await eventually(
      () => pages.found,
      ({ length }) => length > 0,
    )
    expect(found).toEqual({
      size: [1080, 1920, 1],
      window: null,
      confirmed: false,
      file: 'TypeError',
      frame: 'about:blank',
      clipboard: 'NotAllowedError',
      place: 1, // PERMISSION_DENIED
      network: 'granted',
      notifications: 'denied',
    })
    expect(pages.requested).not.toContain('/other')
    const renderers = processesWith('--type=renderer')
    const own = browsers().filter((pid) => !others.includes(profileOf(pid)))
    for (const pid of own.filter((one) => renderers.includes(one))) killProcess(pid)
    expect(await trials.reaches('failed')).toMatchObject({ reason: 'The page crashed.' })

    for (const [url, reason] of [
      [`${pages.url}/missing`, 'The page cannot be shown: its server answered 404.'],
      ['http://scenes.invalid/', 'The page cannot be reached: no host has this name.'],
      [`${pages.url}/redirect`, 'The page is not a web page.'],
      [`${pages.url}/download`, 'The page is not a web page: its address is a download.'],
    ] as const) {
      const { reaches } = await compose(session, url, small)
      expect(await reaches('failed')).toMatchObject({ reason })
    }

    await attempt(() => expectInSync(session))
    expect(await silent.reaches('failed')).toMatchObject({ reason: 'The page did not load within 30 s.' })
    await session.call('stopComposer', { composerId: scene.id })
    expect(await scene.read()).toMatchObject({ status: 'stopped', reason: 'Stop Requested' })
    await eventually(session.streams, (left) => left.length === 0)
    await eventually(folders, (left) => left.length === 0)
    await eventually(browsers, (left) => left.length === 0)
  })

  it('leave no browser when the sandbox is closed, killed or started again', async () => {
    const pages = await serveTestPages()
    const data = join(temporary, 'data')
    const start = () => startSandboxProgram(['--composers', 'chromium', '--data', data])
    const killed = await start()
    const session = await openDoorsOf(killed.ready)
    await composeStarted(session, `${pages.url}/trials`)
    const [browser] = browsers().filter((pid) => !commandLineOf(pid).includes('--type='))
    if (browser === undefined) throw new Error('The composer has no browser.')
    process.kill(browser, 'SIGSTOP') // a browser that runs would end with its sandbox
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(browsers()).toContain(browser)

    const next = await start()
    await eventually(browsers, (found) => found.length === 0)
    await eventually(folders, (found) => found.length === 0)
    const again = await openDoorsOf(next.ready)
    const crashing = await composeStarted(again, `${pages.url}/trials`)
    for (const pid of browsers()) if (!commandLineOf(pid).includes('--type=')) killProcess(pid)
    expect(await crashing.reaches('failed')).toMatchObject({ reason: 'The browser closed the page.' })
    await composeStarted(again, `${pages.url}/trials`)
    await next.stop()
    await eventually(browsers, (left) => left.length === 0)
    expect(await folders()).toEqual([])
  })
})
