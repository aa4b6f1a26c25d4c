import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { runSteps, type Step } from '../../../bin/checks/run-steps.ts'

const step = (title: string, code: string): Step => ({ title, program: 'node', args: ['-e', code] })

async function run(steps: readonly Step[], signal = new AbortController().signal) {
  const stream = new PassThrough()
  const shown = text(stream)
  const reports = await runSteps(steps, { stream, signal }).finally(() => stream.end())
  return { reports, shown: await shown }
}

describe('runSteps', () => {
  it('runs every step in order and shows how long each took', async () => {
    const { reports, shown } = await run([step('one', 'console.log("fine")'), step('longer', '')])
    expect(reports).toEqual([
      { title: 'one', passed: true, seconds: expect.any(Number) },
      { title: 'longer', passed: true, seconds: expect.any(Number) },
    ])
    expect(shown).toMatch(/^one {4} +\d+\.\d s\nlonger +\d+\.\d s\n$/)
  })

  it('stops at the first step that fails and reports what it wrote to either stream', async () => {
    const failing = step('two', 'console.log("out"); console.error("err"); process.exitCode = 3')
    const { reports, shown } = await run([step('one', ''), failing, step('three', '')])
    expect(reports.map(({ title, passed }) => [title, passed])).toEqual([
      ['one', true],
      ['two', false],
    ])
    expect(reports[1]?.output).toContain('out\n')
    expect(reports[1]?.output).toContain('err\n')
    expect(shown).toMatch(/two +\d+\.\d s {2}failed\n$/)
  })

  it('measures seconds', async () => {
    const { reports } = await run([step('slow', 'setTimeout(() => {}, 300)')])
    expect(reports[0]?.seconds).toBeGreaterThanOrEqual(0.3)
  })

  it('finds the programs of node_modules and runs them with its own Node', async () => {
    const { reports } = await run([
      { title: 'tsc', program: 'tsc', args: ['--version'] },
      step('node', `if (process.version !== '${process.version}') throw new Error(process.version)`),
    ])
    expect(reports.map(({ passed }) => passed)).toEqual([true, true])
  })

  it('names a program that cannot be started', async () => {
    await expect(run([{ title: 'none', program: 'no-such-program', args: [] }])).rejects.toThrow('no-such-program')
  })

  it('stops the running step when it is aborted', async () => {
    const interruption = new AbortController()
    const running = run([step('endless', 'setInterval(() => {}, 1000)')], interruption.signal)
    setTimeout(() => interruption.abort(), 50)
    await expect(running).rejects.toThrow('aborted')
  })
})
