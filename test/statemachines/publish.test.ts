import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSteppedClock, type SteppedClock } from '../../lib/clock.ts'
import { readDefinition } from '../../lib/constructs/deploy/definition.ts'
import { createStepFunctions } from '../../local/cloud/states/step-functions.ts'

const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:publish'
const arrival = { bucket: 'media', key: '1/a/archive.mp4', etag: 'e' }
const everything = ['poster', 'faststart', 'hls', 'renditions', 'thumbnails', 'audio', 'chapters']
const facts = { duration: 700, video: { codec: 'h264', width: 1280, height: 720, frameRate: 30 }, audio: null }
const pieces = [
  { index: 0, start: 0, end: 600 },
  { index: 1, start: 600, end: 700 },
]
const ladder = [{ name: '480p', height: 480, maxVideoBitrate: 1_200_000 }]
const inspection = {
  ...{ archiveId: 'a', size: 9, show: null, facts, pieces, ladder, access: 'signed', keepDays: 30 as number | null },
  differences: [],
  formats: everything,
}
const source = { ...arrival, archiveId: 'a', keepDays: 30 }
const file = (role: string, key: string = role) => ({ role, key, size: 1, sha256: 'aa' })
const composite = { bucket: 'media', key: 'recordings/a/composite/e0/composite.mp4', etag: 'c' }
const hashes = { sha256: 'bb', faststartSha256: 'cc' }
const loudness = { integrated: -23, range: 5, truePeak: -1 }
const silences = [{ start: 1, end: 2 }]

type Answers = Readonly<Record<string, (input: never) => unknown>>

let states: ReturnType<typeof createStepFunctions>
let clock: SteppedClock
/** Tasks that ran, with what each was given, in their order. */
let calls: { task: string; input: unknown }[]
let answers: Answers

beforeEach(() => {
  calls = []
  clock = createSteppedClock(Date.parse('2026-11-20T09:00:00Z'))
  states = createStepFunctions({
    clock,
    random: () => 0.5,
    region: 'us-east-1',
    account: '000000000000',
    async invoke(arn, input) {
      const task = arn.split(':').at(-1) ?? ''
      const { execution, ...own } = input as { execution: string }
      expect(execution).toContain(':execution:publish:') // for the log of each
      calls.push({ task, input: own })
      return answers[task]?.(input as never)
    },
  })
  const definition = readDefinition('publish').text.replace(
    /\$\{(\w+)\}/g,
    (_, task: string) => `arn:aws:lambda:us-east-1:000000000000:function:${task}`,
  )
  states.addMachine({ arn: machine, name: 'publish', definition })
})
afterEach(() => states.close())

/** Runs the machine to its end. Tasks give these answers, or those without failures. */
async function publish(changes: Answers = {}, name = 'arrival', more: object = {}) {
  answers = {
    TakeTurn: () => ({ hasTurn: true }),
    InspectRecording: () => inspection,
    MakeFaststart: () => ({ files: [file('faststart')] }),
    MakePoster: () => ({ files: [file('poster')], ffmpeg: '5' }),
    CutPiece: () => ({ index: 0, edition: 'e1' }),
    WritePlaylists: ({ editions }: { editions: { renditions: string | null } }) => ({
      files: [file('hls-media', 'video'), file('hls', `master-${editions.renditions}`)],
    }),
    MakeThumbnails: () => ({ files: [file('sprite'), file('thumbnails')], ffmpeg: '5' }),
    CopyAudio: () => ({ files: [file('audio')] }),
    MeasureAudio: () => ({ files: [file('waveform')], loudness, silences, ffmpeg: '5' }),
    FindChapters: () => ({ files: [file('chapters')], ffmpeg: '5' }),
    EncodePiece: () => ({ index: 0, edition: 'e2', ffmpeg: '5' }),
    ComposePiece: () => ({ index: 0, edition: 'e0' }),
    MixAudio: () => ({ hasAudio: true, edition: 'e0' }),
    AssembleComposite: () => ({ files: [file('composite')], composite }),
    FindParts: () => ({ parts: [], pairs: [], message: null }),
    FindOverlap: () => ({ shift: 7, confidence: 1 }),
    JoinParts: () => ({ joined: null, message: null }),
    CutClip: () => ({ file: { key: 'clip.mp4', size: 1, sha256: 'aa' } }),
    PublishClip: ({ file }: { file: object | null }) => ({ clipId: 'c', status: file ? 'published' : 'failed' }),
    HashSource: () => hashes,
    WriteManifest: ({ stage }: { stage: string }) => ({ archiveId: 'a', status: stage }),
    ...changes,
  }
  const { executionArn } = states.startExecution({
    stateMachineArn: machine,
    name,
    input: JSON.stringify({ ...arrival, ...more }),
  })
  await expect.poll(() => states.describeExecution({ executionArn }).status).not.toBe('RUNNING')
  const entered = states
    .executionHistory({ executionArn })
    .flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? [])
  return { ...states.describeExecution({ executionArn }), last: entered.at(-1) }
}

