import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { openRoom } from './open-room.ts'

it('a session is joined by hand as documented, and left by ending the program', async () => {
  const document = await readFile(new URL('../../../../docs/sandbox.md', import.meta.url), 'utf8')
  const [, script = ''] = /node -e '\n([^']+)' ws:/.exec(document) ?? []
  const { address, clientToken, join } = await openRoom()
  const ada = await join({ role: 'subscriber' })
  const env = { ...process.env, TOKEN: await clientToken({ connection_data: 'by hand' }) }
  const program = spawn(process.execPath, ['-e', script, address], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const said: string[] = []
  createInterface(program.stdout).on('line', (line) => said.push(JSON.parse(line).type))
  expect((await ada.receives('connectionCreated')).connection).toMatchObject({ data: 'by hand' })
  expect((await ada.receives('streamCreated')).stream).toMatchObject({ name: 'Ada', hasAudio: true, hasVideo: true })
  const ended = once(program, 'close')
  program.kill('SIGINT')
  await ended
  expect((await ada.receives('connectionDestroyed')).reason).toBe('networkDisconnected')
  expect(said[0]).toBe('joined')
})
