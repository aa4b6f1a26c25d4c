import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { costCommand } from '../../../../bin/commands/shows/cost.ts'
import { root } from '../../../../bin/local/root.ts'

let printed: string
beforeEach(() => {
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

const showrunner = (file: string, ...options: string[]) =>
  costCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .parseAsync([join(root, file), ...options], { from: 'user' })

describe('costCommand', () => {
  it('prints each item, the sum, storage and viewers', async () => {
    await showrunner('examples/webinar.json', '--viewers', '100')
    const lines = printed.trimEnd().split('\n')
    expect(lines[0]).toBe('Launch webinar, in US$ (us-east-1, 2026-11):')
    expect(lines).toHaveLength(14)
    const sum = lines.slice(1, 11).reduce((total, line) => total + Number(line.trim().split(' ').at(-1)), 0)
    expect(Number(lines[11]?.trim().split(' ').at(-1))).toBeCloseTo(sum, 2)
    expect(lines[13]).toMatch(/^ {2}Sending it to 100 viewers +1\.1 GB +0\.10$/)
  })

  it('computes what a show with an open end costs at most', async () => {
    await showrunner('examples/everything.json')
    expect(printed).toMatch(/^Annual conference, if it lasts its maxDuration of 600 s, in US\$/)
  })

  it('prints JSON', async () => {
    await showrunner('examples/everything.json', '--json')
    expect(JSON.parse(printed)).toMatchObject({ region: 'us-east-1', usd: expect.any(Number), viewers: { usd: 0 } })
  })

  it('refuses a document that is not a show, and a wrong number of viewers', async () => {
    await expect(showrunner('package.json')).rejects.toThrow(/is not a valid show\. `validate .*` lists what is wrong/)
    await expect(showrunner('examples/webinar.json', '--viewers', '-1')).rejects.toThrow('must be a whole number')
  })
})
