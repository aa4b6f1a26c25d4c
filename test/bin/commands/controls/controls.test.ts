import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { broadcastCommand } from '../../../../bin/commands/controls/broadcast.ts'
import { clipCommand, clipsCommand } from '../../../../bin/commands/controls/clip.ts'
import { extendCommand } from '../../../../bin/commands/controls/extend.ts'
import { joinCommand } from '../../../../bin/commands/controls/join.ts'
import { layoutCommand } from '../../../../bin/commands/controls/layout.ts'
import { markCommand } from '../../../../bin/commands/controls/mark.ts'
import { muteCommand } from '../../../../bin/commands/controls/mute.ts'
import { pauseCommand, resumeCommand } from '../../../../bin/commands/controls/pause.ts'
import { sayCommand } from '../../../../bin/commands/controls/say.ts'
import { showCommand } from '../../../../bin/commands/shows/show.ts'
import { localFileOf } from '../../../../bin/local/local-file.ts'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { bringLive, call, stateOf } from '../../../lambdas/api/call.ts'
import { sendTo, TOKEN } from '../../../lib/client/world-client.ts'
import { collectOutput } from '../../../support/stdout.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'

let folder: string
let world: World
let server: Listening
let output: ReturnType<typeof collectOutput>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  server = await listen(async (request) => sendTo(world, request))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  world = openWorld()
  vi.stubEnv('SHOWRUNNER_TOKEN', TOKEN)
  output = collectOutput()
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await world.close()
})

/** Runs a command about the show of `bringLive`, against the API of the world. */
async function run(command: Command, ...args: string[]): Promise<string> {
  output.stdout = ''
  await command.exitOverride().parseAsync([...args, '--url', server.url], { from: 'user' })
  return output.stdout
}
const lecture = {
  version: 1,
  name: 'Lecture',
  duration: 3_600,
  recordings: [{ name: 'program' }],
} satisfies ShowDocument
const minutesOf = (time = '') => Date.parse(time) / 60_000

describe('pause and resume', () => {
  it('control one recording, and print what was done', async () => {
    await bringLive(world, lecture)
    expect(await run(pauseCommand(), 'a-show', 'program')).toBe('✔ The recording program is paused.\n')
    const answer = JSON.parse(await run(resumeCommand(), 'a-show', 'program', '--json'))
    expect(answer.timeline).toMatchObject([{ what: 'control.resume', name: 'program' }])
    expect((await stateOf(world)).recordings.map(({ part }) => part)).toEqual([1, 2])
  })
})

describe('mark', () => {
  it('sets a marker at a time of the show', async () => {
    await bringLive(world, lecture)
    expect(await run(markCommand(), 'a-show', 'Questions', '--at', '90.5')).toBe(
      '✔ The marker Questions is at 90.5 s.\n',
    )
    await run(markCommand(), 'a-show', 'Welcome')
    expect((await stateOf(world)).markers).toMatchObject([{ title: 'Questions' }, { title: 'Welcome' }])
    await expect(run(markCommand(), 'a-show', 'Talk', '--at', 'soon')).rejects.toThrow('It must be a day or a time')
  })
})

describe('clip and clips', () => {
  it('cut a clip out of a live show, list it and delete it', async () => {
    await bringLive(world, { ...lecture, broadcasts: [{ name: 'live', hls: {} }] })
    world.interceptors.platform = async (request, pass) =>
      new URL(request.url).pathname === '/index.m3u8' ? new Response(playlistAt(world.now())) : pass()
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      broadcasts: state.broadcasts.map((one) => ({ ...one, hls: 'http://localhost/index.m3u8' })),
    }))
    await world.clock.advance(4_000)
    const shown = await run(clipCommand(), 'a-show', 'The demo', '--last', '2')
    const [clipId = ''] = shown.split(' ')
    expect(shown).toMatch(/^[0-9a-f]{16} {2}The demo {2}1\.9 s to 3\.9 s, cutting\n {2}Watch {2}https:/)
    expect(await run(clipsCommand(), 'a-show')).toContain(`${clipId}  The demo`)
    await expect.poll(() => run(clipsCommand(), 'a-show', '--delete', clipId).catch(String)).toContain('was deleted')
    expect(await run(clipsCommand(), 'a-show')).toBe('The show has no clips.\n')
    await expect(run(clipCommand(), 'a-show', 'Talk', '--from', 'soon')).rejects.toThrow('It must be a day or a time')
  })
})

/** Writes the playlist of a broadcast that ends now, with 4 s. */
const playlistAt = (now: string) => {
  const times = [4_000, 2_000].map((before) => new Date(Date.parse(now) - before).toISOString())
  const segments = times.map((time, index) => `#EXT-X-PROGRAM-DATE-TIME:${time}\n#EXTINF:2,\n${index}.m4s\n`)
  return `#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n${segments.join('')}`
}

