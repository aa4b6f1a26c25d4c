import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readMachine } from '../../../../bin/doctor/read-machine.ts'
import { root } from '../../../../bin/local/root.ts'
import { freePort } from '../../../support/rtmp/free-port.ts'

/** Runs the command without any variable but these: no PATH and no home. */
const doctor = (variables: NodeJS.ProcessEnv, ...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'bin/showrunner.ts'), 'doctor', ...args], {
    env: { AWS_EC2_METADATA_DISABLED: 'true', ...variables },
    encoding: 'utf8',
  })

describe('doctor', () => {
  it('says on a bare machine what is missing and what to do, and exits with 1', () => {
    const { status, stdout, stderr } = doctor({ FFMPEG_PATH: '/nowhere/ffmpeg' }, '--json')
    const { ready, checks } = JSON.parse(stdout)
    expect([status, stderr, ready]).toEqual([1, '', false])
    const found = Object.fromEntries(checks.map(({ what, ...rest }: { what: string }) => [what, rest]))
    expect(found).toMatchObject({
      system: { state: 'ok' },
      ffmpeg: {
        state: 'missing',
        message: expect.stringMatching(
          /^FFMPEG_PATH is \/nowhere\/ffmpeg, which is not an executable file: .* install/,
        ),
      },
      Chromium: { state: 'later', message: expect.stringContaining('no Chromium was found') },
      'AWS credentials': { state: 'later', message: expect.stringContaining('aws login') },
    })
    expect(checks.map(({ what }: { what: string }) => what)).toEqual(
      expect.arrayContaining(['Node', 'disk', 'memory', 'processor']),
    )
  })

  it('says that a machine is ready, by the ffmpeg of npm', () => {
    const { status, stdout } = doctor({})
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^[✓→] ffmpeg +\S+ \(\S*node_modules/m)])
    expect(stdout).toMatch(/^✓ ffmpeg encoders/m)
    expect(stdout.trim().split('\n').at(-1)).toBe('This machine is ready: npx showrunner demo')
  })
})

describe('readMachine', () => {
  it('finds the ports that another program uses, and a folder that is missing', async () => {
    const port = await freePort()
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    const read = () => readMachine({ environment: {}, folder: '/nowhere', ports: { console: port } })
    const facts = await read()
    server.close()
    await once(server, 'close')
    expect(facts.ports).toEqual([{ purpose: 'console', port, code: 'EADDRINUSE' }])
    expect(facts.folder).toEqual({ problem: expect.stringContaining('ENOENT') })
    expect((await read()).ports).toEqual([{ purpose: 'console', port }])
  })
})
