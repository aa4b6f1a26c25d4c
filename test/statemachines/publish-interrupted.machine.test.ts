import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readDefinition } from '../../lib/constructs/deploy/definition.ts'
import type { ClipRecord } from '../../lib/publish/manifest/clip.ts'
import { rolesOf } from '../../lib/publish/manifest/manifest.ts'
import { writeClip } from '../../lib/records/clip-records.ts'
import { type Format, formats } from '../../lib/show/document/publishing.ts'
import { keys } from '../../lib/show/state/keys.ts'
import { bringLive, run, settled } from '../lambdas/run.ts'
import { fetchObject } from '../lambdas/stored-archives.ts'
import { picture, tone, useClips } from '../lib/media/clips.ts'
import { packArchive, webm } from '../lib/media/individual/archives.ts'
import { recordStretches } from '../lib/media/joining/rolled-over.ts'
import { openClipMaker, plain } from '../support/media/corpus/clip-maker.ts'
import { undecodable } from '../support/media/corpus/damage.ts'
import { type Arrived, type Publishing, type PublishingOptions, publishIn } from '../support/publishing.ts'
import { isCall } from '../support/world/interceptors.ts'
import { machineArn, openWorld, type World, webinar } from '../support/world.ts'

const LADDER = JSON.stringify([{ name: '64p', height: 64, maxVideoBitrate: 100_000 }])
const SHORT_GOPS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '60', '-pix_fmt', 'yuv420p']
const LATER_PART = '22222222-0000-4000-8000-000000000000'
/** Seconds after which the later part begins. */
const LATER = 1

/** An archive that has come, and what a publish of it is asked for. */
interface Arrival {
  readonly world: World
  readonly publishing: Publishing
  readonly input: Arrived & { readonly formats?: readonly Format[]; readonly clip?: ClipKey }
}

type ClipKey = Pick<ClipRecord, 'archiveId' | 'clipId'>

type Arrive = (around?: PublishingOptions['around']) => Promise<Arrival>

const clips = useClips()
let movie: Buffer
let noise: Buffer
let zip: Buffer
let parts: readonly Buffer[]
beforeAll(async () => {
  const maker = openClipMaker(clips.ffmpegPath, clips.directory)
  movie = await plain(maker)
  noise = await undecodable(maker)
  const path = await clips.make('both.webm', ...picture(1), ...tone(1), ...webm)
  zip = await packArchive([{ streamId: 'one', path, start: 0, stop: 1 }])
  const stretches = [
    { name: 'first.mp4', from: 0, until: 100 },
    { name: 'second.mp4', from: LATER * 30, until: 120 },
  ]
  parts = await Promise.all((await recordStretches(clips, stretches, SHORT_GOPS)).map((file) => readFile(file)))
})
let worlds: World[] = []
afterEach(async () => {
  for (const world of worlds) await world.close()
  worlds = []
})

async function open(around?: PublishingOptions['around']) {
  const world = openWorld({ FFMPEG_PATH: clips.ffmpegPath, LADDER })
  worlds.push(world)
  return { world, publishing: await publishIn(world, around && { around }) }
}

const arriveWith =
  (bytes: () => Buffer, mode: 'composed' | 'individual', formats?: readonly Format[]): Arrive =>
  async (around) => {
    const { world, publishing } = await open(around)
    const arrived = await publishing.put(bytes(), { mode })
    return { world, publishing, input: { ...arrived, ...(formats && { formats }) } }
  }

/** Single streams that were composed, of which something else is asked for now. */
const arriveComposed: Arrive = async (around) => {
  let isComposed = false
  const { world, publishing } = await open((task, act) => (isComposed && around ? around(task, act) : act()))
  const input = await publishing.put(zip, { mode: 'individual' })
  const composed = publishing.start('composed', { ...input, formats: ['composite'] })
  expect(await publishing.over(composed)).toMatchObject({ status: 'SUCCEEDED' })
  isComposed = true
  return { world, publishing, input: { ...input, formats: ['poster', 'faststart'] } }
}

/** A recording of which packets turn out to be gone while it is cut. */
const arriveWithHole: Arrive = (around = (_task, act) => act()) =>
  arriveWith(
    () => movie,
    'composed',
  )(async (task, act) => {
    const answer = (await around(task, act)) as object
    return task === 'cutPiece' ? { ...answer, missing: { format: 'hls', problem: 'No HLS: it is cut off.' } } : answer
  })