describe('extend', () => {
  it('adds to the planned end, or moves it to a time', async () => {
    await bringLive(world, lecture)
    const before = (await stateOf(world)).plannedEndAt
    expect(await run(extendCommand(), 'a-show', '+15m')).toMatch(
      /^✔ The show ends at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\n$/,
    )
    const { plannedEndAt } = await stateOf(world)
    expect(minutesOf(plannedEndAt) - minutesOf(before)).toBe(15)
    const answer = JSON.parse(await run(extendCommand(), 'a-show', '2026-11-20T10:30:00Z', '--json'))
    expect(answer.timeline).toMatchObject([{ what: 'control.duration', detail: expect.stringContaining('10:30:00') }])
    expect((await stateOf(world)).plannedEndAt).toBe('2026-11-20T10:30:00.000Z')
  })

  it('reports a show that is not live, and a show that does not exist', async () => {
    const { body } = await call(world, 'POST /shows', { body: webinar })
    await expect(run(extendCommand(), body.showId, '+15m')).rejects.toThrow('Only a live show can be extended.')
    await expect(run(extendCommand(), 'none', '19:30')).rejects.toThrow('There is no show none.')
  })
})

describe('layout', () => {
  it('changes all that is composed, or the named ones', async () => {
    const recordings = [...lecture.recordings, { name: 'speakers', outputMode: 'individual' as const }]
    await bringLive(world, { ...lecture, recordings, broadcasts: [{ name: 'live', hls: {} }] })
    expect(await run(layoutCommand(), 'a-show', 'pip')).toBe(
      '✔ The layout of the recording program is pip. \n✔ The layout of the broadcast live is pip.\n'.replace(
        ' \n',
        '\n',
      ),
    )
    await run(layoutCommand(), 'a-show', 'bestFit', '--broadcast', 'live', '--screenshare', 'pip')
    const state = await stateOf(world)
    expect([state.recordings[0]?.layout, state.broadcasts[0]?.layout]).toEqual([
      { type: 'pip' },
      { type: 'bestFit', screenshareType: 'pip' },
    ])
  })

  it('reads a stylesheet for the type custom', async () => {
    await bringLive(world, lecture)
    const file = join(folder, 'layout.css')
    await writeFile(file, 'stream { width: 50% }')
    await run(layoutCommand(), 'a-show', 'custom', '--stylesheet', file)
    expect((await stateOf(world)).recordings[0]?.layout).toEqual({
      type: 'custom',
      stylesheet: 'stream { width: 50% }',
    })
    await expect(run(layoutCommand(), 'a-show', 'custom')).rejects.toThrow('The type custom needs --stylesheet')
    await expect(run(layoutCommand(), 'a-show', 'custom', '--stylesheet', 'none.css')).rejects.toThrow(
      'none.css cannot be read: it does not exist.',
    )
  })

  it('reports a recording that the show does not have', async () => {
    await bringLive(world, lecture)
    await expect(run(layoutCommand(), 'a-show', 'pip', '--recording', 'other')).rejects.toThrow(/layouts\[0\]/)
  })
})

describe('mute', () => {
  it('mutes every stream, and stops that', async () => {
    await bringLive(world, lecture)
    expect(await run(muteCommand(), 'a-show')).toMatch(/^✔ .*\n$/)
    const { timeline } = JSON.parse(await run(muteCommand(), 'a-show', '--off', '--json'))
    expect(timeline).toMatchObject([{ what: 'control.mute' }])
    await expect(run(muteCommand(), 'a-show', '--off', '--stream', 's')).rejects.toThrow('exclude each other')
    await expect(run(muteCommand(), 'a-show', '--stream', 'none')).rejects.toThrow(
      /^No stream of show a-show has the id or the name none\. Published are [^\n]+\.$/,
    )
  })
})

describe('mute and show --streams', () => {
  it('mute the streams of participants by their names, which show --streams prints', async () => {
    const { sessionId } = await bringLive(world, lecture)
    const [ada, eve] = [
      await world.platform.join(sessionId, { name: 'Ada' }),
      await world.platform.join(sessionId, { name: 'Eve' }),
    ]
    expect(await run(showCommand(), 'a-show', '--streams')).toMatch(
      new RegExp(`^STREAM .*\\n[^]*\\n${ada.streamId} +Ada +camera\\n${eve.streamId} +Eve +camera\\n$`),
    )
    expect(JSON.parse(await run(showCommand(), 'a-show', '--streams', '--json')).items).toHaveLength(3)
    expect(await run(muteCommand(), 'a-show', '--stream', 'ada')).toBe(`✔ The stream ${ada.streamId} was muted.\n`)
    await run(muteCommand(), 'a-show', '--except', 'Ada', '--except', eve.streamId ?? '')
    expect(world.calls.filter((made) => made.startsWith('POST'))).toEqual([
      `POST /session/${sessionId}/stream/${ada.streamId}/mute`,
      `POST /session/${sessionId}/mute`,
    ])
    expect((await stateOf(world)).timeline.at(-1)?.detail).toContain('except 2')
    await world.platform.join(sessionId, { name: 'Ada' })
    await expect(run(muteCommand(), 'a-show', '--stream', 'Ada')).rejects.toThrow(
      /^2 streams [^\n]+ Pass the id of one\.$/,
    )
  })
})

