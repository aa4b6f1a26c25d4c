import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../../../bin/local/root.ts'
import { planOf } from '../../../../bin/shows/show-plan.ts'
import { type ShowDocument, show } from '../../../../lib/show/document/show.ts'
import { startProgram } from '../../../support/program.ts'

const NOW = Date.parse('2026-11-20T09:00:00Z')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

const validate = async (...args: string[]) => startProgram(['validate', ...args]).ended

describe('validateCommand', () => {
  it('prints the plan of a valid show', async () => {
    const { code, stdout } = await validate('examples/everything.json')
    expect(code).toBe(0)
    expect(stdout).toContain('examples/everything.json is a valid show, Annual conference:\n  start      immediately\n')
    expect(stdout).toContain(
      '\n  secrets    conference#pin, conference#sip, streams#main, streams#spare, apps#callback must exist',
    )
  })

  it('describes dial-ins, and omits files for a show that is only broadcast', async () => {
    expect((await validate('examples/everything.json')).stdout).toContain('as focus, tones after it is answered')
    const { code, stdout } = await validate('examples/live-only.json')
    expect([code, /uploads|publish/.test(stdout)]).toEqual([0, false])
  })

  it('prints the show with every default as JSON', async () => {
    const { code, stdout } = await validate('examples/webinar.json', '--json')
    const document = JSON.parse(await readFile(join(root, 'examples/webinar.json'), 'utf8'))
    expect([code, JSON.parse(stdout)]).toEqual([0, { valid: true, show: show.parse(document) }])
  })

  it('prints every problem with its path, and exits with 1', async () => {
    const file = join(folder, 'wrong.json')
    await writeFile(file, '{ "version": 1, "name": "", "duration": 0, "recordings": [{ "name": "a", "colour": 1 }] }')
    const lines = [
      'name must not be empty',
      'duration must be at least 1',
      'recordings[0].colour is not a field of a show',
    ]
    const invalid = await validate(file)
    expect([invalid.code, invalid.stdout, invalid.stderr]).toEqual([
      1,
      '',
      `${file} is not a valid show:\n${lines.map((line) => `  ${line}\n`).join('')}`,
    ])
    const { code, stdout } = await validate(file, '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { valid: false, problems: [{ path: 'name' }, {}, {}] }])
  })

  it('refuses a past start, as the API does', async () => {
    const file = join(folder, 'past.json')
    const show = { version: 1, name: 'A', duration: 60, recordings: [{ name: 'a' }] }
    await writeFile(file, JSON.stringify({ ...show, start: { at: '2020-01-01T09:00' } }))
    const { code, stderr } = await validate(file)
    const problem = 'start.at has passed: it was 2020-01-01T09:00:00.000Z'
    expect([code, stderr]).toEqual([1, `${file} is not a valid show:\n  ${problem}\n`])
  })

  it('says which of two equal local times a show starts at', () => {
    const ordered = { version: 1.1 as const, name: 'A', duration: 60, recordings: [{ name: 'a' }] }
    const startOf = (at: string) => planOf(show.parse({ ...ordered, start: { at, zone: 'Europe/Berlin' } }), NOW)[0]
    expect(startOf('2026-10-25T02:30')?.[1]).toBe(
      '2026-10-25T02:30 in Europe/Berlin, which occurs twice: at the first, 2026-10-25T00:30Z (the second is 2026-10-25T01:30Z)',
    )
    expect(startOf('2026-10-25T02:30+01:00')?.[1]).toBe('2026-10-25T01:30 in UTC')
  })

  it('prints pauses, and counts the parts around them', () => {
    const recordings = [{ name: 'room', pauses: [{ from: 10_800, to: 14_400 }] }]
    const plan = planOf(show.parse({ version: 1.1, name: 'A', duration: 25_200, recordings }), NOW)
    expect(plan).toContainEqual(['recording', 'room: composed, 1280x720 bestFit, at least 2 parts of up to 4 h'])
    expect(plan).toContainEqual(['pause', 'room: after 3 h, for 1 h'])
  })

  it('reads a document from standard input, with the mark and the schema that editors add', async () => {
    const show = { $schema: 'show.schema.json', version: 1, name: 'A', duration: 60, recordings: [{ name: 'a' }] }
    const { code, stdout } = await startProgram(['validate', '-'], {}, `\ufeff${JSON.stringify(show)}`).ended
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Standard input is a valid show, A:\n/)])
  })

  it('escapes control characters of a document', async () => {
    const file = join(folder, 'escapes.json')
    await writeFile(file, JSON.stringify({ version: 1, 'a\u001b[2Jb\nc': 1 }))
    const { stderr } = await validate(file)
    expect(stderr).toContain('\n  a\\u001b[2Jb\\u000ac is not a field of a show\n')
  })

  it.each([
    ['none.json', undefined, /none\.json cannot be read: it does not exist/],
    ['broken.json', '{ "version"', /broken\.json is not JSON/],
    ['escape.json', '\u001b[2J', /^[^\p{Cc}]*is not JSON: [^\p{Cc}]*\\u001b/u],
  ])('reports what is wrong with %s', async (name, content, sentence) => {
    if (content) await writeFile(join(folder, name), content)
    const { code, stdout, stderr } = await validate(join(folder, name), '--json')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(sentence)
  })
})

