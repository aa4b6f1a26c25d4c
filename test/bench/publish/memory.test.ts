import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { memoryOfAll, watchMemory } from '../../../bench/publish/memory.ts'

/** Starts another like itself without a parameter; both hold 50 MB, say so, and stay. */
const holder = `
  const held = Buffer.alloc(50e6, 1)
  const inner = process.argv[1] === 'outer' && require('node:child_process').spawn(process.execPath, ['-e', process.env.HOLDER])
  if (inner) { inner.stdout.once('data', () => console.log('both')); process.stdin.once('end', () => { inner.kill(); process.exit() }).resume() }
  else { console.log('held'); setInterval(() => held.length, 1e6) }
`

describe('watchMemory', () => {
  it('counts what a process has started, and keeps the peak when that is gone', async () => {
    const child = spawn(process.execPath, ['-e', holder, 'outer'], { env: { ...process.env, HOLDER: holder } })
    await once(child.stdout, 'data')
    const watch = watchMemory(child.pid ?? 0)
    expect(memoryOfAll(child.pid ?? 0)).toBeGreaterThan(150e6) // two of Node and 50 MB
    child.stdin.end()
    await once(child, 'exit')
    expect(memoryOfAll(child.pid ?? 0)).toBe(0)
    expect(watch.stop()).toBeGreaterThan(150e6)
  })
})
