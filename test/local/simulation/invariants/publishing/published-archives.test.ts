import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { damageOf, type MediaDamage } from '../../../../../local/simulation/environment/media/media-facts.ts'
import { joinedRecordings } from '../../../../../local/simulation/invariants/publishing/joined-recordings.ts'
import { publishedArchives } from '../../../../../local/simulation/invariants/publishing/published-archives.ts'
import { publishedEvents } from '../../../../../local/simulation/invariants/publishing/published-events.ts'
import { faultAt } from '../made-up-evidence.ts'

type Evidence = Parameters<typeof publishedArchives>[0] & Parameters<typeof publishedEvents>[0]

/** Returns an archive id whose recording has this damage. */
const idWith = (damage: MediaDamage | undefined) =>
  Array.from({ length: 500 }, (_, n) => `archive-${n}`).find((id) => damageOf(id) === damage) ?? ''
const sha256 = (text: string) => createHash('sha256').update(text).digest()
const objectOf = (text: string, size = text.length) => ({ text, size, sha256: sha256(text).toString('base64') })
const fileOf = (id: string) => {
  const facts = { id, seconds: 60, size: 0, resolution: '640x480', hasAudio: true, hasVideo: true }
  return `archive\n${JSON.stringify(facts)}\n`
}
const POSTER = 'recordings/archive-0/poster/0123456789ab/poster.jpg'
const request = { show: { name: 'Talk', publish: { formats: ['poster'], access: 'signed' }, recordings: [] } }

/** Returns the evidence of one published archive, with changes to its manifest. */
function evidenceOf(changes: object = {}, { id = idWith(undefined), more = {} as Partial<Evidence> } = {}): Evidence {
  const key = `1234/${id}/archive.mp4`
  const text = fileOf(id)
  const poster = { role: 'poster', key: POSTER, size: 3, sha256: sha256('jpg').toString('hex') }
  const show = { showId: 'a-show', name: 'program', part: 1 }
  const manifest = {
    ...{ archiveId: id, status: 'complete', access: 'signed', show, page: { title: 'Talk' }, duration: 60 },
    ...{ source: { key, size: text.length, sha256: sha256(text).toString('hex') }, files: [poster] },
    ...{
      publications: [
        { executionName: 'one', status: 'ready' },
        { executionName: 'one', status: 'complete' },
      ],
    },
    ...changes,
  }
  const event = (status: string) => ({ detail: { event: 'recording.published', archiveId: id, ...show, status } })
  return {
    leftOut: {},
    apiRequests: [],
    objects: new Map([
      [key, objectOf(text)],
      [POSTER, objectOf('jpg')],
      [`recordings/${id}/manifest.json`, objectOf(JSON.stringify(manifest))],
    ]),
    executions: [],
    shows: [{ showId: 'a-show', request }],
    statusChanges: [{ kind: 'archive', id, tag: 'a-show/program/1' }],
    messages: [],
    archives: new Map([[id, { size: text.length }]]),
    trace: [],
    events: [event('ready'), event('complete')],
    ...more,
  } as unknown as Evidence
}

const problems = (changes: object, options?: Parameters<typeof evidenceOf>[1]) =>
  publishedArchives(evidenceOf(changes, options)).join('\n')