/** The second part of a recording whose first part is published. */
const arriveLater: Arrive = async (around) => {
  let isLater = false
  const { world, publishing } = await open((task, act) => (isLater && around ? around(task, act) : act()))
  const { recordings, sessionId } = await bringLive(world, { ...webinar, publish: { formats: ['hls'] } })
  const first = recordings[0]?.archiveId ?? ''
  await world.clock.advance(LATER * 1000)
  const createdAt = world.clock.now()
  await world.clock.advance(3_000)
  await run(world, 'stopShow', { showId: 'a-show', sessionId, reason: 'It ended.', failure: null })
  await settled(world)
  await world.services.shows.update('a-show', (state) => {
    const [program] = state.recordings
    if (!program) throw new Error('The show has recorded nothing.')
    const next = { ...program, part: 2, archiveId: LATER_PART, createdAt: new Date(createdAt).toISOString() }
    return { ...state, recordings: [...state.recordings, next] }
  })
  const { fetch } = world.platform.sandbox
  world.interceptors.platform = async (request, pass) => {
    if (!isCall('GET', new RegExp(LATER_PART))(request)) return pass()
    const of = await fetch(new Request(request.url.replace(LATER_PART, first), { headers: request.headers }))
    const name = 'a-show/program/2'
    return Response.json({ ...((await of.json()) as object), id: LATER_PART, createdAt, name, multiArchiveTag: name })
  }
  const begun = await publishing.put(parts[0] as Buffer, { archiveId: first })
  expect(await publishing.over(publishing.start('first', begun))).toMatchObject({ status: 'SUCCEEDED' })
  isLater = true
  return { world, publishing, input: await publishing.put(parts[1] as Buffer, { archiveId: LATER_PART }) }
}

/** A clip that was requested of a published recording. */
const arriveClip: Arrive = async (around) => {
  let isPublished = false
  const { world, publishing } = await open((task, act) => (isPublished && around ? around(task, act) : act()))
  const recording = await publishing.put(movie)
  expect(await publishing.over(publishing.start('recording', recording))).toMatchObject({ status: 'SUCCEEDED' })
  isPublished = true
  const clip = { archiveId: recording.key.split('/')[1] ?? '', clipId: 'c'.repeat(16) }
  const createdAt = new Date(world.clock.now()).toISOString()
  const record = { ...clip, version: 1, name: 'Opening', from: 0.2, to: 0.8, status: 'cutting', createdAt } as const
  await writeClip(world.services.storage, record, { keepDays: undefined })
  return { world, publishing, input: { ...recording, clip } }
}

/** Together they come through every state in which there is anything to be interrupted. */
const arrivals = {
  'a recording': arriveWith(() => movie, 'composed'),
  'a recording of which nothing is wanted': arriveWith(() => movie, 'composed', []),
  'a recording of which the audio is wanted': arriveWith(() => movie, 'composed', ['audio']),
  'single streams': arriveWith(() => zip, 'individual', ['composite', 'poster', 'chapters']),
  'single streams that are composed already': arriveComposed,
  'a recording that cannot be decoded': arriveWith(() => noise, 'composed'),
  'a recording with a hole': arriveWithHole,
  'the second part of a recording': arriveLater,
  'a clip': arriveClip,
} as const satisfies Record<string, Arrive>
type Name = keyof typeof arrivals

/** States that only lead out of a failure, or end the execution. */
const LAST = [
  ...['Nothing more', 'Not joined', 'Replaced', 'Publishing failed', 'Publishing throttled', 'Unpublished'],
  ...['Published', 'Withheld', 'Clip failed'],
]
/** States in which nothing is made; the tests of `takeTurn` interrupt them. */
const WAITING = ['Await turn', 'Await turn for the rest']
const leadsOut = (title: string) => [...LAST, ...WAITING].includes(title) || title.endsWith(' out of memory')

/** Everything that is published by key, manifests included but for the times at which their owner was notified. */
async function packageIn(world: World): Promise<Map<string, string>> {
  const { keys: found } = await world.services.storage.list('recordings/', { limit: 1000 })
  const entries = found.map(async (key) => {
    const bytes = await fetchObject(world, key)
    return [key, hash(key.endsWith('/manifest.json') ? withoutTimes(bytes) : bytes)] as const
  })
  return new Map(await Promise.all(entries))
}

