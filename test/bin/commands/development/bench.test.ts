import { describe, expect, it, vi } from 'vitest'
import { benchCommand } from '../../../../bin/commands/development/bench.ts'

const bench = {
  summary: 'something',
  run: async () => [{ work: 'a call', unit: 'µs', value: 60, baseline: 100, goal: { atMost: 0.5 } }],
} as const

async function run(...args: string[]) {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await benchCommand({ quick: bench }).parseAsync(args, { from: 'user' })
    return write.mock.calls.map(([text]) => text).join('')
  } finally {
    write.mockRestore()
  }
}

describe('benchCommand', () => {
  it('prints a table', async () => {
    expect(await run('quick')).toMatch(/^work .*\na call .* MISSED\n$/)
  })

  it('prints rows as JSON', async () => {
    expect(JSON.parse(await run('quick', '--json'))).toEqual([
      { bench: 'quick', work: 'a call', unit: 'µs', value: 60, baseline: 100, ratio: 0.6, goal: 0.5, met: false },
    ])
  })

  it('sets the duration of a bench that has one, and refuses it for another', async () => {
    await expect(run('quick', '--minutes', '60')).rejects.toThrow('The bench quick has a fixed duration.')
    const lasting = vi.fn(() => bench)
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    await benchCommand({ watching: { ...bench, lasting } }).parseAsync(['watching', '--minutes', '60'], {
      from: 'user',
    })
    write.mockRestore()
    expect(lasting).toHaveBeenCalledWith(3_600)
  })

  it('lists the benches for an unknown name', async () => {
    await expect(run('slow')).rejects.toThrow('There is no bench slow. Choose one of:\n  quick  something')
    expect(benchCommand().registeredArguments[0]?.description).toBe(
      'one of platform, media, live, live-hls, console, sip, orchestration, scale, publish, session, laptop',
    )
  })
})
