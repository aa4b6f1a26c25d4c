import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../../../bin/local/root.ts'
import { show } from '../../../../lib/show/document/show.ts'
import { startProgram } from '../../../support/program.ts'

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