describe('planOf', () => {
  const plan = (changes: Partial<ShowDocument>) =>
    planOf(show.parse({ version: 1, name: 'A', duration: 60, recordings: [{ name: 'program' }], ...changes }), NOW).map(
      (line) => line.join(' '),
    )

  it('counts the parts of recordings and broadcasts that exceed the limits of the platform', () => {
    const broadcasts = [{ name: 'live', hls: {}, parts: true }]
    const lines = plan({ duration: 100_000, broadcasts })
    expect(lines).toContain('recording program: composed, 640x480 bestFit, at least 7 parts of up to 4 h')
    expect(lines).toContain('broadcast live: HLS, 640x480 bestFit, at least 3 parts of up to 10 h')
    expect(lines).toContain('duration 1 d 3 h 46 min 40 s from the first recording or broadcast')
  })

  it.each([
    [{ at: '2027-01-01T19:00', zone: 'Europe/Berlin' }, 'start 2027-01-01T19:00 in Europe/Berlin'],
    [{ cron: '0 9 ? * 2 *' }, /^start every Monday at 9:00 \(UTC\), next on 2026-11-2\d \d\d:\d\d local time$/],
  ])('describes the start %j', (start, line) => {
    expect(plan({ start })[0]).toMatch(line)
  })

  it('describes an open end', () => {
    expect(plan({ duration: null, maxDuration: 7_200 })).toContain(
      'duration open: until no participant publishes for 5 min, at the latest 2 h from the first recording or broadcast',
    )
  })

  it('describes markers and the watch page', () => {
    const cues = [
      { at: 0, marker: 'Welcome' },
      { at: 30, marker: 'Talk', recording: 'program' },
    ]
    const lines = plan({ cues, page: { description: 'All of it.', accentColor: '#1a73e8' } })
    expect(lines).toContain('marker after 0 s: Welcome, a chapter of every recording')
    expect(lines).toContain('marker after 30 s: Talk, a chapter of the recording program')
    expect(lines).toContain('page A, with a description, in #1a73e8')
    expect(plan({ recordings: [], broadcasts: [{ name: 'live', hls: {} }] }).join()).not.toContain('page')
  })

  it('describes an existing session and the publishing', () => {
    const lines = plan({ session: { id: '1_existing' }, publish: { formats: [], keepDays: 7 } })
    expect(lines).toContain('session the existing session 1_existing')
    expect(lines).toContain('publish only the manifest, for callers of the API, deleted after 7 days')
  })
})