describe('publishedArchives', () => {
  it('accepts a recording that is published as ordered', () => {
    expect(problems({})).toBe('')
  })

  it.each([
    [{ status: 'ready' }, 'stays ready'],
    [{ status: 'failed', message: 'No.' }, 'failed without damage and without a fault: No.'],
    [{ access: 'public' }, 'has the access public, and signed was ordered'],
    [{ keepDays: 7 }, 'is kept 7 days, not undefined'],
    [{ duration: 59 }, 'lasts 59 s by its manifest, and 60 s'],
    [{ page: { title: 'Other' } }, 'is shown as Other, and not as Talk'],
    [{ files: [] }, 'has no poster'],
    [{ message: 'It differs.' }, 'has a message although nothing is wrong: It differs.'],
    [{ files: [{ role: 'audio', key: 'a', size: 1, sha256: '' }] }, 'lists a, which is not in the bucket'],
    [{ missing: [{ format: 'poster', problem: 'No poster.' }] }, 'reports poster as missing'],
  ])('finds what was not ordered: %j', (changes, problem) => {
    expect(problems(changes)).toContain(problem)
  })

  it('demands that what damage prevents is reported as missing', () => {
    const id = idWith('picture')
    const missing = [{ format: 'poster', problem: 'No poster.' }]
    expect(problems({ files: [], missing, message: 'No poster.' }, { id })).toBe('')
    expect(problems({ files: [], missing }, { id })).toContain('does not explain in its message')
    expect(problems({ files: [] }, { id })).toContain('does not report that poster is missing')
    expect(problems({ status: 'failed', message: 'Damaged.' }, { id: idWith('index') })).toBe('')
    const longer = new Map([[idWith(undefined), { size: 1_000_000 }]]) as never
    expect(problems({ status: 'failed', message: 'Truncated.' }, { more: { archives: longer } })).toBe('')
  })

  it('demands that a rebuild which could decode no picture keeps those of before', () => {
    const input = JSON.stringify({ key: `1234/${idWith(undefined)}/archive.mp4` })
    const rebuiltAt = (at: number) => ({
      trace: [{ at: 1_000, fault: 'undecodable pictures', line: 'fault: no picture can be decoded for 60 s' }],
      executions: [
        { machine: 'publish', name: 'a-rebuild-b', status: 'SUCCEEDED', input, startDate: new Date(at), history: [] },
      ],
    })
    const missing = { missing: [{ format: 'poster', problem: 'No poster.' }], message: 'No poster.' }
    const during = { more: rebuiltAt(2_000) as never }
    expect(problems(missing, during)).toBe('')
    expect(problems({ ...missing, files: [] }, during)).toContain('has no poster')
    expect(problems({}, during)).toContain('does not report that poster is missing')
    expect(problems(missing, { more: rebuiltAt(61_000) as never })).toContain('reports poster as missing')
  })

  it('finds an archive that nothing reports, and accepts one that was given up', () => {
    const other = { source: { key: 'another', size: 1, sha256: null } }
    const failed = { machine: 'publish', status: 'FAILED', error: 'Unpublished' }
    const input = JSON.stringify({ key: `1234/${idWith(undefined)}/archive.mp4` })
    const attempts = (count: number) => ({ executions: Array.from({ length: count }, () => ({ ...failed, input })) })
    expect(problems(other)).toContain('is not published, and no failure is reported')
    expect(problems(other, { more: attempts(2) as never })).toContain('(2 executions)')
    expect(problems(other, { more: attempts(3) as never })).toBe('')
    expect(problems(other, { more: { leftOut: { StartPublish: 'not now' } } })).toBe('')
  })

  it('finds objects without the tag by which the bucket deletes them', () => {
    expect(problems({ keepDays: 30 })).toContain(
      'recordings/archive-0/poster/0123456789ab/poster.jpg, which is tagged with keepDays none, and 30 was ordered',
    )
  })

  it('expects no formats of a rebuild that failed', () => {
    const rebuild = (status: string, attempt = '') => ({
      ...{ machine: 'publish', name: `${idWith(undefined)}-rebuild-1${attempt}`, status },
      input: `{"key":"1234/${idWith(undefined)}/archive.mp4"}`,
    })
    const judge = (...executions: object[]) => problems({ files: [] }, { more: { executions: executions as never } })
    expect(judge(rebuild('FAILED'))).toBe('')
    expect(judge(rebuild('FAILED'), rebuild('FAILED', '-r2'))).toBe('')
    expect(judge(rebuild('SUCCEEDED'))).toContain('has no poster')
    expect(judge(rebuild('FAILED'), rebuild('SUCCEEDED', '-r2'))).toContain('has no poster')
  })

  it('finds a file that was published twice', () => {
    const one = {
      machine: 'publish',
      name: 'one',
      status: 'SUCCEEDED',
      input: `{"key":"1234/${idWith(undefined)}/archive.mp4"}`,
    }
    expect(problems({}, { more: { executions: [one, one] as never } })).toContain('was published 2 times')
  })

  it('finds an attempt that follows no failed one', () => {
    const attempt = (name: string, status = 'SUCCEEDED') => ({
      ...{ machine: 'publish', name, status },
      input: `{"key":"1234/${idWith(undefined)}/archive.mp4"}`,
    })
    const judge = (...executions: object[]) => problems({}, { more: { executions: executions as never } })
    expect(judge(attempt('one-r2'))).toContain('has the attempt one-r2, which follows no failed one')
    expect(judge(attempt('one-r1'))).toContain('has the attempt one-r1')
    expect(judge(attempt('one'), attempt('one-r2'))).toContain('has the attempt one-r2')
    expect(judge(attempt('one', 'FAILED'), attempt('one-r2', 'FAILED'), attempt('one-r3'))).toBe('')
  })
})