function withoutTimes(manifest: Buffer): Buffer {
  const { publications, ...rest } = JSON.parse(manifest.toString())
  return Buffer.from(JSON.stringify(rest))
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const statesOf = (world: World, executionArn: string) =>
  world.states
    .executionHistory({ executionArn })
    .flatMap(({ stateEnteredEventDetails }) => (stateEnteredEventDetails?.name as string) ?? [])

const isRequested = ({ formats, clip }: Arrival['input']) => formats !== undefined || clip !== undefined

/** Starts it once per call, as S3’s event does; under this name if it was requested otherwise. */
async function begin({ world, publishing, input }: Arrival, name: string): Promise<string> {
  if (isRequested(input)) return publishing.start(name, input)
  const { bucket, key, etag } = input
  const { executionName } = await run(world, 'startPublish', {
    detail: { bucket: { name: bucket }, object: { key, etag } },
  })
  return `${machineArn('publish').replace(':stateMachine:', ':execution:')}:${executionName}`
}

/** The results of an undisturbed publish, and the states that it enters. */
const undisturbed = new Map<Name, Promise<{ made: Map<string, string>; states: readonly string[] }>>()
function whole(name: Name) {
  const known = undisturbed.get(name) ?? publishWhole(name)
  undisturbed.set(name, known)
  return known
}

async function publishWhole(name: Name) {
  const { world, publishing, input } = await arrivals[name]()
  const executionArn = publishing.start('arrival', input)
  expect(await publishing.over(executionArn)).toMatchObject({ status: 'SUCCEEDED' })
  return { made: await packageIn(world), states: statesOf(world, executionArn) }
}

/** Every state of the machine, including ones without another test. */
const all = JSON.parse(readDefinition('publish').text, (_key, value) => value) as { States: Scope }
type Scope = Record<string, { Branches?: { States: Scope }[]; ItemProcessor?: { States: Scope } }>
const titlesOf = (scope: Scope): string[] =>
  Object.entries(scope).flatMap(([title, { Branches = [], ItemProcessor }]) => [
    title,
    ...[...Branches, ...(ItemProcessor ? [ItemProcessor] : [])].flatMap(({ States }) => titlesOf(States)),
  ])
const states = titlesOf(all.States).filter((title) => !leadsOut(title))

describe('a publish execution', () => {
  it.each(states)('that is stopped in "%s" and started again gives the same package', async (state) => {
    let name: Name | undefined
    for (const one of Object.keys(arrivals) as Name[])
      if (!name && (await whole(one)).states.includes(state)) name = one
    if (!name) throw new Error(`No arrival enters ${state}. Add one that does.`)
    let executionArn = ''
    let isStopped = false
    const arrival = await arrivals[name](async (_task, act) => {
      if (!isStopped && executionArn && statesOf(arrival.world, executionArn).includes(state)) {
        isStopped = true
        arrival.world.states.stopExecution({ executionArn })
      }
      return act() // a function that is no longer awaited keeps running
    })
    const { world, publishing, input } = arrival
    executionArn = await begin(arrival, 'arrival')
    await expect.poll(() => world.states.describeExecution({ executionArn }).status, POLLING).not.toBe('RUNNING')
    // Where nothing is called after a state, there is nothing left that could be interrupted.
    expect(world.states.describeExecution({ executionArn }).status).toBe(isStopped ? 'ABORTED' : 'SUCCEEDED')
    const again = await begin(arrival, 'again')
    expect(again === executionArn).toBe(!isStopped && !isRequested(input)) // one that has come to its end is not repeated
    expect(await publishing.over(again)).toMatchObject({ status: 'SUCCEEDED' })
    expect(await packageIn(world)).toEqual((await whole(name)).made)
  })
})

const POLLING = { interval: 5, timeout: 300_000 }

describe('a package', () => {
  it('is the same when it was deleted and is built once more', async () => {
    const { made } = await whole('a recording')
    const { world, publishing, input } = await arrivals['a recording']()
    await publishing.over(publishing.start('arrival', input))
    await world.services.storage.deleteAll('recordings/')
    expect((await packageIn(world)).size).toBe(0)
    await publishing.over(publishing.start('again', input))
    expect(await packageIn(world)).toEqual(made)
  })

  it('of single streams gets another format of the composite that is there', async () => {
    const { world, publishing, input } = await arrivals['single streams that are composed already']()
    const archiveId = input.key.split('/')[1] ?? ''
    const before = await world.services.records.readManifest(archiveId)
    const rebuilt = publishing.start('rebuild', input)
    expect(await publishing.over(rebuilt)).toMatchObject({ status: 'SUCCEEDED' })
    expect(statesOf(world, rebuilt)).not.toContain('Compose piece')
    const { files = [], ...after } = (await world.services.records.readManifest(archiveId)) ?? {}
    const [composite, ...others] = files
    expect([composite]).toEqual(before?.files)
    expect(others.map(({ role }) => role).sort()).toEqual(['faststart', 'poster'])
    expect(others.find(({ role }) => role === 'faststart')).toEqual({ ...composite, role: 'faststart' })
    const { source, duration, video, audio, streams } = before ?? {}
    expect(after).toMatchObject({ source, duration, video, audio, streams })
  })

  it.each(formats.filter((format) => format !== 'composite'))('makes %s again, alone', async (format) => {
    const { world, publishing, input } = await arrivals['a recording']()
    await publishing.over(publishing.start('arrival', input))
    const before = await packageIn(world)
    const archiveId = input.key.split('/')[1] ?? ''
    const published = await world.services.records.readManifest(archiveId)
    const own = new Set<string>(rolesOf[format])
    for (const { role, key } of published?.files ?? []) if (own.has(role)) await world.services.storage.delete(key)
    const wanted: Format[] = format === 'renditions' ? ['hls', 'renditions'] : [format]
    const rebuilt = publishing.start('rebuild', { ...input, formats: wanted })
    expect(await publishing.over(rebuilt)).toMatchObject({ status: 'SUCCEEDED' })
    const now = await packageIn(world)
    const files = (await world.services.records.readManifest(archiveId))?.files ?? []
    for (const { key } of files) expect(now.has(key) || key === input.key).toBe(true)
    for (const [key, bytes] of before)
      if (now.has(key) && key !== keys.manifest(archiveId)) expect(now.get(key)).toBe(bytes)
    const left = (all: typeof files) => all.filter(({ role }) => !own.has(role))
    expect(left(files)).toEqual(left(published?.files ?? []))
  })
})
