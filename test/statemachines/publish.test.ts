import { describe, expect, it } from 'vitest'
import {
  arrival,
  facts,
  failing,
  file,
  hashes,
  inspection,
  keysOf,
  ladder,
  loudness,
  openPublishMachine,
  pieces,
  silences,
  source,
} from './open-publish-machine.ts'

describe('the publish machine', () => {
  it('publishes first what can be watched, then all that the show asked for', async () => {
    const { publish, manifests } = openPublishMachine()
    expect(await publish()).toMatchObject({ status: 'SUCCEEDED', lastState: 'Published' })
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

  it('waits for a turn before each of its two stages, and polls at the time that it is given', async () => {
    const { publish, inputsOf, timesOf, calls, clock } = openPublishMachine()
    const polled = { ready: 2, complete: 1 }
    const pollAt = () => new Date(clock.now() + 60_000).toISOString()
    const takeTurn = ({ stage, polls }: { stage?: 'ready' | 'complete'; polls?: number }) =>
      stage && polls !== undefined && polls < polled[stage]
        ? { hasTurn: false, place: 3, pollAt: pollAt(), polls: polls + 1 }
        : { hasTurn: true }
    expect(await publish({ takeTurn })).toMatchObject({ status: 'SUCCEEDED' })
    const asked = { key: arrival.key, executionName: 'arrival' }
    expect(inputsOf('takeTurn')).toEqual([
      ...[0, 1, 2].map((polls) => ({ ...asked, stage: 'ready', polls })),
      ...[0, 1].map((polls) => ({ ...asked, stage: 'complete', size: 9, polls })),
    ])
    expect(timesOf('takeTurn')).toEqual([0, 60, 120, 120, 180])
    expect(timesOf('inspectRecording')).toEqual([120])
    expect(timesOf('writeManifest')).toEqual([120, 180])
    const order = calls.map(({ task }) => task)
    expect(order.indexOf('writeManifest')).toBeLessThan(order.lastIndexOf('takeTurn'))
    expect(timesOf('makeThumbnails')).toEqual([180])
  })

  it('passes its execution to every task, for the log', async () => {
    const { publish, calls } = openPublishMachine()
    await publish()
    expect(new Set(calls.map(({ given }) => given.execution))).toEqual(
      new Set(['arn:aws:states:us-east-1:000000000000:execution:publish:arrival']),
    )
  })

  it('passes the recording and its retention to every task', async () => {
    const { publish, inputsOf } = openPublishMachine()
    await publish()
    for (const task of ['makeFaststart', 'makePoster', 'makeThumbnails', 'copyAudio'])
      expect(inputsOf(task), task).toEqual([source])
    expect(inputsOf('findChapters')).toEqual([{ ...source, duration: 700, silences, markers: [] }])
  })

  it('passes the markers of the show to the chapters', async () => {
    const { publish, inputsOf } = openPublishMachine()
    const markers = [{ at: 20, title: 'Talk' }]
    await publish({ inspectRecording: () => ({ ...inspection, markers }) })
    expect(inputsOf('findChapters')).toMatchObject([{ markers }])
  })

  it('runs one task for each piece, for copying and for encoding', async () => {
    const { publish, inputsOf } = openPublishMachine()
    await publish()
    expect(inputsOf('cutPiece')).toEqual(pieces.map((piece) => ({ ...source, piece })))
    const picture = { width: 1280, height: 720 }
    expect(inputsOf('encodePiece')).toEqual(pieces.map((piece) => ({ ...source, piece, picture, ladder })))
    expect(inputsOf('writePlaylists')).toEqual(
      [null, 'e2'].map((renditions) => ({ ...source, facts, pieces: 2, editions: { hls: 'e1', renditions } })),
    )
  })

  // JSONata unwraps a sequence of one.
  it('keeps one piece, one rendition and one silence in lists', async () => {
    const { publish, inputsOf } = openPublishMachine()
    const one = { ...inspection, pieces: pieces.slice(0, 1), formats: ['hls', 'renditions', 'chapters'] }
    await publish({ inspectRecording: () => one })
    expect(inputsOf('cutPiece')).toHaveLength(1)
    expect(inputsOf('encodePiece')).toMatchObject([{ ladder }])
    expect(inputsOf('findChapters')).toMatchObject([{ silences }])
  })

  it.each([
    [[], []],
    [['poster'], ['makePoster']],
    [['chapters'], ['copyAudio', 'findChapters', 'measureAudio']],
    [['hls'], ['cutPiece', 'cutPiece', 'writePlaylists']],
  ])(
    'runs only the tasks that the formats %j need, and always writes the manifest and hashes',
    async (formats, made) => {
      const { publish, calls } = openPublishMachine()
      expect(await publish({ inspectRecording: () => ({ ...inspection, formats }) })).toMatchObject({
        status: 'SUCCEEDED',
      })
      const always = ['hashSource', 'inspectRecording', 'takeTurn', 'takeTurn', 'writeManifest', 'writeManifest']
      expect(calls.map(({ task }) => task).sort()).toEqual([...always, ...made].sort())
    },
  )

  it.each([
    [['poster'], '5'],
    [['thumbnails'], '5'],
    [['audio'], '5'],
    [['chapters'], '5'],
    [['hls', 'renditions'], '5'],
    [['hls', 'faststart'], null],
  ])('names the ffmpeg that made the formats %j: %s', async (formats, ffmpeg) => {
    const { publish, manifests } = openPublishMachine()
    await publish({ inspectRecording: () => ({ ...inspection, formats }) })
    expect(manifests().at(-1)).toMatchObject({ ffmpeg })
  })

  it('measures no audio of a recording without audio, and finds chapters all the same', async () => {
    const { publish, inputsOf, manifests } = openPublishMachine()
    await publish({ copyAudio: () => ({ files: [] }) })
    expect(inputsOf('measureAudio')).toEqual([])
    expect(inputsOf('findChapters')).toMatchObject([{ silences: [] }])
    expect(manifests().at(-1)).toMatchObject({ loudness: null, ffmpeg: '5' })
  })

  it('publishes no audio if only chapters were asked for, which need its silences', async () => {
    const { publish, manifests } = openPublishMachine()
    await publish({ inspectRecording: () => ({ ...inspection, formats: ['chapters'] }) })
    expect(keysOf(manifests()[1])).toEqual(['chapters'])
  })

  it('makes nothing more of a file that was replaced', async () => {
    const { publish, inputsOf } = openPublishMachine()
    const writeManifest = () => ({ archiveId: 'a', status: 'replaced' })
    expect(await publish({ writeManifest })).toMatchObject({ status: 'SUCCEEDED', lastState: 'Replaced' })
    expect(inputsOf('encodePiece')).toEqual([])
  })
})

describe('the publish machine when a task fails', () => {
  it('publishes nothing if it cannot wait for its turn', async () => {
    const { publish, manifests } = openPublishMachine()
    expect(await publish({ takeTurn: failing('TaskInputError') })).toMatchObject({
      status: 'FAILED',
      error: 'Unpublished',
    })
    expect(manifests()).toEqual([])
  })

  it('publishes why the file could not be inspected, and fails', async () => {
    const { publish, manifests } = openPublishMachine()
    const writeManifest = () => ({ archiveId: 'a', status: 'failed', message: 'It is broken.' })
    const ended = await publish({ inspectRecording: failing('MediaError'), writeManifest })
    expect(ended).toMatchObject({ status: 'FAILED', error: 'PublishFailed', cause: 'It is broken.' })
    expect(manifests()).toMatchObject([{ inspection: null, files: [], failure: { Error: 'MediaError' } }])
  })

  it.each(['hashSource', 'makeFaststart', 'cutPiece', 'encodePiece', 'findChapters'])(
    'writes a failure of %s to the manifest, with the inspection',
    async (task) => {
      const { publish, manifests } = openPublishMachine()
      await publish({ [task]: failing('TaskConfigError') })
      const failure = { Error: 'TaskConfigError' }
      expect(manifests().at(-1)).toMatchObject({ stage: 'complete', inspection, failure })
    },
  )

  it('fails as unpublished if the manifest cannot be written', async () => {
    const { publish } = openPublishMachine()
    const ended = await publish({ writeManifest: failing('TaskConfigError') })
    expect(ended).toMatchObject({ status: 'FAILED', error: 'Unpublished' })
  })
})
