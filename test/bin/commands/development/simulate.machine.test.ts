import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { simulateCommand } from '../../../../bin/commands/development/simulate.ts'

const example = 'examples/webinar.json'

describe('simulateCommand', () => {
  let directory: string
  let printed: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'simulate-'))
    printed = ''
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += text
      return true
    })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    process.exitCode = undefined
    await rm(directory, { recursive: true })
  })

  const run = (...options: string[]) =>
    simulateCommand()
      .exitOverride()
      .configureOutput({ writeErr() {} })
      .parseAsync(options, { from: 'user' })
  const fileOf = async (text: string) => {
    const file = join(directory, 'show.json')
    await writeFile(file, text)
    return file
  }

  it('prints one JSON object, which is identical for a repeated seed', async () => {
    await run('--show', example, '--seed', '5', '--json')
    const first = printed
    const { trace, ...simulation } = JSON.parse(first)
    expect(simulation).toMatchObject({ seed: 5, status: 'succeeded', leftOut: {} })
    expect(simulation.traceSha256).toMatch(/^[0-9a-f]{64}$/)
    expect(trace.length).toBeGreaterThan(100)
    expect(process.exitCode).toBeUndefined()

    printed = ''
    await run('--show', example, '--seed', '5', '--json')
    expect(printed).toBe(first)
  })

  it('prints trace and outcome, with seed 1 by default', async () => {
    await run('--show', example, '--trace')
    expect(printed).toContain('show: Open session entered')
    expect(printed).toContain('The show succeeded.')
    expect(printed).toContain('The trace of seed 1 has')
  })

  it('prints the trace of a seed that breaks no invariant', async () => {
    await run('--seed', '9', '--trace')
    expect(printed).toContain('app -> api POST /shows -> 202')
    expect(printed).toContain('Seed 9 breaks no invariant. Its trace is above.')
  })

  it('compares outcomes with the recorded ones, and saves what can be observed of a seed', async () => {
    await run('--seeds', '1', '--first', '8', '--json')
    const report = JSON.parse(printed)
    expect(report).toMatchObject({ broken: [], changes: [] })

    printed = ''
    await run('--seed', '8', '--save', directory)
    expect(printed).toMatch(/^\d+ files of seed 8 are in .*\.\n$/)
    expect(await readdir(directory)).toEqual(
      expect.arrayContaining(['trace.txt', 'documents.txt', 'answers.txt', 'resources.txt', 'objects']),
    )
    expect(await readFile(join(directory, 'answers.txt'), 'utf8')).toContain('"path":"/shows"')
    expect(report.outcomes).toMatchObject({ 8: { callbacks: '' } })
  })

  it('refuses a missing file, invalid JSON and an invalid show in one sentence', async () => {
    await expect(run('--show', 'no-such-file.json')).rejects.toThrow(
      'no-such-file.json cannot be read: it does not exist.',
    )
    await expect(run('--show', await fileOf('{'))).rejects.toThrow('is not JSON')
    await expect(run('--show', await fileOf('{"version":1,"name":"x"}'))).rejects.toThrow(
      /is not valid: .*duration.*; .*recordings.*\.$/,
    )
  })

  it.each([
    ['an unknown option', ['--show', example, '--sed', '3'], 'unknown option'],
    ['a seed that is not a whole number', ['--show', example, '--seed', '3x'], 'whole number'],
    ['nothing to simulate', [], 'Choose what to simulate'],
    ['a count of zero', ['--seeds', '0'], 'whole number from 1'],
    ['--seed with --seeds', ['--seeds', '3', '--seed', '2'], 'Use --first'],
    ['--first without --seeds', ['--first', '2'], '--first requires --seeds'],
    ['--exhaustive with --seeds', ['--exhaustive', '--seeds', '3'], '--exhaustive and --seeds exclude'],
    ['--shows with --seeds', ['--shows', '3', '--seeds', '3'], '--shows and --seeds exclude each other'],
    ['--hours without --shows', ['--seeds', '3', '--hours', '3'], '--hours requires --shows'],
    ['--record without --seeds', ['--seed', '3', '--record'], '--record requires --seeds'],
    ['--record with --show', ['--seeds', '3', '--show', example, '--record'], '--record and --show exclude each other'],
    ['--save without --seed', ['--seeds', '3', '--save', 'seed'], '--save requires --seed'],
    ['--save with --json', ['--seed', '3', '--save', 'seed', '--json'], '--save writes files'],
    ['--write with nothing to write', ['--show', example, '--write'], '--write requires --exhaustive'],
  ])('refuses %s', async (_what, options, message) => {
    await expect(run(...options)).rejects.toThrow(message)
  })
})