describe('say', () => {
  it('sends a signal to every participant', async () => {
    const { sessionId } = await bringLive(world, lecture)
    expect(sessionId).toBeTruthy()
    expect(await run(sayCommand(), 'a-show', 'Five minutes left.')).toMatch(/^✔ .*\n$/)
    const { timeline } = await stateOf(world)
    expect(timeline.at(-1)).toMatchObject({ what: 'control.signal', by: 'app' })
    await expect(run(sayCommand(), 'a-show', 'Hello.', '--to', 'none')).rejects.toThrow(/^[^\n]+\.$/)
  })
})

describe('broadcast stop', () => {
  it('takes one broadcast off the air', async () => {
    await bringLive(world, { ...lecture, broadcasts: [{ name: 'live', hls: {} }] })
    expect(await run(broadcastCommand(), 'stop', 'a-show', 'live')).toBe('✔ The broadcast live is stopped.\n')
    expect((await stateOf(world)).broadcasts[0]?.status).toBe('stopped')
  })
})

describe('broadcast add', () => {
  it('adds a broadcast with HLS', async () => {
    await bringLive(world, lecture)
    expect(await run(broadcastCommand(), 'add', 'a-show', 'late', '--dvr')).toBe('✔ The broadcast late was started.\n')
    expect((await stateOf(world)).broadcasts[0]?.order).toMatchObject({ name: 'late', hls: { dvr: true } })
  })

  it('sends it to a server, whose key is a reference', async () => {
    await bringLive(world, lecture)
    world.keepShowSecret('rtmp', { key: 'hush' })
    const server = ['--rtmp', 'rtmp://live.example.com/app', '--key', 'rtmp#key']
    expect(await run(broadcastCommand(), 'add', 'a-show', 'late', ...server)).not.toContain('hush')
    const { order } = (await stateOf(world)).broadcasts[0] ?? {}
    expect(order).toMatchObject({ rtmp: [{ id: 'late', streamName: { secret: 'rtmp#key' } }] })
    expect(order).not.toHaveProperty('hls')
    await expect(run(broadcastCommand(), 'add', 'a-show', 'other', '--key', 'rtmp#key')).rejects.toThrow('Pass both.')
    await expect(
      run(broadcastCommand(), 'add', 'a-show', 'other', '--rtmp', 'rtmp://live.example.com/app', '--key', 'none#key'),
    ).rejects.toThrow('none')
  })
})

describe('join', () => {
  it('prints the link to the join page of the running `npm start`', async () => {
    await bringLive(world, lecture)
    const directory = join(folder, 'local')
    const text = { apiUrl: server.url, sandboxUrl: server.url, consoleUrl: server.url, token: TOKEN, controlToken: 'd' }
    const local = {
      ...text,
      sandboxAccess: { apiKey: '1' },
      awsAccess: { endpoint: server.url },
      callbackSecret: 'c',
      outputs: { ShowSecretsPrefix: 'p/' },
      joinUrl: 'http://127.0.0.1:9/#invitation',
      pid: process.pid,
    }
    await writeFile(localFileOf(directory), JSON.stringify(local))
    output.stdout = ''
    await joinCommand().parseAsync(['a-show', '--directory', directory], { from: 'user' })
    expect(output.stdout).toBe('http://127.0.0.1:9/?show=a-show#invitation\n')
    const { body } = await call(world, 'POST /shows', { body: { ...lecture, start: { at: '2026-12-01T19:00' } } })
    await call(world, `DELETE /shows/${body.showId}`)
    const joined = joinCommand().parseAsync([body.showId, '--directory', directory], { from: 'user' })
    await expect(joined).rejects.toThrow('so it admits no participants')
  })

  it('prints an invitation to a deployment, and a token while the show has a session', async () => {
    const { body } = await call(world, 'POST /shows', { body: { ...lecture, start: { at: '2026-12-01T19:00' } } })
    const early = JSON.parse(await run(joinCommand(), body.showId, '--json'))
    expect(Object.keys(early)).toEqual(['showId', 'invitation', 'expiresAt'])
    expect(await run(joinCommand(), body.showId)).toMatch(/^Invitation {2}[\w.-]+\nValid until \d/)

    const { sessionId } = await bringLive(world, lecture)
    const answer = JSON.parse(await run(joinCommand(), 'a-show', '--name', 'Ada', '--json'))
    expect(answer).toMatchObject({ showId: 'a-show', sessionId, apiKey: expect.any(String), token: expect.any(String) })
    expect(await run(joinCommand(), 'a-show')).toContain(`Session     ${sessionId}`)
    for (const program of ['xdg-open', 'open']) await writeFile(join(folder, program), '#!/bin/sh\n', { mode: 0o700 })
    vi.stubEnv('PATH', folder)
    await expect(run(joinCommand(), 'a-show', '--open')).rejects.toThrow('The deployment has no join page.')
  })
})
