import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { realClock } from '../../lib/clock.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg.ts'
import { createMedia } from '../../local/sandbox/media/create-media.ts'
import { startSandbox } from '../../local/sandbox/server.ts'
import { interruptible } from '../laptop/interruption.ts'

interface Options {
  readonly port: number
  readonly data?: string
  readonly authHeader?: readonly string[]
  readonly json?: true
}

export const sandboxCommand = () =>
  new Command('sandbox')
    .description('run the video platform alone, until Ctrl-C')
    .option('--port <number>', 'where to listen on 127.0.0.1; 0 takes a free port', parsePort, 0)
    .option('--data <dir>', 'keep its state there; without it everything is forgotten at the end')
    .option('--auth-header <name>', 'accept the token under this header; repeatable (default: X-SERVICE-AUTH)', collect)
    .option('--json', 'print one line { url, apiKey, apiSecret } when it is ready')
    .action((options: Options) => interruptible((signal) => runSandbox(options, signal)))

async function runSandbox({ port, data, authHeader, json }: Options, signal: AbortSignal): Promise<void> {
  const ffmpegPath = await findFfmpeg()
  const temporary = data === undefined ? await mkdtemp(join(tmpdir(), 'showrunner-sandbox-')) : undefined
  const directory = resolve(data ?? (temporary as string))
  try {
    const media = await createMedia({ ffmpegPath, clock: realClock, directory: join(directory, 'media') })
    const sandbox = await startSandbox({ media, directory, port, ...(authHeader && { authHeaders: authHeader }) })
    const { url, apiKey, apiSecret } = sandbox
    if (json) process.stdout.write(`${JSON.stringify({ url, apiKey, apiSecret })}\n`)
    else
      process.stdout.write(
        `The sandbox listens at ${url}\n  API key     ${apiKey}\n  API secret  ${apiSecret}\nCtrl-C ends it.\n`,
      )
    await new Promise<void>((ended) => signal.addEventListener('abort', () => ended(), { once: true }))
    await sandbox.close()
    process.exitCode = 0 // it was meant to be ended so
  } finally {
    if (temporary) await rm(temporary, { recursive: true, force: true })
  }
}

export function parsePort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('It must be 0 to 65535.')
  return port
}

const collect = (name: string, names: readonly string[] = []) => [...names, name]