describe('publishedArchives, of attempts', () => {
  const key = `1234/${idWith(undefined)}/archive.mp4`
  const attempt = (name: string, { status = 'FAILED', input = {} as object } = {}) => ({
    ...{ machine: 'publish', name, status, startDate: new Date(0), stopDate: new Date(1_000) },
    input: JSON.stringify({ key, ...input }),
  })

  it('finds a failure by throttled functions that is not repeated', () => {
    const judge = (fault: string, ...executions: object[]) =>
      problems(
        { status: 'failed', message: 'Too busy.' },
        { more: { executions: executions as never, trace: [faultAt(500, fault)] } },
      )
    const [first, second, third] = ['one', 'one-r2', 'one-r3'].map((name) => attempt(name))
    expect(judge('throttled', attempt('one'))).toContain('failed without damage and without a fault: Too busy.')
    expect(judge('lost after', attempt('one'))).toBe('')
    expect(judge('throttled', first as object, second as object, third as object)).toBe('')
  })

  it('finds a further attempt with another input', () => {
    const [formats, clip] = [{ formats: ['poster'] }, { clip: { clipId: '1' } }]
    const judge = (first: object, second: object) =>
      problems(
        {},
        { more: { executions: [attempt('one', { input: first }), attempt('one-r2', { input: second })] as never } },
      )
    expect(judge(formats, {})).toBe(`${key} has the attempt one-r2 of another publish`)
    expect(judge(clip, {})).toContain('one-r2 of another publish')
    expect(judge(formats, formats)).toBe('')
  })
})

describe('publishedEvents', () => {
  const about = (more: Partial<Evidence>) => publishedEvents(evidenceOf({}, { more })).join('\n')
  const event = (status: string, name = 'program') =>
    ({
      detail: { event: 'recording.published', archiveId: idWith(undefined), showId: 'a-show', name, part: 1, status },
    }) as never

  it('accepts an event for each publication', () => {
    expect(about({})).toBe('')
  })

  it.each([
    [[event('ready')], 'the owner is not notified that it is complete'],
    [[event('ready'), event('complete'), event('failed')], 'an event reports that it is failed'],
    [[event('complete'), event('ready')], 'it is reported as complete before it is ready'],
    [[event('ready'), event('complete', 'another')], 'an event names another show'],
  ])('finds events that do not agree with the manifest', (events, problem) => {
    expect(about({ events })).toContain(problem)
  })

  it('excuses an event without a show only while the platform refused the credentials', () => {
    const id = idWith(undefined)
    const failed = { event: 'recording.published', archiveId: id, status: 'ready', reason: 'No.' }
    const events = [{ detail: failed }, event('ready'), event('complete')] as never
    const execution = {
      ...{ machine: 'publish', name: 'one', status: 'FAILED', input: `{"key":"1234/${id}/archive.mp4"}` },
      ...{ startDate: new Date(1000), stopDate: new Date(2000) },
    }
    const judge = (status: number, at = 1500) => {
      const trace = [{ at, line: '', call: { caller: 'WriteManifest', name: 'platform getArchive', status } }]
      return about({ events, trace, executions: [execution] as never })
    }
    expect(judge(403)).toBe('')
    expect(judge(200)).toContain('an event names another show')
    expect(judge(403, 2500)).toContain('an event names another show')
  })
})

