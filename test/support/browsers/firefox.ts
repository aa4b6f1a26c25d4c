import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { findTool } from '../tools.ts'

/** A generated camera and microphone, which pages may use without a prompt; no request to Mozilla. */
const PREFERENCES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
}

interface Answer {
  readonly id?: number
  readonly type: string
  readonly message?: string
  readonly result?: { contexts?: { context: string }[]; type?: string; result?: { value?: string } }
}

/** A page in Firefox. */
export interface FirefoxPage {
  goto(url: string): Promise<void>
  /** Evaluates an expression in the page, and returns its value, which must be JSON. @throws Error when it throws */
  evaluate<Value>(expression: string): Promise<Value>
  close(): Promise<void>
}

/**
 * Opens a page in the machine's Firefox, by WebDriver BiDi. Playwright does not drive the version of Debian: it lacks
 * `emulation.setMediaFeaturesOverride`.
 */
export async function openFirefox(): Promise<FirefoxPage> {
  const path = await findTool('firefox-esr', 'firefox-esr')
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'))
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref('${name}', ${JSON.stringify(value)});`)
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank']
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const address = () => /WebDriver BiDi listening on (ws:\S+)/.exec(output)?.[1]
  await expect.poll(address).toBeDefined()
  const socket = new WebSocket(`${address()}/session`)
  await once(socket, 'open')
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.on('message', (data) => {
    const answer: Answer = JSON.parse(String(data))
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  let count = 0
  async function call(method: string, params: object): Promise<NonNullable<Answer['result']>> {
    const id = ++count
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, message, result } = await answered
    if (type === 'error' || !result) throw new Error(`Firefox refuses ${method}: ${message}`)
    return result
  }
  await call('session.new', { capabilities: {} })
  const { contexts = [] } = await call('browsingContext.getTree', {})
  const context = contexts[0]?.context
  return {
    goto: async (url) => void (await call('browsingContext.navigate', { context, url, wait: 'complete' })),
    async evaluate(expression) {
      const asText = `(async () => JSON.stringify((await (${expression})) ?? null))()`
      const given = { expression: asText, target: { context }, awaitPromise: true }
      const { type, result } = await call('script.evaluate', given)
      if (type !== 'success') throw new Error(`${expression} throws in Firefox.`)
      return JSON.parse(result?.value ?? 'null')
    },
    async close() {
      socket.close()
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