const failing = (name: string) => () => {
  throw Object.assign(new Error('It is broken.'), { name })
}

const inputsOf = (task: string) => calls.filter((call) => call.task === task).map(({ input }) => input)
const manifests = () => inputsOf('WriteManifest') as Written[]
interface Written {
  readonly stage: string
  readonly files: { key: string }[]
  readonly missing: unknown[]
}
const keysOf = ({ files }: { files: { key: string }[] } = { files: [] }) => files.map(({ key }) => key)

describe('the publish machine', () => {
  it('publishes first what can be watched, then all that the show asked for', async () => {
    expect(await publish()).toMatchObject({ status: 'SUCCEEDED', last: 'Published' })
    const [ready, complete] = manifests()
    expect(ready).toEqual({
      ...{ ...arrival, executionName: 'arrival', stage: 'ready', inspection },
      ...{ hashes: null, loudness: null, ffmpeg: '5', failure: null, missing: [] },
      files: [file('faststart'), file('poster'), file('hls-media', 'video'), file('hls', 'master-null')],
    })
    expect(complete).toMatchObject({ stage: 'complete', inspection, hashes, loudness, ffmpeg: '5', failure: null })
    const rest = ['sprite', 'thumbnails', 'audio', 'waveform', 'chapters', 'video', 'master-e2']
    expect(keysOf(complete)).toEqual(['faststart', 'poster', ...rest])
  })

  it('waits for its turns, and asks again when it was asked to', async () => {
    const turns = { ready: 2, complete: 1 }
    const pollAt = '2026-11-20T09:01:00.000Z' // the time stands still: it is over with the first step
    const TakeTurn = ({ stage, polls }: { stage: 'ready' | 'complete'; polls: number }) =>
      polls < turns[stage] ? { hasTurn: false, place: 3, pollAt, polls: polls + 1 } : { hasTurn: true }
    const published = publish({ TakeTurn })
    await expect.poll(() => inputsOf('TakeTurn').length).toBe(1)
    expect(calls).toHaveLength(1)
    await clock.advance(60_000)
    expect(await published).toMatchObject({ status: 'SUCCEEDED' })
    const asked = { key: arrival.key, executionName: 'arrival' }
    expect(inputsOf('TakeTurn')).toEqual([
      ...[0, 1, 2].map((polls) => ({ ...asked, stage: 'ready', polls })),
      ...[0, 1].map((polls) => ({ ...asked, stage: 'complete', size: 9, polls })),
    ])
    const order = calls.map(({ task }) => task)
    expect(order.indexOf('WriteManifest')).toBeLessThan(order.lastIndexOf('TakeTurn'))
    expect(order.lastIndexOf('TakeTurn')).toBeLessThan(order.indexOf('MakeThumbnails'))
  })

  it('is started again when it gets no turn', async () => {
    expect(await publish({ TakeTurn: failing('TaskInputError') })).toMatchObject({ error: 'Unpublished' })
    expect(manifests()).toEqual([])
  })

  it('passes the recording and its retention to every task', async () => {
    await publish()
    for (const task of ['MakeFaststart', 'MakePoster', 'MakeThumbnails', 'CopyAudio'])
      expect(inputsOf(task)).toEqual([source])
    expect(inputsOf('FindChapters')).toEqual([{ ...source, duration: 700, silences, markers: [] }])
  })

  it('passes the markers of the show to the chapters', async () => {
    const markers = [{ at: 20, title: 'Talk' }]
    await publish({ InspectRecording: () => ({ ...inspection, markers }) })
    expect(inputsOf('FindChapters')).toMatchObject([{ markers }])
  })

  it('runs one task for each piece, for copying and for encoding', async () => {
    await publish()
    expect(inputsOf('CutPiece')).toEqual(pieces.map((piece) => ({ ...source, piece })))
    const picture = { width: 1280, height: 720 }
    expect(inputsOf('EncodePiece')).toEqual(pieces.map((piece) => ({ ...source, piece, picture, ladder })))
    expect(inputsOf('WritePlaylists')).toEqual(
      [null, 'e2'].map((renditions) => ({ ...source, facts, pieces: 2, editions: { hls: 'e1', renditions } })),
    )
  })

  it('keeps one piece, one rendition and one silence in lists', async () => {
    const InspectRecording = () => ({ ...inspection, pieces: pieces.slice(0, 1), formats: ['hls', 'renditions'] })
    await publish({ InspectRecording })
    expect(inputsOf('CutPiece')).toHaveLength(1)
    expect(inputsOf('EncodePiece')).toMatchObject([{ ladder }])
  })

  it.each([
    [[], []],
    [['poster'], ['MakePoster']],
    [['chapters'], ['CopyAudio', 'FindChapters', 'MeasureAudio']],
    [['hls'], ['CutPiece', 'CutPiece', 'WritePlaylists']],
  ])('makes of %j no more than it takes, and manifest and hash all the same', async (formats, made) => {
    expect(await publish({ InspectRecording: () => ({ ...inspection, formats }) })).toMatchObject({
      status: 'SUCCEEDED',
    })
    const always = ['HashSource', 'InspectRecording', 'TakeTurn', 'TakeTurn', 'WriteManifest', 'WriteManifest']
    expect(calls.map(({ task }) => task).sort()).toEqual([...always, ...made].sort())
  })

  it('knows which ffmpeg it was made with, whichever task has used it', async () => {
    const used = async (formats: string[]) => {
      calls = []
      await publish({ InspectRecording: () => ({ ...inspection, formats }) }, formats.join('-'))
      return (manifests().at(-1) as { ffmpeg?: string | null }).ffmpeg
    }
    for (const format of ['poster', 'thumbnails', 'audio', 'chapters']) expect(await used([format])).toBe('5')
    expect(await used(['hls', 'renditions'])).toBe('5')
    expect(await used(['hls', 'faststart'])).toBeNull()
  })

  it('measures no audio where there is none, and finds chapters all the same', async () => {
    await publish({ CopyAudio: () => ({ files: [] }) })
    expect(inputsOf('MeasureAudio')).toEqual([])
    expect(inputsOf('FindChapters')).toMatchObject([{ silences: [] }])
    expect(manifests().at(-1)).toMatchObject({ loudness: null, ffmpeg: '5' })
  })

  it('publishes no audio of which only the silences were wanted', async () => {
    await publish({ InspectRecording: () => ({ ...inspection, formats: ['chapters'] }) })
    expect(keysOf(manifests()[1])).toEqual(['chapters'])
  })

  it('makes nothing more of a file that was replaced', async () => {
    const WriteManifest = () => ({ archiveId: 'a', status: 'replaced' })
    expect(await publish({ WriteManifest })).toMatchObject({ status: 'SUCCEEDED', last: 'Replaced' })
    expect(inputsOf('EncodePiece')).toEqual([])
  })

  it('publishes why it could not be inspected, and fails', async () => {
    const WriteManifest = () => ({ archiveId: 'a', status: 'failed', message: 'It is broken.' })
    const ended = await publish({ InspectRecording: failing('MediaError'), WriteManifest })
    expect(ended).toMatchObject({ status: 'FAILED', error: 'PublishFailed', cause: 'It is broken.' })
    expect(manifests()).toMatchObject([{ inspection: null, files: [], failure: { Error: 'MediaError' } }])
  })

  it.each(['HashSource', 'MakeFaststart', 'CutPiece', 'EncodePiece', 'FindChapters'])(
    'says with all that was inspected that %s has failed',
    async (task) => {
      await publish({ [task]: failing('TaskConfigError') })
      const failure = { Error: 'TaskConfigError' }
      expect(manifests().at(-1)).toMatchObject({ stage: 'complete', inspection, failure })
    },
  )

  describe('of a damaged recording', () => {
    const lost = (format: string) => ({ format, problem: `No ${format}.` })
    const nothing = (format: string) => () => ({ files: [], ffmpeg: '5', missing: lost(format) })
    /** Returns what was missing first and last, and the published keys. */
    const published = () => ({ missing: manifests().map((manifest) => manifest.missing), keys: keysOf(manifests()[1]) })

    it('publishes what can be made, and says what is missing', async () => {
      const MeasureAudio = () => ({ ...nothing('audio')(), loudness: null, silences: [] })
      const changes = {
        ...{ MakeFaststart: nothing('faststart'), MakePoster: nothing('poster'), MeasureAudio },
        ...{ MakeThumbnails: nothing('thumbnails'), FindChapters: nothing('chapters') },
      }
      expect(await publish(changes)).toMatchObject({ status: 'SUCCEEDED', last: 'Published' })
      const first = ['faststart', 'poster'].map(lost)
      expect(published()).toEqual({
        missing: [first, [...first, ...['thumbnails', 'audio', 'chapters'].map(lost)]],
        keys: ['audio', 'video', 'master-e2'],
      })
    })

    it('measures no audio that could not be copied, and says so', async () => {
      await publish({ CopyAudio: nothing('audio') })
      expect(inputsOf('MeasureAudio')).toEqual([])
      expect(published().missing).toEqual([[], [lost('audio')]])
    })

    it('leaves smaller sizes out wholly where a piece cannot be encoded', async () => {
      const EncodePiece = ({ piece: { index } }: { piece: { index: number } }) => ({
        ...{ index, edition: 'e2', ffmpeg: '5' },
        ...(index === 1 && { missing: lost('renditions') }),
      })
      await publish({ EncodePiece })
      expect(inputsOf('WritePlaylists')).toHaveLength(1)
      expect(published().missing).toEqual([[], [lost('renditions')]])
      expect(published().keys.slice(-2)).toEqual(['video', 'master-null'])
    })

    it('publishes nothing that could not be cut, and encodes nothing for it', async () => {
      await publish({ CutPiece: () => ({ index: 0, edition: 'e1', missing: lost('hls') }) })
      expect([inputsOf('WritePlaylists'), inputsOf('EncodePiece')]).toEqual([[], []])
      expect(published().missing).toEqual([[lost('hls')], [lost('hls')]])
    })

    it.each(['hls', 'renditions'])('does without playlists of %s that do not fit together', async (format) => {
      const WritePlaylists = ({ editions: { renditions } }: { editions: { renditions: string | null } }) =>
        (format === 'renditions') === (renditions !== null)
          ? nothing(format)()
          : { files: [file('hls', `master-${renditions}`)] }
      await publish({ WritePlaylists })
      expect(published().missing[1]).toEqual([lost(format)])
      expect(published().keys.filter((key) => key.startsWith('master'))).toEqual(
        format === 'hls' ? [] : ['master-null'],
      )
    })
  })

  describe('of single streams', () => {
    const zip = { ...inspection, facts: null, formats: ['composite', 'poster'], differences: ['One is cut off.'] }
    const InspectRecording = ({ composed }: { composed?: string }) =>
      composed ? { ...inspection, formats: ['poster'], differences: ['No record.'] } : zip

    it('composes one picture and audio of all, and makes all else of that', async () => {
      expect(await publish({ InspectRecording })).toMatchObject({ status: 'SUCCEEDED' })
      expect(inputsOf('ComposePiece')).toEqual(pieces.map((piece) => ({ ...source, piece })))
      expect(inputsOf('MixAudio')).toEqual([source])
      expect(inputsOf('AssembleComposite')).toEqual([{ ...source, edition: 'e0', hasAudio: true, pieces: 2 }])
      expect(inputsOf('InspectRecording')).toEqual([
        arrival,
        { ...composite, composed: 'a', formats: ['composite', 'poster'] },
      ])
      expect(inputsOf('MakePoster')).toEqual([{ ...source, ...composite }])
    })

    it('hashes and publishes the archive itself', async () => {
      await publish({ InspectRecording })
      expect(inputsOf('HashSource')).toEqual([arrival])
      for (const manifest of manifests()) {
        expect(manifest).toMatchObject({
          ...arrival,
          inspection: { facts, formats: ['composite', 'poster'], differences: ['One is cut off.', 'No record.'] },
        })
        expect(keysOf(manifest)).toEqual(['composite', 'poster'])
      }
    })

    it('makes what is asked for of the composite that is published already', async () => {
      const { bucket, ...published } = composite
      const again = { ...zip, formats: ['poster'], pieces: [], composite: published }
      const Inspect = (input: { composed?: string }) => (input.composed ? InspectRecording(input) : again)
      expect(await publish({ InspectRecording: Inspect })).toMatchObject({ status: 'SUCCEEDED' })
      expect(inputsOf('ComposePiece')).toEqual([])
      expect(inputsOf('InspectRecording')[1]).toEqual({ ...composite, composed: 'a', formats: ['poster'] })
      expect(inputsOf('MakePoster')).toEqual([{ ...source, ...composite }])
      expect(inputsOf('HashSource')).toEqual([arrival])
      expect(manifests()[1]).toMatchObject({ ...arrival, inspection: { facts, formats: ['poster'] } })
      expect(keysOf(manifests()[1])).toEqual(['poster'])
    })

    it.each(['ComposePiece', 'MixAudio', 'AssembleComposite'])('says that %s has failed', async (task) => {
      await publish({ InspectRecording, [task]: failing('MediaError') })
      expect(manifests()).toMatchObject([{ stage: 'complete', failure: { Error: 'MediaError' } }])
    })
  })

  describe('of a show', () => {
    const InspectRecording = () => ({ ...inspection, formats: [], show: { showId: 's', name: 'program', part: 2 } })
    const pair = { earlier: 'a1', later: 'a', expected: [7] }

    it('joins the parts of one that rolled over', async () => {
      const FindParts = () => ({ parts: ['a1', 'a'], pairs: [pair], message: 'One is missing.' })
      expect(await publish({ InspectRecording, FindParts })).toMatchObject({ status: 'SUCCEEDED', last: 'Published' })
      expect(inputsOf('FindParts')).toEqual([{ archiveId: 'a' }])
      expect(inputsOf('FindOverlap')).toEqual([pair])
      const overlaps = [{ shift: 7, confidence: 1 }]
      expect(inputsOf('JoinParts')).toEqual([{ parts: ['a1', 'a'], overlaps, message: 'One is missing.' }])
    })

    it('joins nothing of one that did not', async () => {
      expect(await publish({ InspectRecording })).toMatchObject({ status: 'SUCCEEDED' })
      expect(inputsOf('JoinParts')).toEqual([])
    })

    it.each(['FindParts', 'FindOverlap', 'JoinParts'])(
      'is published although %s fails, which is reported',
      async (task) => {
        const FindParts = () => ({ parts: ['a1', 'a'], pairs: [pair], message: null })
        const ended = await publish({ InspectRecording, FindParts, [task]: failing('MediaError') })
        expect(ended).toMatchObject({ status: 'FAILED', error: 'NotJoined' })
        expect(manifests().at(-1)).toMatchObject({ failure: null })
      },
    )
  })

  it('fails when not even that can be written', async () => {
    const ended = await publish({ WriteManifest: failing('TaskConfigError') })
    expect(ended).toMatchObject({ status: 'FAILED', error: 'Unpublished' })
  })
})

describe('the publish machine, for a clip', () => {
  const clip = { archiveId: 'a', clipId: 'c' }
  const file = { key: 'clip.mp4', size: 1, sha256: 'aa' }

  it('cuts it, and nothing else', async () => {
    expect(await publish({}, 'clip', { clip })).toMatchObject({ status: 'SUCCEEDED', last: 'Published' })
    expect(calls).toEqual([
      { task: 'CutClip', input: clip },
      { task: 'PublishClip', input: { ...clip, file } },
    ])
  })

  it('records one that cannot be cut, and fails', async () => {
    const broken = await publish({ CutClip: failing('TaskConfigError') }, 'clip', { clip })
    expect(broken).toMatchObject({ status: 'FAILED', error: 'PublishFailed', last: 'Clip failed' })
    expect(inputsOf('PublishClip')).toEqual([{ ...clip, file: null, problem: 'The MP4 could not be cut.' }])
  })
})
