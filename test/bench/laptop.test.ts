import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { toRow } from '../../bench/bench.ts'
import { cpuOfAll, createLaptopBench } from '../../bench/laptop.ts'
import { cpuSeconds } from '../../bench/media/cpu.ts'

/** A program that keeps 200 MB from the first line that it receives on. */
const KEEPING = `process.stdin.once('data', () => {
  globalThis.kept = Buffer.alloc(200e6, 1)
  process.stdout.write('kept')
})`

describe('createLaptopBench', () => {
  it('measures memory and processor time of the process, before a show and after it', async () => {
    const done: string[] = []
    const open = async () => {
      const program = spawn(process.execPath, ['-e', KEEPING])
      await once(program, 'spawn')
      return {
        pid: program.pid as number,
        async runShow() {
          done.push('show')
          program.stdin.write('keep')
          await once(program.stdout, 'data')
        },
        async close() {
          done.push('close')
          program.kill('SIGKILL')
          await once(program, 'exit')
        },
      }
    }
    const bench = createLaptopBench({ open, rest: 0, idle: 0.05 })
    const rows = (await bench.run(() => {}, new AbortController().signal)).map((one) => toRow('laptop', one))
    const [before, , peak, after] = rows.map(({ value }) => Number(value))
    expect(rows.map(({ work, unit, goal }) => [work, unit, goal])).toEqual([
      ['memory, idle before a show', 'MB', 400],
      ['processor time, idle before a show', '%', 2],
      ['memory, peak of a show', 'MB', null],
      ['memory, idle after a show', 'MB', 400],
      ['processor time, idle after a show', '%', 2],
    ])
    expect(Number(peak) - Number(before)).toBeGreaterThan(100)
    expect(Number(after) - Number(before)).toBeGreaterThan(100)
    expect(done).toEqual(['show', 'close'])
  })

  it('closes what it has opened when the show fails', async () => {
    const done: string[] = []
    const open = async () => ({
      pid: process.pid,
      runShow: () => Promise.reject(new Error('no show')),
      close: async () => void done.push('close'),
    })
    const bench = createLaptopBench({ open, rest: 0, idle: 0 })
    await expect(bench.run(() => {}, new AbortController().signal)).rejects.toThrow('no show')
    expect(done).toEqual(['close'])
  })
})

describe('cpuOfAll', () => {
  it('includes the processor time of running child processes', async () => {
    const child = spawn(process.execPath, ['-e', 'for (;;);'])
    try {
      await expect.poll(() => cpuOfAll(process.pid) - cpuSeconds()).toBeGreaterThan(0.2)
    } finally {
      child.kill('SIGKILL')
    }
  })
})
