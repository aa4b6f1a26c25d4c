import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { measureLateness } from './lateness.ts'
import { findTool } from './tools.ts'

const BUSY_MS = 2_000

it('measureLateness finds that two busy programs on one core wait for half of the time, also those of a shell', async () => {
  const taskset = await findTool('taskset', 'util-linux')
  const loop = `const end = Date.now() + ${BUSY_MS}; while (Date.now() < end);`
  const child = spawn(taskset, ['-c', '0', 'sh', '-c', '"$0" -e "$1" & "$0" -e "$1"; wait', process.execPath, loop])
  const meter = measureLateness(child.pid)
  const startedAt = Date.now()
  await once(child, 'exit')
  const late = meter.between(startedAt)
  meter.stop()
  // While one of two runs, the other one waits.
  expect(late).toBeGreaterThan(0.7 * BUSY_MS)
  expect(late).toBeLessThanOrEqual(Date.now() - startedAt)
})
