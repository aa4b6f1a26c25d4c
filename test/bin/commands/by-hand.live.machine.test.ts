import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { root } from '../../../bin/local/root.ts'
import { startProgram } from '../../support/program.ts'
import { startSandboxProgram } from '../../support/ready-program.ts'

/** Returns the commands under a heading of docs/sandbox.md, without their comments. */
async function commandsUnder(heading: string): Promise<string[]> {
  const document = await readFile(join(root, 'docs/sandbox.md'), 'utf8')
  const [, block = ''] = document.split(`### ${heading}\n`)[1]?.split('```') ?? []
  return block.split('\n').flatMap((line) => line.replace(/\s+#.*/, '').replace(/^sh$/, '') || [])
}

it('docs/sandbox.md: the commands for a recording by hand work in their order', async () => {
  const { ready, stop } = await startSandboxProgram()
  onTestFinished(async () => void (await stop()))
  const environment = {
    PLATFORM_URL: ready.url,
    PLATFORM_API_KEY: ready.apiKey,
    PLATFORM_API_SECRET: ready.apiSecret,
    CONTROL_TOKEN: ready.controlToken,
  }
  const values = new Map<string, string>()

  /** Runs a command, and keeps the values that later commands need. */
  async function follow(command: string): Promise<string> {
    const filled = command.replace(/<(\w+)>/g, (_, name) => values.get(name) ?? '')
    const [, path, body] =
      /^curl -H "Authorization: Bearer \$CONTROL_TOKEN" "\$PLATFORM_URL([^"]+)" -d '([^']+)'$/.exec(filled) ?? []
    const headers = { authorization: `Bearer ${ready.controlToken}` }
    if (path && body) return (await fetch(ready.url + path, { method: 'POST', headers, body })).text()
    const [, words = ''] = /^npm run -s showrunner -- (.+)$/.exec(filled) ?? []
    const { code, stdout, stderr } = await startProgram(words.split(/\s+/), environment).ended
    expect([code, stderr], filled).toEqual([0, ''])
    for (const [, name = '', value = ''] of stdout.matchAll(/^(\w+) +(\S+)/gm)) values.set(name, value)
    return stdout
  }

  const [exports = '', ...commands] = await commandsUnder('A recording by hand')
  for (const name of Object.keys(environment)) expect(exports).toContain(`${name}=`)
  for (const command of commands) await follow(command)
  await expect.poll(() => follow(commands.at(-1) ?? ''), { interval: 500 }).toMatch(/status +available/)
  const file = await fetch(values.get('url') ?? '')
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect((await file.arrayBuffer()).byteLength).toBe(Number(values.get('size')))
})