describe('joinedRecordings', () => {
  const partsOf = (joined: readonly number[], strays: readonly string[] = [], heights = [480, 480]) => {
    const files = [1, 2].map((part, index) => {
      const show = { showId: 'a-show', name: 'program', part }
      const video = { width: 640, height: heights[index] }
      return evidenceOf({ show, video, files: [{ role: 'hls' }] }, { id: `part-${part}` }).objects
    })
    const parts = joined.map((part) => `part-${part}`)
    const manifest = objectOf(JSON.stringify({ parts, files: [] }))
    const objects = new Map([...files.flatMap((one) => [...one]), ['recordings/part-1-joined/manifest.json', manifest]])
    const shows = [{ result: { strays: strays.map((archiveId) => ({ archiveId })) } }] as never
    return joinedRecordings({
      objects,
      executions: [],
      leftOut: {},
      shows,
      statusChanges: [],
      apiRequests: [],
      trace: [],
    })
  }

  it('demands that all parts from the first on are joined', () => {
    expect(partsOf([1, 2])).toEqual([])
    expect(partsOf([1])).toEqual(['the recording a-show/program has 2 parts, and 1 are joined'])
    expect(partsOf([1], ['part-2'])).toEqual([])
  })

  it('demands that parts which do not fit are not joined', () => {
    expect(partsOf([1, 2], [], [480, 240])).toEqual(['the recording a-show/program is joined of parts that do not fit'])
  })

  /** Judges a joined recording of two parts of a minute, of which the second begins after some seconds. */
  const judge = (begins: number, joined: { duration: number; pauses?: object[] }, planned: object[] = []) => {
    const files = [1, 2].map((part) => {
      const show = { showId: 'a-show', name: 'program', part }
      return evidenceOf({ show, files: [{ role: 'hls' }] }, { id: `part-${part}` }).objects
    })
    const manifest = objectOf(JSON.stringify({ parts: ['part-1', 'part-2'], files: [], ...joined }))
    return joinedRecordings({
      ...{ executions: [], leftOut: {}, apiRequests: [], trace: [] },
      objects: new Map([...files.flatMap((one) => [...one]), ['recordings/part-1-joined/manifest.json', manifest]]),
      statusChanges: [0, begins].map((at, index) => ({ id: `part-${index + 1}`, createdAt: at * 1_000 })) as never,
      shows: [
        {
          showId: 'a-show',
          state: { liveAt: new Date(0).toISOString() },
          request: { show: { recordings: [{ name: 'program', pauses: planned }] } },
        },
      ] as never,
    })
  }
  const PAUSE = { from: 60, to: 300 }

  it('expects the duration of the parts without their overlap or the gap between them', () => {
    expect(judge(50, { duration: 110 })).toEqual([])
    expect(judge(80, { duration: 120 })).toEqual([])
    expect(judge(50, { duration: 120 })).toEqual(['the recording a-show/program lasts 120 s, and its parts 110 s'])
    expect(judge(50, { duration: 0 })).toHaveLength(1)
  })

  it('expects the pauses between the parts, and no others', () => {
    const pauses = [{ at: 60, duration: 240 }]
    expect(judge(300, { duration: 120, pauses }, [PAUSE])).toEqual([])
    expect(judge(300, { duration: 120 }, [PAUSE])).toEqual([
      'the recording a-show/program names 0 pauses, and its parts have 1',
    ])
    expect(judge(50, { duration: 110, pauses }, [PAUSE])).toHaveLength(1)
    expect(judge(80, { duration: 120, pauses })).toHaveLength(1)
  })
})
